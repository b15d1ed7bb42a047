/** Loads code, also after an earlier attempt that failed: browsers remember a failure by the address. */
export const loadCode = <Code>(find: () => Promise<Code>): Promise<Code> =>
  find().catch((error: unknown) => {
    // Only the message names the address, in Chromium and Firefox; others retry.
    const address = String(error).split(' ').at(-1)!
    if (!address.startsWith('http')) throw error
    return import(`${address}?${Date.now()}`) as Promise<Code>
  })

const MAX_WAIT_MS = 1000

/** Resolves in an idle moment of the page, or after a second. Safari has no idle callback. */
export const idle = () =>
  new Promise<unknown>(done => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(done, { timeout: MAX_WAIT_MS })
    else setTimeout(done)
  })
