import { expect, test } from 'bun:test'
import { startRandom, type Random } from '../../support/random'
import { apiTwo, nextcloud, simulatedApp, type SimulatedApp } from '../../support/simulated-app'
import { startReference, type Reference } from '../../support/sync-reference'
import { Offline, startSyncWorld, TOTAL, type SyncWorld } from '../../support/sync-world'

/**
 * Three apps and the browser do what comes to their minds, with clocks that differ, through a network that loses answers, on a
 * server whose clock steps back. `MODEL_SEED=17` plays one run again; `MODEL_RUNS=300` plays as many from there on.
 */
const { MODEL_SEED, MODEL_RUNS } = process.env
const firstSeed = Number(MODEL_SEED ?? 1)
const runs = Number(MODEL_RUNS ?? (MODEL_SEED ? 1 : 5))
const STEPS = 150

/** Whoever takes longer for one exchange begins anew; the server counts on a minute. */
const PATIENCE_SECONDS = 55
const MINUTE = 60
const HOUR = 3600

for (let seed = firstSeed; seed < firstSeed + runs; seed++)
  test(`all agree in the end, whatever they do: seed ${seed}`, async () => {
    const trace: string[] = []
    try {
      await play(startRandom(seed), trace)
    } catch (error) {
      console.error(`MODEL_SEED=${seed}, the last of ${trace.length} events:\n${trace.slice(-60).join('\n')}`)
      throw error
    }
  })

async function play(random: Random, trace: string[]) {
  const reference = startReference()
  await using world = await startSyncWorld(random, reference, trace)
  for (const { url } of world.feeds.slice(0, 2)) await world.addToLibrary(url)
  const apps = appsOf(random, world)
  for (const { name } of apps) await world.addDevice(name)
  // From here on everybody has a time to ask from.
  for (const app of apps) await exchange(app.sync())

  world.setNetwork('bad')
  const check = checksOf(world, reference)
  const goOn = exchangesOf(world, reference)
  let restarts = 1
  for (let step = 0; step < STEPS; step++) {
    const who = random.weighted({ app: 30, exchange: 80, browser: 15, time: 25, restart: restarts })
    if (who === 'app') useApp(random, world, random.pick(apps))
    else if (who === 'exchange') await goOn(random.pick(apps))
    else if (who === 'browser') await useBrowser(random, world)
    else if (who === 'time') letTimePass(random, world)
    else await world.restart().then(() => restarts--)
    check()
  }

  world.setNetwork('good')
  const state = () => JSON.stringify(apps.map(app => [app.subscriptions(), world.allMedia.map(app.position)]))
  for (let last = '', rounds = 0; last !== state(); rounds++) {
    expect(rounds).toBeLessThan(5)
    last = state()
    for (const app of apps) await exchange(app.sync())
    check()
  }

  const positions = world.allMedia.map(({ url }) => [url, reference.position(url)?.position ?? null])
  for (const app of apps) {
    expect([app.name, app.subscriptions()]).toEqual([app.name, reference.subscriptions()])
    expect([app.name, world.allMedia.map(media => [media.url, app.position(media)])]).toEqual([app.name, positions])
  }
  const subscribed = reference.subscriptions().flatMap(url => world.library.get(url)?.podcastId ?? [])
  expect(await world.favourites()).toEqual(subscribed.sort())
}

/** AntennaPod, gPodder on a desk, and one that speaks as Nextcloud does; each with a clock of its own. */
function appsOf(random: Random, { wireOf, clock }: SyncWorld): SimulatedApp[] {
  const appOf = (name: string, addresses: typeof nextcloud, nextSince: 'upload' | 'download') => {
    const secondsAhead = random.pick([0, 0, 1, -1, 5 * MINUTE, -20 * MINUTE, 3 * HOUR, -2 * HOUR])
    const now = () => Math.floor(clock() / 1000) + secondsAhead
    return simulatedApp({ name, addresses, nextSince, wire: wireOf(name), now })
  }
  return [
    appOf('antenna', apiTwo('root', 'antenna'), 'upload'),
    appOf('desk', apiTwo('root', 'desk'), 'download'),
    appOf('cloud', nextcloud, random.pick(['upload', 'download'])),
  ]
}

