import { expect } from 'bun:test'
import { basic, startClock, startTestApp, temporaryFolder, withPasswords } from './app'
import { rss } from './builders'
import { startFeedHost } from './feed-host'
import type { Random } from './random'
import type { Media, SaidAction, Wire } from './simulated-app'
import type { Reference } from './sync-reference'

export type SyncWorld = Awaited<ReturnType<typeof startSyncWorld>>

export const TOTAL = 600
const password = 'Sup3rSecret'

/** No answer came; what was asked may have arrived. */
export class Offline extends Error {
  override name = 'Offline'
}

/**
 * A server with a clock of its own, feeds, a browser, and a network that may be bad. What arrives at the server is told to the
 * reference, and what happens is noted in `trace`.
 */
export async function startSyncWorld(random: Random, reference: Reference, trace: string[]) {
  const host = startFeedHost()
  const clock = startClock()
  // The server's clock beside that of the world, in milliseconds.
  let serverAhead = 0
  const now = () => clock() + serverAhead
  const folder = temporaryFolder()
  const startServer = async () => {
    const app = await startTestApp({ env: { ...withPasswords, ALLOWED_NETWORKS: '127.0.0.0/8' }, folder, now })
    app.prefill(0)
    return { app, browser: app.as('root', password) }
  }
  let server = await startServer()
  let network: 'good' | 'bad' = 'good'
  const note = (text: string) => void trace.push(`${new Date(now()).toISOString().slice(5, 23)} ${text}`)

  // Two feeds that the library has, one that it gets some time, one that it never gets.
  const feeds = ['one', 'two', 'late', 'never'].map(name => {
    const guids = [`${name}-0`, `${name}-1`]
    const items = guids.map(guid => ({ guid, enclosure: `https://cdn.example/${guid}.mp3`, duration: String(TOTAL) }))
    const url = host.feed(`/${name}.xml`, rss({ title: name, items }))
    const media = items.map(({ guid, enclosure }): Media => ({ feed: url, url: enclosure, guid, total: TOTAL }))
    return { url, media }
  })
  const library = new Map<string, { podcastId: string; eids: ReadonlyMap<string, string> }>()

  async function favour(url: string, favoured: boolean) {
    reference.tick(now())
    reference.subscribe(url, favoured)
    await server.browser.podcasts.favour(library.get(url)!.podcastId, favoured)
  }

  /** The path, and what the answer says; the cookie of the first is good for all. */
  function lineOf(name: string) {
    let cookie: string | null = null
    return async (method: string, path: string, body?: unknown): Promise<unknown> => {
      reference.tick(now())
      if (Array.isArray(body)) for (const action of body as SaidAction[]) reference.upload(name, action)
      else if (body !== undefined) {
        const { add, remove } = body as { add: string[]; remove: string[] }
        for (const url of add) reference.subscribe(url, true)
        for (const url of remove) reference.subscribe(url, false)
      }
      const response = await server.app.fetch(path, {
        method,
        headers: cookie === null ? { Authorization: basic('root', password) } : { Cookie: cookie },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      cookie = /sessionid=[^;]+/.exec(response.headers.get('set-cookie') ?? '')?.[0] ?? cookie
      const text = await response.text()
      note(`${name} ${method} ${path} ${body === undefined ? '' : JSON.stringify(body)} → ${text}`)
      expect(response.status).toBe(200)
      return JSON.parse(text) as unknown
    }
  }

  return {
    feeds,
    allMedia: feeds.flatMap(({ media }) => media),
    library,
    now,
    /** The time that it really is. */
    clock,
    note,
    favour,
    setServerBack: (ms: number) => void (serverAhead -= ms),
    setNetwork: (to: 'good' | 'bad') => void (network = to),

    /** Requests that may get lost on their way, or the answer, or arrive twice. */
    wireOf(name: string): Wire {
      const deliver = lineOf(name)
      return async (method, path, body) => {
        const luck =
          network === 'good' ? 'fine' : random.weighted({ fine: 80, twice: 8, unanswered: 8, unreachable: 4 })
        if (luck === 'unreachable') throw new Offline()
        const answer = await deliver(method, path, body)
        if (luck === 'unanswered') throw new Offline()
        return luck === 'twice' ? deliver(method, path, body) : answer
      }
    },
    addDevice: (device: string) =>
      server.app.fetch(`/api/2/devices/root/${device}.json`, {
        method: 'POST',
        headers: { Authorization: basic('root', password) },
        body: '{}',
      }),

    async addToLibrary(url: string) {
      const { id } = await server.browser.podcasts.add(url)
      const { data } = await server.browser.podcasts.episodes(id, {}, null)
      const eids = data.map(({ podcastEpisode }) => [podcastEpisode.url, podcastEpisode.episode_id] as const)
      library.set(url, { podcastId: id, eids: new Map(eids) })
      await favour(url, true)
    },
    /** By the browser; without a time, or as one that was offline so long ago. */
    async report(media: Media, position: number, secondsAgo: number | null, finished?: boolean) {
      const saidMs = secondsAgo === null ? null : clock() - secondsAgo * 1000
      if (reference.report(media.url, saidMs, now(), position)) reference.tick(now())
      await server.browser.playback.save({
        podcastEpisodeId: library.get(media.feed)!.eids.get(media.url)!,
        time: position,
        total: media.total,
        ...(saidMs !== null && { timestamp: new Date(saidMs).toISOString() }),
        ...(finished !== undefined && { finished }),
      })
    },
    favourites: async () =>
      (await server.browser.podcasts.list()).flatMap(({ id, favorites }) => (favorites ? [id] : [])).sort(),

    /** What the server has on record: of subscriptions, and of the library's episodes by the address of their media. */
    record() {
      const { users, sync, playback, episodes } = server.app.context.store
      const userId = users.findByName('root')!.id
      const eids = [...library.values()].flatMap(podcast => [...podcast.eids])
      const positions = eids.map(([url, eid]) => {
        const row = playback.find(userId, episodes.findByEid(eid)!.id)
        const place = row && { atMs: row.updated_at, position: row.position }
        return { url, place, finished: row?.finished === 1 }
      })
      return {
        positions,
        subscriptions: sync
          .subscriptions(userId)
          .map(({ url }) => url)
          .sort(),
      }
    },
    async restart() {
      note('restart')
      await server.app[Symbol.asyncDispose]()
      server = await startServer()
    },
    async [Symbol.asyncDispose]() {
      await server.app[Symbol.asyncDispose]()
      host.stop()
    },
  }
}
