import { expect, test } from 'bun:test'
import type { EpisodeWrapper } from '../../../src/shared/api/episode'
import type { Progress } from '../../../src/shared/api/history'
import { MINUTE, SECOND } from '../../../src/server/platform/clock'
import { frameOf } from '../../../src/server/http/api/frames'
import { ApiError } from '../../../src/ui/api/client'
import { playInOneTab } from '../../../src/ui/device/media-session'
import { createMediaEngine } from '../../../src/ui/playback/engine'
import { createPlayer } from '../../../src/ui/playback/player'
import { noPreferences } from '../../../src/ui/playback/state'
import { createPendingProgress } from '../../../src/ui/state/pending-progress'
import { startClock, startTestApp, type TestApp } from '../../support/app'
import { rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { createMediaElement, type HostKind } from '../../support/media-element'
import { createMemoryStorage } from '../../support/memory-storage'
import { type Random, startRandom } from '../../support/random'
import { settled } from '../../support/settled'

Object.assign(globalThis, { MediaError: { MEDIA_ERR_NETWORK: 2 } })

/** The feed says ten minutes of each. */
const hosts: Record<string, HostKind> = {
  'with ranges': { length: 600, says: 600, hasParts: true },
  'without ranges': { length: 600, says: 600, hasParts: false },
  'without a length': { length: 600, says: Infinity, hasParts: true },
  'without either': { length: 600, says: Infinity, hasParts: false },
  'of a cut file': { length: 120, says: 120, hasParts: true },
  'of a cut file without ranges': { length: 120, says: 120, hasParts: false },
  'whose length is guessed too short': { length: 600, says: 250, hasParts: true },
  'whose length is guessed too long': { length: 600, says: 900, hasParts: true },
  'of a file that is longer than its feed says': { length: 700, says: 700, hasParts: true },
}
const STEPS = 40
const RUNS = 12

type World = ReturnType<typeof createWorld>
type Clock = ReturnType<typeof startClock>

/** A person with two tabs and a phone, what they have heard of an episode, and the network between them. */
function createWorld(app: TestApp, episode: EpisodeWrapper, clock: Clock, host: HostKind) {
  const storage = createMemoryStorage()
  const eid = episode.podcastEpisode.episode_id
  const links = { base: '', key: null, feedKey: '' } as never
  const world = {
    app,
    eid,
    episode,
    host,
    now: clock,
    advance: clock.advance,
    storage,
    isOnline: true,
    /** The second up to which the person has heard it, or went back to. */
    heard: 0,
    /** Saves that were below it. */
    lost: [] as string[],
    story: [] as string[],
    /** Requests and events on their way. */
    underway: [] as (() => unknown)[],
    channel: [] as { tab: unknown; listener: (event: { data: unknown }) => void }[],
    async arrive(count = Infinity) {
      for (let left = count; left > 0 && world.underway.length > 0; left--) {
        await world.underway.shift()!()
        await settled()
      }
    },
    note(progress: Progress) {
      const { time, total } = progress
      // As the server sees it.
      if (progress.finished ?? (total && time >= total)) world.heard = 0
      else if (time < Math.floor(world.heard)) world.lost.push(`${time} < ${world.heard}`)
    },
  }
  return Object.assign(world, {
    receive(tab: Tab) {
      const { admin, store, events } = app.context
      return events.listenToAll(event => {
        const frame = world.isOnline ? frameOf(event, store, admin, links) : null
        if (frame?.type === 'progress') world.underway.push(() => tab.player.played(frame))
        if (frame?.type === 'episodesMarked') world.underway.push(() => tab.player.marked(frame.episode_ids))
      })
    },
  })
}

type Tab = Awaited<ReturnType<typeof openTab>>

async function openTab(world: World, name: string) {
  const media = createMediaElement(() => world.host)
  const request = <T>(work: () => Promise<T>): Promise<T> => {
    const offline = () => new ApiError(0, 'offline', 'The server cannot be reached')
    if (!world.isOnline) return Promise.reject(offline())
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    world.underway.push(() => (world.isOnline ? work().then(resolve, reject) : reject(offline())))
    return promise
  }
  const { playback } = world.app
  const pending = createPendingProgress(progress => request(() => playback.save(progress)), world.storage)
  const player = createPlayer({
    createEngine: events => createMediaEngine({ audio: media.element, video: media.element }, events),
    findHistory: eid => request(() => playback.find(eid)),
    preferencesOf: async () => noPreferences,
    sender: name,
    save(progress) {
      world.note(progress)
      return pending.save(progress)
    },
    onFailed: () => undefined,
    storage: createMemoryStorage(),
    tab: createMemoryStorage(),
    now: world.now,
    later: work => setImmediate(work),
  })
  const tab = { name, player, media, pending, close: () => undefined as void }
  playInOneTab(
    player as never,
    {
      addEventListener: (_: string, listener: (typeof world.channel)[number]['listener']) =>
        void world.channel.push({ tab, listener }),
      postMessage: (data: unknown) => world.channel.forEach(other => other.tab !== tab && other.listener({ data })),
    } as never,
  )
  const end = world.receive(tab)
  tab.close = () => {
    player.leave()
    player.pause()
    end()
    world.channel = world.channel.filter(one => one.tab !== tab)
  }
  const history = await playback.find(world.eid)
  await player.show({ ...world.episode, podcastHistoryItem: history as never }, 'Pod')
  return tab
}

/** Lets the tab that plays play on. */
function listen(world: World, tabs: Tab[], seconds: number) {
  const tab = tabs.find(({ media }) => media.isPlaying())
  for (let left = seconds; left > 0 && tab?.media.isPlaying(); left -= 5) {
    world.advance(5 * SECOND)
    tab.media.pass(5)
    if (!tab.media.element.ended) world.heard = Math.max(world.heard, tab.media.time())
  }
}

type Act = (world: World, tabs: Tab[], random: Random) => Promise<unknown> | unknown

const acts: Record<string, { weight: number; isOffline?: boolean; act: Act }> = {
  play: {
    weight: 10,
    async act(world, tabs, random) {
      await world.arrive()
      const tab = random.pick(tabs)
      if (tab.player.isPlaying.value) return
      await tab.player.resume()
    },
  },
  pause: { weight: 6, isOffline: true, act: (_, tabs) => tabs.forEach(({ player }) => player.pause()) },
  'seek in the tab that plays': {
    weight: 4,
    isOffline: true,
    act(world, tabs, random) {
      const tab = tabs.find(({ player }) => player.isPlaying.value)
      if (!tab) return
      const second = random.below(60) * 10
      const before = tab.player.seeks.value
      const { heard } = world
      world.heard = Math.min(world.heard, second)
      tab.player.seek(second)
      if (tab.player.seeks.value === before) world.heard = heard
    },
  },
  'break the connection of the tab that plays': {
    weight: 2,
    act: async (_, tabs) => {
      tabs.find(({ media }) => media.isPlaying())?.media.breakOff()
      await settled()
    },
  },
  'listen on the phone': {
    weight: 4,
    async act(world, tabs, random) {
      tabs.forEach(({ player }) => player.pause())
      await world.arrive()
      const { position, finished } = await world.app.playback.find(world.eid)
      const from = finished ? 0 : (position ?? 0)
      if (from < Math.floor(world.heard)) world.lost.push(`the phone begins at ${from} < ${world.heard}`)
      world.heard = Math.min(590, from + random.below(60))
      await world.app.playback.save({ podcastEpisodeId: world.eid, time: world.heard, total: 600, device: 'phone' })
      world.heard = Math.floor(world.heard)
    },
  },
  'mark as played or not, and perhaps undo it': {
    weight: 3,
    async act(world, tabs, random) {
      tabs.forEach(({ player }) => player.pause())
      await world.arrive()
      const isPlayed = random.chance(70)
      const { undo, affected } = await world.app.episodes.batch.mark([world.episode.podcastEpisode.id], isPlayed)
      if (random.chance(50)) {
        if (affected > 0) world.heard = 0
        return
      }
      await world.arrive(random.below(4))
      await world.app.episodes.batch.undoMark(undo)
    },
  },
  'lose the network': { weight: 1, act: world => void (world.isOnline = false) },
  'get it back': {
    weight: 3,
    isOffline: true,
    async act(world, tabs) {
      if (world.isOnline) return
      world.isOnline = true
      for (const { pending, player } of tabs) {
        const work = pending.flush().then(player.catchUp)
        await settled()
        await world.arrive()
        await work
      }
      await world.arrive()
    },
  },
  'open a tab again': {
    weight: 2,
    async act(world, tabs, random) {
      const place = random.below(tabs.length)
      tabs[place]!.close()
      await world.arrive()
      tabs[place] = await openTab(world, `${tabs[place]!.name}'`)
    },
  },
  'be away': { weight: 1, act: world => world.advance(90 * MINUTE) },
}

test.each(Object.keys(hosts))(
  'nobody loses a place who hears an episode of a host %s in two tabs and on a phone',
  async kind => {
    using feeds = startFeedHost()
    const clock = startClock()
    await using app = await startTestApp({ now: clock })
    app.prefill(0)
    const items = Array.from({ length: RUNS }, (_, index) => ({
      title: `Fog ${index}`,
      enclosure: `${feeds.origin}/${index}.mp3`,
      duration: '600',
    }))
    const podcast = await app.podcasts.add(feeds.feed('/feed.xml', rss({ items })))
    const { data } = await app.podcasts.episodes(podcast.id, {}, null)
    for (const [seed, episode] of data.entries()) {
      const random = startRandom(seed + 1)
      const world = createWorld(app, episode, clock, hosts[kind]!)
      const tabs = [await openTab(world, 'one'), await openTab(world, 'two')]
      const weights = Object.fromEntries(Object.entries(acts).map(([name, { weight }]) => [name, weight]))
      for (let step = 0; step < STEPS; step++) {
        const name = random.weighted(weights)
        if (world.isOnline || acts[name]!.isOffline) {
          world.story.push(name)
          if (process.env.D)
            console.log(
              seed,
              step,
              name,
              world.heard,
              tabs.map(t => [t.player.position.value, t.player.isPlaying.value, t.media.time()]),
              world.underway.length,
            )
          await acts[name]!.act(world, tabs, random)
        }
        await settled()
        listen(world, tabs, random.below(40))
        await world.arrive(random.below(3))
        expect({ seed, story: world.lost.length > 0 ? world.story : [], lost: world.lost }).toEqual({
          seed,
          story: [],
          lost: [],
        })
      }
      await acts['get it back']!.act(world, tabs, random)
      for (const tab of tabs) tab.close()
      await world.arrive()
      const { position, finished } = await app.playback.find(world.eid)
      expect({ seed, isKept: finished || (position ?? 0) >= Math.floor(world.heard) }).toEqual({ seed, isKept: true })
    }
  },
)
