import type { TestApp } from '../app'
import { createApi } from '../../../src/ui/api'
import { createAdministrationApi } from '../../../src/ui/api/administration'
import { createClient } from '../../../src/ui/api/client'
import type { FeedHost } from '../feed-host'
import type { OpenIdProvider } from '../openid-provider'
import { signInOnPage } from '../openid-visitor'
import { rss } from '../builders'

export const admin = { username: 'root', password: 'Sup3rSecret' }
export const redirectUri = 'http://localhost/ui/'

/** Every way to sign in at once; `provider` is a real one. */
export const envOf = (provider: OpenIdProvider) => ({
  BASIC_AUTH: 'true',
  USERNAME: admin.username,
  PASSWORD: admin.password,
  ...provider.env,
  REVERSE_PROXY: 'true',
  REVERSE_PROXY_HEADER: 'Remote-User',
  REVERSE_PROXY_AUTO_SIGN_UP: 'true',
  ALLOWED_NETWORKS: '127.0.0.0/8',
  DISK_RESERVE: '0',
})

/** A server in which people act, in memory or as the executable. */
export type World = {
  /** Where its pages are, for passkeys. */
  origin: string
  fetch: (request: Request) => Promise<Response>
  now: () => number
  provider: OpenIdProvider
  host: FeedHost
  /** Secrets that were typed or issued; no row and no line may contain them. */
  secrets: string[]
  /** The server in memory; null for the executable. */
  memory: { app: TestApp; advance: (ms: number) => void; restart: (between: () => void) => Promise<void> } | null
}

export const basicOf = (username: string, password: string) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

/** Notes a secret, and returns it. */
export function secret(world: World, text: string): string {
  world.secrets.push(text)
  return text
}

/** Somebody at an address, with a cookie and perhaps a header that signs in. */
export function visitor(world: World, address: string, authorization: string | null = null) {
  let cookie = ''
  async function send(request: Request): Promise<Response> {
    request.headers.set('X-Forwarded-For', address)
    request.headers.set('User-Agent', 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0')
    if (cookie) request.headers.set('Cookie', cookie)
    const response = await world.fetch(request)
    cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie
    return response
  }
  const client = createClient('', { fetch: send, authorization: () => authorization })
  return {
    /** Sends a request without the client of the interface; a body is sent as JSON. */
    send: (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      send(
        new Request(`http://localhost${path}`, {
          method,
          headers: {
            ...(authorization !== null && { Authorization: authorization }),
            ...(body !== undefined && { 'Content-Type': 'application/json' }),
            'X-Requested-With': 'castellan',
            ...headers,
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      ),
    ...createApi(client),
    ...createAdministrationApi(client),
  }
}
export type Visitor = ReturnType<typeof visitor>

export const asAdmin = (world: World, from: string) => visitor(world, from, basicOf(admin.username, admin.password))

/** A new account, by way of an invitation. */
export async function newPerson(world: World, name: string, from = '198.51.100.1') {
  const { id } = await asAdmin(world, from).invites.create({ role: 'uploader', explicitConsent: false })
  const password = secret(world, `Pw-${crypto.randomUUID()}`)
  const user = await visitor(world, from).users.signUp({ username: name, password, inviteId: id })
  return {
    id: user.id,
    name,
    password,
    /** With the password in a header. */
    at: (address: string) => visitor(world, address, basicOf(name, password)),
    /** Signed in on the page. */
    async signedInAt(address: string) {
      const browser = visitor(world, address, basicOf(name, password))
      await browser.session.login({ username: name, password })
      return browser
    },
  }
}
export type Person = Awaited<ReturnType<typeof newPerson>>

/** A podcast that a host has. */
export const feedOf = (world: World, title: string) =>
  world.host.feed(`/${encodeURIComponent(title)}.xml`, rss({ title, items: [{ guid: title }] }))

/** The ID token that a browser gets from the provider. */
export async function tokenOf(world: World, name: string, from: string): Promise<string> {
  const { tokens } = await signInOnPage(world.provider, redirectUri, name, form =>
    world.fetch(
      new Request('http://localhost/api/v1/sys/openid/token', {
        method: 'POST',
        headers: { 'X-Forwarded-For': from },
        body: form,
      }),
    ),
  )
  return tokens.id_token
}
