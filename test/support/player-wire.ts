import { expect } from 'bun:test'
import type { TestApp } from './app'
import { appAt, login, type AppClient } from './audiobookshelf-app'
import type { PlayerReference, ToldChange, ToldSession } from './player-reference'
import type { PlayerAnswer } from './simulated-player'
import type { Reference } from './sync-reference'

type Needs = {
  server: () => TestApp
  password: string
  reference: Reference
  players: PlayerReference
  now: () => number
  /** The publisher's address of an episode's media; null = nothing known. */
  urlOf: (episode: string) => string | null
  note: (text: string) => void
}
type Delivered = { method: string; path: string; body: unknown; answer: PlayerAnswer; name: string }

/** Delivers requests of an app that renews its access by itself, and tells the reference what arrived. */
export async function startPlayerWire(name: string, needs: Needs) {
  const { server, password, now, note } = needs
  let tokens = (await login(server(), 'root', password)).json.user as { accessToken: string; refreshToken: string }
  const open = new Set<string>()

  async function send(request: (app: AppClient) => ReturnType<AppClient['call']>) {
    const answer = await request(appAt(server(), tokens.accessToken))
    if (answer.status !== 401) return answer
    const headers = { 'x-refresh-token': tokens.refreshToken }
    tokens = (await appAt(server()).call('POST', '/auth/refresh', { headers })).json.user
    return request(appAt(server(), tokens.accessToken))
  }

  return {
    async deliver(method: string, path: string, body?: unknown): Promise<PlayerAnswer> {
      const isKnown = method === 'DELETE' && (await isBegun(needs, path))
      const { status, text } = await send(app => app.call(method, path, body === undefined ? {} : { body }))
      note(
        `${name} ${method} ${path} ${body === undefined ? '' : JSON.stringify(body)} → ${status} ${text.slice(0, 80)}`,
      )
      const answer = { status, json: text.startsWith('{') ? JSON.parse(text) : null }
      if (method === 'DELETE') expect(status).toBe(isKnown ? 200 : 404)
      if (take(needs, open, { method, path, body, answer, name })) needs.reference.tick(now())
      return answer
    },
    /** The user's positions as the app sees them, by the address of the media. */
    async places() {
      const { json } = await send(app => app.get('/api/me/progress'))
      const { mediaProgress } = json as {
        mediaProgress: { episodeId: string; currentTime: number; isFinished: boolean }[]
      }
      return new Map(
        mediaProgress.map(({ episodeId, currentTime, isFinished }) => [
          needs.urlOf(episodeId)!,
          isFinished ? 'finished' : currentTime,
        ]),
      )
    },
  }
}

async function isBegun({ reference, urlOf }: Needs, path: string): Promise<boolean> {
  const known = reference.position(urlOf(path.split('/').at(-1)!)!)
  return known !== null && (known.finished || known.position > 0)
}

/** Applies a request that arrived to the reference; answers whether a position counts by it. */
function take(needs: Needs, open: Set<string>, { method, path, body, answer, name }: Delivered): boolean {
  const { reference, players, urlOf } = needs
  const nowMs = needs.now()
  const { status, json } = answer
  const [, , area, id = '', word] = path.split('/')
  const of = (episode: string) => urlOf(episode)!

  if (area === 'items') {
    const known = reference.position(of(path.split('/').at(-1)!))
    expect({ name, status, start: json.startTime }).toEqual({
      name,
      status: 200,
      start: known && !known.finished ? known.position : 0,
    })
    for (const other of open) players.end(other)
    open.add(json.id)
    players.begin(json.id, nowMs, json.startTime, json.episodeId)
    return false
  }
  if (word === 'sync' || word === 'close') {
    expect({ name, path, status }).toEqual({ name, path, status: players.isOpen(id, nowMs) ? 200 : 404 })
    if (status === 404) return false
    const isNews = body !== undefined && players.sync(of(players.episodeOf(id)), id, nowMs, body as never)
    if (word === 'close') players.end(id)
    return isNews
  }
  if (method === 'DELETE') return status === 200 && players.remove(of(id === 'progress' ? word! : id), nowMs)
  expect({ name, path, status }).toEqual({ name, path, status: 200 })
  if (area === 'session') {
    const { sessions } = body as { sessions: ToldSession[] }
    const counted = sessions.map(session => players.offline(of(session.episodeId), nowMs, session))
    expect(json.results.map(({ progressSynced }: { progressSynced: boolean }) => progressSynced)).toEqual(counted)
    return counted.includes(true)
  }
  const changes = Array.isArray(body)
    ? (body as (ToldChange & { episodeId: string })[])
    : [{ ...(body as ToldChange), episodeId: path.split('/').at(-1)! }]
  return changes
    .filter(({ episodeId }) => urlOf(episodeId) !== null)
    .map(change => players.change(of(change.episodeId), nowMs, change))
    .includes(true)
}
