import { expect } from 'bun:test'
import { basic, type TestApp } from './app'
import { appAt, login } from './audiobookshelf-app'
import { appOf, beginLoginFlow, type Granted } from './podcast-app'
import { connect } from './socket'

/** The calls open to strangers, and no others: every new route must ask who is there. */
export const forStrangers = [
  /^GET \/(healthz|readyz|api-docs|api-docs\/openapi\.json|ui|ui\/|ui\/\*|ui\/assets\/:name|ui\/public\/.*|clientconfig\.json|)$/,
  /^GET \/api\/v1\/(sys\/config|sys\/openid|invites\/:id)$/,
  /^POST \/api\/v1\/(login|login\/passkey|login\/passkey\/options|users|sys\/openid\/(token|revoke|logout))$/,
  /^GET \/(status|ping|healthcheck)$/,
  /^GET \/help(\/|\/:name)?$/,
  /^GET \/clip\/:code(\/(audio|cover))?$/,
  /^POST \/(login|logout)$/,
  // Who speaks there says so in a message.
  /^(GET|POST|WS) \/socket\.io\/$/,
]

/** Lists the routes that only those who signed in may call. */
export function protectedRoutes(app: TestApp) {
  const all = app.app.routes.map(({ method, path }) => ({ method, path }))
  const found = all.filter(({ method, path }) => !forStrangers.some(open => open.test(`${method} ${path}`)))
  expect(all.length - found.length).toBeLessThan(35)
  expect(found.length).toBeGreaterThan(120)
  return found.filter(({ method }) => method !== 'WS')
}

/** Fills the variables of a route's path. */
export const filled = (path: string) => path.replace(/:\w+/g, 'x').replace('*', 'x')

/** Keys in addresses may be guessed here as often as we like. */
export const unhindered = {
  freeFailures: 9e9,
  maxFailuresPerPair: 9e9,
  maxFailuresPerAddress: 9e9,
  freeFailuresOfStrangers: 9e9,
  firstPauseMs: 1,
  longestPauseMs: 1,
}

export const json = { 'Content-Type': 'application/json' }
export const newKey = () => crypto.randomUUID().replaceAll('-', '')

/** Signs somebody in by everything there is; `works` tells which of these still do. */
export async function everyWayIn(app: TestApp, origin: string, name: string) {
  const { row, authorization, users } = await app.signUp(name)
  const headers = { Authorization: authorization! }
  const started = await app.fetch('/api/v1/session', { method: 'POST', headers })
  const Cookie = started.headers.get('set-cookie')!.split(';')[0]!
  const apiKey = newKey()
  await users.edit(name, { apiKey })
  const phone = appOf(app, name)
  const { cookie } = await phone.devices()
  const flow = await beginLoginFlow(app, 'Phone')
  await app.fetch(`/api/v1/access-requests/${flow.id}/grant`, { method: 'POST', headers })
  const { appPassword } = (await (await flow.pollAsForm()).json()) as Granted
  const feedKey = app.context.feedKeys.of(row)
  const { accessToken } = (await login(app, name)).json.user
  const socket = await connect(origin, { Cookie, Origin: origin })
  expect(socket.isOpen).toBe(true)
  const ok = async (path: string, headers: Record<string, string> = {}) =>
    (await app.fetch(path, { headers })).status !== 401
  const sync = `/api/2/devices/${name}.json`
  return {
    name,
    users,
    authorization: authorization!,
    Cookie,
    async works() {
      return {
        password: await ok('/api/v1/users/me', headers),
        cookie: await ok('/covers/podcasts/x', { Cookie }),
        apiKey: await ok('/api/v1/users/me', { Authorization: `Bearer ${apiKey}` }),
        feedKey: await ok('/covers/podcasts/x?apiKey=' + feedKey),
        syncCookie: await ok(sync, { Cookie: `sessionid=${cookie}` }),
        appPassword: await ok(sync, { Authorization: basic(name, appPassword) }),
        appToken: (await appAt(app, accessToken).get('/api/me')).status === 200,
        socket: socket.socket.readyState === WebSocket.OPEN,
      }
    },
    socket,
  }
}
