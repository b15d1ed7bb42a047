import { createApi } from '../../src/ui/api'
import { createAdministrationApi } from '../../src/ui/api/administration'
import { ApiError, createClient } from '../../src/ui/api/client'

export const account = { username: 'mara', password: 'Sup3rSecret' }
export const environment = {
  DISK_RESERVE: '0',
  BASIC_AUTH: 'true',
  USERNAME: account.username,
  PASSWORD: account.password,
  MAX_PARALLEL_DOWNLOADS: '6',
  ALLOWED_NETWORKS: '127.0.0.0/8',
}

/** Each request gets a connection of its own: one that is kept alive would look like a leak. */
const anew = { keepalive: false }

export type Server = ReturnType<typeof connectTo>

/** A server as its owner, or somebody else, sees it: in the browser, in podcast apps, and in a player. */
export function connectTo(origin: string, { username, password } = account) {
  const authorization = `Basic ${btoa(`${username}:${password}`)}`
  const client = createClient(origin, { fetch: request => fetch(request, anew), authorization: () => authorization })

  /** Paths of the gPodder API and of Nextcloud's. Throws `ApiError`. */
  async function sync<T>(path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${origin}${path}`, {
      ...anew,
      method: body === undefined ? 'GET' : 'POST',
      headers: { Authorization: authorization },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new ApiError(response.status, 'sync', text)
    return JSON.parse(text) as T
  }

  return {
    origin,
    authorization,
    ...createApi(client),
    ...createAdministrationApi(client),
    sync,
    async subscriptions(device: string): Promise<string[]> {
      const path = `/api/2/subscriptions/${username}/${device}.json?since=0`
      const unlessMissing = (error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return { add: [] }
        throw error
      }
      return (await sync<{ add: string[] }>(path).catch(unlessMissing)).add
    },
    media: (eid: string, from: number, to: number) =>
      fetch(`${origin}/media/${eid}.mp3`, {
        ...anew,
        headers: { Authorization: authorization, Range: `bytes=${from}-${to}` },
      }),
    cover: (podcastId: string, size: number) =>
      fetch(`${origin}/covers/podcasts/${podcastId}?size=${size}`, {
        ...anew,
        headers: { Authorization: authorization },
      }),
  }
}