const somewhere = (random: Random) => random.below(6) * 100

function useApp(random: Random, world: SyncWorld, app: SimulatedApp) {
  const { media, url } = random.pick(world.feeds)
  const episode = random.pick(media)
  const act = random.weighted({ subscribe: 2, unsubscribe: 2, seek: 6, finish: 2, unplayed: 2 })
  world.note(`${app.name} ${act} ${url} ${episode.url}`)
  const isCloud = app.name === 'cloud'
  const acts = {
    subscribe: () => app.wish(url, true),
    unsubscribe: () => app.wish(url, false),
    seek: () => app.hear(episode, somewhere(random), isCloud ? 'PLAY' : 'play'),
    finish: () => app.hear(episode, TOTAL, isCloud ? 'PLAY' : 'play'),
    unplayed: () => app.hear(episode, 0, isCloud ? random.pick(['NEW', 'PLAY']) : 'new'),
  }
  acts[act]()
}

async function useBrowser(random: Random, world: SyncWorld) {
  const url = random.pick([...world.library.keys()])
  const episode = random.pick(world.feeds.find(feed => feed.url === url)!.media)
  const missing = world.feeds[2]!.url
  const act = random.weighted({ favour: 2, unfavour: 2, seek: 5, late: 2, finish: 2, unplayed: 2, add: 1 })
  world.note(`browser ${act} ${url} ${episode.url}`)
  const acts = {
    favour: () => world.favour(url, true),
    unfavour: () => world.favour(url, false),
    seek: () => world.report(episode, somewhere(random), null),
    late: () => world.report(episode, somewhere(random), random.below(HOUR)),
    finish: () => world.report(episode, TOTAL, null, true),
    unplayed: () => world.report(episode, 0, null, false),
    add: async () => world.library.has(missing) || (await world.addToLibrary(missing)),
  }
  await acts[act]()
}

function letTimePass(random: Random, { clock, setServerBack }: SyncWorld) {
  const pass = random.weighted({ moments: 5, seconds: 10, minutes: 2, hours: 1, back: 1 })
  if (pass === 'back') return setServerBack(random.pick([1, 30, 10 * MINUTE, HOUR]) * random.below(1000))
  const seconds = { moments: 2, seconds: 20, minutes: 20 * MINUTE, hours: 10 * HOUR }[pass]
  clock.advance(random.below(seconds * 1000))
}

/** Exchanges of which one part is done at a time, with others doing theirs in between. */
function exchangesOf({ now }: SyncWorld, reference: Reference) {
  const begun = new Map<SimulatedApp, { parts: AsyncGenerator; since: number }>()
  return async (app: SimulatedApp) => {
    const at = reference.second(now())
    const known = begun.get(app)
    const current = known && at - known.since <= PATIENCE_SECONDS ? known : { parts: app.sync(), since: at }
    begun.set(app, current)
    if (await isOver(current.parts)) begun.delete(app)
  }
}

/** After each step: the record never goes back, and has what the reference has. */
function checksOf(world: SyncWorld, reference: Reference) {
  const latest = new Map<string, number>()
  return () => {
    const { positions, subscriptions } = world.record()
    for (const { url, place, finished } of positions) {
      expect(place?.atMs ?? 0).toBeGreaterThanOrEqual(latest.get(url) ?? 0)
      if (place) latest.set(url, place.atMs)
      expect({ url, place }).toEqual({ url, place: reference.position(url) })
      expect(finished).toBe(place?.position === TOTAL)
    }
    expect(subscriptions).toEqual(reference.subscriptions())
  }
}

/** Does one part of an exchange; answers whether it was the last, or got no answer. */
const isOver = (parts: AsyncGenerator): Promise<boolean> =>
  parts.next().then(
    ({ done }) => done === true,
    (error: unknown) => {
      if (error instanceof Offline) return true
      throw error
    },
  )

async function exchange(parts: AsyncGenerator) {
  while (!(await isOver(parts)));
}
