import { appPaths, SOCKET_PATH } from '../../src/server/http/apps/audiobookshelf/protocol'
import { goodPassword, type TestApp } from './app'

/** Whether a route is one of these apps; `docs/internals/permissions.md` lists their calls by themselves. */
export const isAudiobookshelf = (path: string) => appPaths.includes(path) || path === SOCKET_PATH

export type Answer = { status: number; text: string; json: any; headers: Headers }
type Options = { body?: unknown; headers?: Record<string, string> }

/** Calls of an app of Audiobookshelf; `token` is shown with each while it is not null. */
export function appAt(server: TestApp, token: string | null = null) {
  async function call(method: string, path: string, { body, headers }: Options = {}): Promise<Answer> {
    const response = await server.fetch(path, {
      method,
      headers: {
        ...(token !== null && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      text,
      get json(): any {
        return JSON.parse(text)
      },
      headers: response.headers,
    }
  }
  return {
    token,
    call,
    get: (path: string, headers?: Record<string, string>) => call('GET', path, { ...(headers && { headers }) }),
    post: (path: string, body?: unknown) => call('POST', path, { body }),
    patch: (path: string, body?: unknown) => call('PATCH', path, { body }),
    delete: (path: string) => call('DELETE', path),
  }
}
export type AppClient = ReturnType<typeof appAt>

/** Signs in as the official app does. */
export const login = (server: TestApp, username: string, password = goodPassword) =>
  appAt(server).call('POST', '/login', { body: { username, password }, headers: { 'x-return-tokens': 'true' } })

/** An app that is signed in. */
export async function signedInApp(server: TestApp, username: string, password = goodPassword): Promise<AppClient> {
  const { json } = await login(server, username, password)
  return appAt(server, json.user.accessToken)
}
