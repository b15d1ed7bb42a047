import type { OpenIdProvider } from './openid-provider'

/** The cookies that a browser has from the provider. */
export type Jar = Map<string, string>

/** Requests something of the provider with the cookies of a browser, which keeps those of the answer. */
async function fetchWith(jar: Jar, url: URL, init: RequestInit = {}): Promise<Response> {
  const headers = { Cookie: [...jar].map(([key, value]) => `${key}=${value}`).join('; ') }
  const response = await fetch(url, { ...init, headers, redirect: 'manual' })
  for (const cookie of response.headers.getSetCookie()) {
    const [key, value] = cookie.split(';')[0]!.split('=') as [string, string]
    jar.set(key, value)
  }
  return response
}

/** Signs a browser out on the provider's page, which reports that to its clients before it answers. */
export async function leaveProvider(origin: string, jar: Jar) {
  const page = await (await fetchWith(jar, new URL('/session/end', origin))).text()
  const [, secret] = /name="xsrf" value="([^"]+)"/.exec(page)!
  const body = new URLSearchParams({ xsrf: secret!, logout: 'yes' })
  await (await fetchWith(jar, new URL('/session/end/confirm', origin), { method: 'POST', body })).text()
}

/**
 * Signs somebody in on the page of the tests' OpenID provider, as a browser does from an address; the address to which
 * the provider sends the browser back. `name` null = the visitor refuses.
 */
export async function visitProvider(
  address: string,
  redirectUri: string,
  name: string | null,
  jar: Jar = new Map(),
): Promise<URL> {
  let url = new URL(address)
  for (let hop = 0; hop < 20; hop++) {
    const response = await fetchWith(jar, url)
    await response.body?.cancel()
    const location = response.headers.get('location')
    if (location?.startsWith(redirectUri)) return new URL(location)
    const next = new URL(location ?? url, url)
    if (location === null) next.search = name === null ? '?refuse' : `?login=${name}`
    url = next
  }
  throw new Error(`The provider never came back from ${url.href}`)
}

type PageTokens = { id_token: string; access_token: string; refresh_token?: string; error?: string }
const verifier = 'a-verifier-that-nobody-else-has-seen-before-this-test'

/** Signs somebody in as the page does, whose library sends its forms to `post`; `error` is set for a refusal. */
export async function signInOnPage(
  { origin, env }: Pick<OpenIdProvider, 'origin' | 'env'>,
  redirectUri: string,
  name: string,
  post: (form: URLSearchParams) => Promise<Response>,
): Promise<{ status: number; tokens: PageTokens }> {
  const parameters = {
    response_type: 'code',
    client_id: env.OIDC_CLIENT_ID,
    redirect_uri: redirectUri,
    scope: env.OIDC_SCOPE,
    state: 'state-of-the-test',
    nonce: 'nonce-of-the-test',
    code_challenge: new Bun.CryptoHasher('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }
  const back = await visitProvider(`${origin}/auth?${new URLSearchParams(parameters)}`, redirectUri, name)
  const response = await post(
    new URLSearchParams({
      grant_type: 'authorization_code',
      code: back.searchParams.get('code')!,
      redirect_uri: redirectUri,
      client_id: env.OIDC_CLIENT_ID,
      code_verifier: verifier,
    }),
  )
  return { status: response.status, tokens: (await response.json()) as PageTokens }
}
