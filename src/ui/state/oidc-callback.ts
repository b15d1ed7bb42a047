/** Whether this address is one that the provider sent the browser back to. */
export function isCallback({ search, hash }: Pick<Location, 'search' | 'hash'>): boolean {
  return [search, hash.replace(/^#/, '?')].some(part => {
    const given = new URLSearchParams(part)
    return given.has('state') && (given.has('code') || given.has('error'))
  })
}
