/**
 * Signs somebody in on the page of the tests' OpenID provider, as a browser does from an address; the address to which
 * the provider sends the browser back. `name` null = the visitor refuses.
 */
export async function visitProvider(address: string, redirectUri: string, name: string | null): Promise<URL> {
  const cookies = new Map<string, string>()
  let url = new URL(address)
  for (let hop = 0; hop < 20; hop++) {
    const headers = { Cookie: [...cookies].map(([key, value]) => `${key}=${value}`).join('; ') }
    const response = await fetch(url, { headers, redirect: 'manual' })
    for (const cookie of response.headers.getSetCookie()) {
      const [key, value] = cookie.split(';')[0]!.split('=') as [string, string]
      cookies.set(key, value)
    }
    await response.body?.cancel()
    const location = response.headers.get('location')
    if (location?.startsWith(redirectUri)) return new URL(location)
    const next = new URL(location ?? url, url)
    if (location === null) next.search = name === null ? '?refuse' : `?login=${name}`
    url = next
  }
  throw new Error(`The provider never came back from ${url.href}`)
}
