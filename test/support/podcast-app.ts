import { basic, goodPassword, startClock, startTestApp, withPasswords, type TestApp } from './app'
import { startFeedHost } from './feed-host'

export const fog = 'https://feeds.example/fog.xml'
export const lamps = 'https://feeds.example/lamps.xml'
export const one = 'https://cdn.example/one.mp3'

export type Action = Record<string, unknown> & { podcast: string; episode: string; action: string; timestamp: string }
type Options = { body?: unknown; headers?: Record<string, string> }

/** A podcast app's calls, in both dialects: with a password, unless it is given other headers to show. */
export function appOf(app: TestApp, username: string, password = goodPassword) {
  async function call(method: string, path: string, options: Options = {}) {
    const { body, headers = { Authorization: basic(username, password) } } = options
    const isRaw = typeof body === 'string' || body instanceof Uint8Array
    const response = await app.fetch(path, {
      method,
      headers,
      ...(body !== undefined && { body: isRaw ? (body as string) : JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      text,
      get json() {
        return JSON.parse(text) as unknown
      },
      headers: response.headers,
      cookie: /sessionid=([^;]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1] ?? null,
    }
  }
  const user = encodeURIComponent(username)
  const actions = (query = '') => call('GET', `/api/2/episodes/${user}.json?${query}`)
  const cloud = (method: string, path: string, body?: unknown) =>
    call(method, `/index.php/apps/gpoddersync/${path}`, body === undefined ? {} : { body })
  return {
    call,
    devices: (options?: Options) => call('GET', `/api/2/devices/${user}.json`, options),
    saveDevice: (device: string, body: unknown, method = 'POST') =>
      call(method, `/api/2/devices/${user}/${device}.json`, { body }),
    changes: (device: string, since = 0) => call('GET', `/api/2/subscriptions/${user}/${device}.json?since=${since}`),
    subscribe: (device: string, add: string[], remove: string[] = []) =>
      call('POST', `/api/2/subscriptions/${user}/${device}.json`, { body: { add, remove } }),
    put: (device: string, format: string, body: string) =>
      call('PUT', `/subscriptions/${user}/${device}.${format}`, { body }),
    list: async (device: string) => (await call('GET', `/subscriptions/${user}/${device}.json`)).json as string[],
    upload: (actions: unknown) => call('POST', `/api/2/episodes/${user}.json`, { body: actions }),
    actions,
    /** The episode actions it receives. */
    received: async (query = '') => (await actions(query)).json as { actions: Action[]; timestamp: number },
    /** The same in Nextcloud's dialect. */
    cloud,
    toldByCloud: async (query = '') =>
      ((await cloud('GET', `episode_action?${query}`)).json as { actions: Action[] }).actions,
  }
}

export const play = (position: number, more: object = {}) => ({
  podcast: fog,
  episode: one,
  action: 'play',
  device: 'phone',
  timestamp: '2026-05-01T10:00:00',
  started: 0,
  position,
  total: 600,
  ...more,
})

/** A moment as actions have it. */
export const textOf = (ms: number) => new Date(ms).toISOString().slice(0, 19)

/** Alice with her phone; `env` beside the passwords. */
export async function start(env: Record<string, string> = {}) {
  const now = startClock()
  const app = await startTestApp({ env: { ...withPasswords, ...env }, now })
  const user = await app.signUp('alice')
  return { app, now, user, alice: appOf(app, 'alice'), [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

/** A library that can fetch feeds, its owner in the browser, and the owner's phone. */
export async function startLibrary() {
  const host = startFeedHost()
  const now = startClock()
  const app = await startTestApp({ env: { ...withPasswords, ALLOWED_NETWORKS: '127.0.0.0/8' }, now })
  app.prefill(0)
  return {
    host,
    now,
    app,
    root: app.as('root', withPasswords.PASSWORD),
    phone: appOf(app, 'root', withPasswords.PASSWORD),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host.stop()
    },
  }
}

/** Nextcloud's login flow as an app goes through it; its user opens the page of `id`. */
export async function beginLoginFlow(app: TestApp, agent: string, path = '/index.php/login/v2') {
  const post = (path: string, body: string, type: string) =>
    app.fetch(path, { method: 'POST', body, headers: { 'Content-Type': type, 'User-Agent': agent } })
  const begun = (await (await post(path, '', 'text/plain')).json()) as {
    poll: { token: string; endpoint: string }
    login: string
  }
  const { pathname } = new URL(begun.poll.endpoint)
  const { token } = begun.poll
  return {
    ...begun,
    id: begun.login.split('/').at(-1)!,
    pollAsForm: () => post(pathname, `token=${token}`, 'application/x-www-form-urlencoded'),
    pollAsJson: () => post(pathname, JSON.stringify({ token }), 'application/json'),
  }
}
export type Granted = { server: string; loginName: string; appPassword: string }
