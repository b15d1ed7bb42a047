import { expect } from 'bun:test'
import { basic, goodPassword, startClock, startTestApp, temporaryFolder, withPasswords } from './app'
import { rss } from './builders'
import { startFeedHost } from './feed-host'
import { startPlayerReference } from './player-reference'
import { startPlayerWire } from './player-wire'
import type { Playable, PlayerWire } from './simulated-player'
import type { Random } from './random'
import type { Media, SaidAction, Wire } from './simulated-app'
import { Offline } from './offline'
import { startMarks } from './sync-marks'
import { startReference } from './sync-reference'

export type SyncWorld = Awaited<ReturnType<typeof startSyncWorld>>

export const TOTAL = 600
/** A podcast of the library, and both ids of its episodes by the address of their media. */
type InLibrary = { podcastId: string; eids: ReadonlyMap<string, string>; ids: ReadonlyMap<string, string> }
const password = 'Sup3rSecret'

/**
 * A server with a clock of its own, feeds, a browser, and a network that may be bad. What arrives at the server is told
 * to the reference, and what happens is noted in `trace`.
 */
export async function startSyncWorld(random: Random, trace: string[]) {
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
  const feedKey = (await server.browser.users.me()).feedKey!
  const { row: neighbour } = await server.app.signUp('neighbour')
  const neighbours = new Set<string>()
  let network: 'good' | 'bad' = 'good'
  const note = (text: string) => void trace.push(`${new Date(now()).toISOString().slice(5, 23)} ${text}`)

  // Two feeds that the library has, one that it gets some time, one that it never gets.
  const feeds = ['one', 'two', 'late', 'never'].map(name => {
    // Their second episode has no guid, and the feed does not say how long it is.
    const items = [
      { guid: `${name}-0`, enclosure: `https://cdn.example/${name}-0.mp3`, duration: String(TOTAL) },
      { guid: null, enclosure: `https://cdn.example/${name}-1.mp3` },
    ]
    const url = host.feed(`/${name}.xml`, rss({ title: name, items }))
    const media = items.map(({ guid, enclosure, duration }): Media => ({
      feed: url,
      url: enclosure,
      guid,
      total: TOTAL,
      hasLength: duration !== undefined,
      privately: null,
    }))
    return { url, media }
  })
  const allMedia = feeds.flatMap(({ media }) => media)
  const reference = startReference(address => {
    const media = allMedia.find(({ privately }) => privately?.feed === address || privately?.url === address)
    if (!media) return { url: address, isPrivate: false }
    return { url: media.privately!.feed === address ? media.feed : media.url, isPrivate: true }
  })
  const published = (address: string) => allMedia.find(({ privately }) => privately?.feed === address)?.feed ?? address
  const library = new Map<string, InLibrary>()
  for (const { url, hasLength } of allMedia) if (hasLength) reference.measure(url)
  const players = startPlayerReference(reference)
  const playables = (): Playable[] =>
    [...library.values()].flatMap(({ podcastId, ids }) =>
      [...ids.values()].map(episode => ({ podcast: podcastId, episode, total: TOTAL })),
    )
  const urlOf = (episode: string) =>
    [...library.values()].flatMap(({ ids }) => [...ids]).find(([, id]) => id === episode)?.[0] ?? null

  async function favour(url: string, favoured: boolean) {
    reference.tick(now())
    reference.favour(url, favoured)
    await server.browser.podcasts.favour(library.get(url)!.podcastId, favoured)
  }

  /** An app password, as Nextcloud's apps get theirs. */
  function grant(app: string): string {
    const { appPasswords, store } = server.app.context
    const { token, id } = appPasswords.begin(app)
    appPasswords.grant(id, store.users.findByName('root')!)
    return appPasswords.claim(token)!.password
  }

  /**
   * The path, and what the answer says; the cookie of the first is good for all but where an app has a password of its
   * own.
   */
  function lineOf(name: string, ownPassword: string | null) {
    let cookie: string | null = null
    return async (method: string, path: string, body?: unknown): Promise<unknown> => {
      reference.tick(now())
      if (Array.isArray(body)) for (const action of body as SaidAction[]) reference.upload(name, action)
      else if (body !== undefined) {
        const { add, remove } = body as { add: string[]; remove: string[] }
        for (const url of remove) reference.unsubscribe(url)
        for (const url of add) reference.subscribe(url)
      }
      const response = await server.app.fetch(path, {
        method,
        headers:
          cookie === null || ownPassword !== null
            ? { Authorization: basic('root', ownPassword ?? password) }
            : { Cookie: cookie },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      cookie = /sessionid=[^;]+/.exec(response.headers.get('set-cookie') ?? '')?.[0] ?? cookie
      const text = await response.text()
      note(`${name} ${method} ${path} ${body === undefined ? '' : JSON.stringify(body)} → ${text}`)
      expect(response.status).toBe(200)
      return JSON.parse(text) as unknown
    }
  }

  const overNetwork =
    <Args extends unknown[], Answer>(deliver: (...args: Args) => Promise<Answer>) =>
    async (...args: Args): Promise<Answer> => {
      const luck = network === 'good' ? 'fine' : random.weighted({ fine: 80, twice: 8, unanswered: 8, unreachable: 4 })
      if (luck === 'unreachable') throw new Offline()
      const answer = await deliver(...args)
      if (luck === 'unanswered') throw new Offline()
      return luck === 'twice' ? deliver(...args) : answer
    }

  const marks = startMarks({
    server: () => server.app,
    password,
    token: grant('marks'),
    podcasts: () => [...library.values()].map(({ podcastId: id, ids }) => ({ id, episodes: [...ids.values()] })),
    overNetwork: overNetwork<[], void>,
    note,
  })

  return {
    feeds,
    allMedia,
    marks,
    /** The phone of a second account subscribes, or no longer does: nobody else's list changes. */
    async useNeighbour() {
      const { url } = random.pick(feeds)
      const isOn = neighbours.has(url)
      note(`neighbour ${isOn ? 'unsubscribes' : 'subscribes'} ${url}`)
      reference.tick(now())
      const { status } = await server.app.fetch('/api/2/subscriptions/neighbour/phone.json', {
        method: 'POST',
        headers: { Authorization: basic('neighbour', goodPassword) },
        body: JSON.stringify(isOn ? { add: [], remove: [url] } : { add: [url], remove: [] }),
      })
      expect(status).toBe(200)
      if (isOn) neighbours.delete(url)
      else neighbours.add(url)
    },
    /** The subscriptions of the second account, as the server has them and as they should be. */
    neighbour: () => ({
      stored: server.app.context.store.sync
        .subscriptions(neighbour.id)
        .map(({ url }) => url)
        .sort(),
      wanted: [...neighbours].sort(),
    }),
    reference,
    library,
    /** The publisher's address of a feed. */
    published,
    now,
    /** The time that it really is. */
    clock,
    note,
    favour,
    setServerBack: (ms: number) => void (serverAhead -= ms),
    setNetwork: (to: 'good' | 'bad') => void (network = to),

    /** Requests that may get lost on their way, or the answer, or arrive twice. */
    wireOf(name: string, hasOwnPassword: boolean): Wire {
      return overNetwork(lineOf(name, hasOwnPassword ? grant(name) : null))
    },
    /** The same for an app that holds sessions, and where it sees its user in the end. */
    async playerWireOf(name: string) {
      const needs = { server: () => server.app, password, reference, players, now, urlOf, note }
      const { deliver, places } = await startPlayerWire(name, needs)
      return { wire: overNetwork<Parameters<PlayerWire>, Awaited<ReturnType<PlayerWire>>>(deliver), places }
    },
    playables,
    addDevice: (device: string) =>
      server.app.fetch(`/api/2/devices/root/${device}.json`, {
        method: 'POST',
        headers: { Authorization: basic('root', password) },
        body: '{}',
      }),

    async addToLibrary(url: string) {
      const { id, podfetch_feed } = await server.browser.podcasts.add(url)
      const { data } = await server.browser.podcasts.episodes(id, {}, null)
      const eids = data.map(({ podcastEpisode }) => [podcastEpisode.url, podcastEpisode.episode_id] as const)
      const ids = data.map(({ podcastEpisode }) => [podcastEpisode.url, podcastEpisode.id] as const)
      library.set(url, { podcastId: id, eids: new Map(eids), ids: new Map(ids) })
      // The addresses in our private feed.
      for (const { podcastEpisode } of data) {
        const address = `http://localhost/media/${podcastEpisode.episode_id}.mp3?apiKey=${feedKey}`
        const media = allMedia.find(known => known.url === podcastEpisode.url)!
        media.privately = { feed: podfetch_feed, url: address, guid: podcastEpisode.guid }
      }
      await favour(url, true)
    },
    /** By the browser; without a time, or as one that was offline so long ago. */
    async report(media: Media, position: number, secondsAgo: number | null, finished?: boolean) {
      const saidMs = secondsAgo === null ? null : clock() - secondsAgo * 1000
      const reported = { saidMs, position, total: media.total, finished: position >= media.total }
      if (reference.report(media.url, now(), reported)) reference.tick(now())
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

    /** The server's record: subscriptions, and positions of the library's episodes by the address of their media. */
    record() {
      const { users, sync, playback, episodes } = server.app.context.store
      const userId = users.findByName('root')!.id
      const eids = [...library.values()].flatMap(podcast => [...podcast.eids])
      const positions = eids.map(([url, eid]) => {
        const row = playback.find(userId, episodes.findByEid(eid)!.id)
        const place = row && { atMs: row.updated_at, position: row.position, finished: row.finished === 1 }
        return { url, place }
      })
      return {
        positions,
        subscriptions: sync
          .subscriptions(userId)
          .map(({ url }) => published(url))
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
