import { expect, test } from 'bun:test'
import { startRandom, type Random } from '../../support/random'
import {
  apiTwo,
  nextcloud,
  simulatedApp,
  type Addresses,
  type Kind,
  type SimulatedApp,
} from '../../support/simulated-app'
import { Offline } from '../../support/offline'
import {
  batchPlayer,
  offlinePlayer,
  onlinePlayer,
  patchPlayer,
  type SimulatedPlayer,
} from '../../support/simulated-player'
import { startSyncWorld, TOTAL, type SyncWorld } from '../../support/sync-world'

/**
 * Five podcast apps, four that hold sessions, one that makes bookmarks, the phone of a second account, and the browser do
 * what comes to their minds, with clocks that differ,
 * through a network that loses answers, on a server whose clock steps back. `MODEL_SEED=17` plays one run again;
 * `MODEL_RUNS=300` plays as many from there on.
 */
const { MODEL_SEED, MODEL_RUNS } = process.env
const firstSeed = Number(MODEL_SEED ?? 1)
const runs = Number(MODEL_RUNS ?? (MODEL_SEED ? 1 : 5))
const STEPS = 220

/** The longest exchange before an app begins anew; the server counts on five minutes. */
const PATIENCE_SECONDS = 290
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
  await using world = await startSyncWorld(random, trace)
  const { reference } = world
  for (const { url } of world.feeds.slice(0, 2)) await world.addToLibrary(url)
  const apps = appsOf(random, world)
  for (const name of ['antenna', 'desk', 'archive']) await world.addDevice(name)
  // From here on everybody has a time to ask from.
  for (const app of apps) await exchange(app.sync())

  const players = await playersOf(random, world)

  world.setNetwork('bad')
  const check = checksOf(world)
  const goOn = exchangesOf(world)
  let restarts = 1
  for (let step = 0; step < STEPS; step++) {
    const who = random.weighted({
      app: 40,
      player: 40,
      exchange: 120,
      report: 60,
      browser: 15,
      time: 25,
      restart: restarts,
      mark: 12,
      neighbour: 6,
    })
    if (who === 'app') useApp(random, world, random.pick(apps))
    else if (who === 'exchange') await goOn(random.pick(apps))
    else if (who === 'player') {
      const { player } = random.pick(players)
      world.note(`${player.name} ${player.act()}`)
    } else if (who === 'report') await goOn(random.pick(players).player)
    else if (who === 'browser') await useBrowser(random, world)
    else if (who === 'time') letTimePass(random, world)
    else if (who === 'mark') await world.marks.act(random).catch(unlessOffline)
    else if (who === 'neighbour') await world.useNeighbour()
    else await world.restart().then(() => restarts--)
    check()
  }

  world.setNetwork('good')
  for (const { player } of players) {
    await exchange(player.sync())
    check()
  }
  const state = () => JSON.stringify(apps.map(app => [app.subscriptions(), world.allMedia.map(app.place)]))
  for (let last = '', rounds = 0; last !== state(); rounds++) {
    expect(rounds).toBeLessThan(8)
    last = state()
    for (const app of apps) await exchange(app.sync())
    check()
  }

  const subscribed = reference.subscriptions()
  const placeOf = (url: string, place: { position: number; finished: boolean } | null) => [
    url,
    // By how long an app takes an episode to be, it is over.
    place && (place.finished ? 'finished' : place.position),
  ]
  // No app has episodes of a dropped podcast any more.
  const media = world.allMedia.filter(({ feed }) => subscribed.includes(feed))
  const places = media.map(({ url }) => placeOf(url, reference.position(url)))
  for (const app of apps) {
    // Each once: who has the private feed of a podcast does not have the publisher's as well.
    expect([app.name, app.subscriptions().map(world.published).sort()]).toEqual([app.name, subscribed])
    expect([app.name, media.map(episode => placeOf(episode.url, app.place(episode)))]).toEqual([app.name, places])
  }
  // These apps see what the library has, subscribed or not.
  const heard = world.allMedia.flatMap(({ url, feed }) => {
    const place = reference.position(url)
    if (!place || !world.library.has(feed) || (place.position === 0 && !place.finished)) return []
    return [[url, place.finished ? 'finished' : place.position] as const]
  })
  for (const { player, places } of players)
    expect([player.name, [...(await places())].toSorted()]).toEqual([player.name, heard.toSorted()] as never)
  const favourites = subscribed.flatMap(url => world.library.get(url)?.podcastId ?? [])
  expect(await world.favourites()).toEqual(favourites.sort())
  await world.marks.check()
}

function unlessOffline(error: unknown) {
  if (!(error instanceof Offline)) throw error
}

const antennaPod = { finds: 'by guid', appliesUnordered: true, echoesRemovals: true } as const

/**
 * AntennaPod in both of its modes, and where it reads our private feeds; gPodder on a desk; Music Assistant, which
 * registers no device and asks from the beginning each time. Each with a clock of its own.
 */
function appsOf(random: Random, { wireOf, clock, allMedia }: SyncWorld): SimulatedApp[] {
  const appOf = (name: string, addresses: Addresses, kind: Kind) => {
    const secondsAhead = random.pick([0, 0, 1, -1, 5 * MINUTE, -20 * MINUTE, 3 * HOUR, -2 * HOUR])
    const now = () => Math.floor(clock() / 1000) + secondsAhead
    const wire = wireOf(name, addresses === nextcloud)
    return simulatedApp({ name, addresses, kind, wire, now, allMedia, shuffled: random.shuffled })
  }
  return [
    appOf('antenna', apiTwo('root', 'antenna'), { ...antennaPod, nextSince: 'upload', finishesWith: 0 }),
    appOf('archive', apiTwo('root', 'archive'), { ...antennaPod, nextSince: 'upload', finishesWith: -1 }),
    appOf('cloud', nextcloud, { ...antennaPod, nextSince: 'own clock', finishesWith: 0, inCapitals: true }),
    appOf('desk', apiTwo('root', 'desk'), { nextSince: 'download', finds: 'by address' }),
    appOf('music', apiTwo('root', 'music', '&device=music'), { nextSince: 'never', finds: 'by address' }),
  ]
}

/** Apps with sessions of four kinds, some with a clock that is wrong. */
async function playersOf(random: Random, world: SyncWorld) {
  const { clock, playables: episodes } = world
  const kinds = { online: onlinePlayer, offline: offlinePlayer, batch: batchPlayer, patch: patchPlayer }
  const players: { player: SimulatedPlayer; places: () => Promise<Map<string, unknown>> }[] = []
  for (const [name, kind] of Object.entries(kinds)) {
    const { wire, places } = await world.playerWireOf(name)
    const ahead = 1000 * random.pick([0, 0, 1, -1, 5 * MINUTE, -20 * MINUTE, 3 * HOUR])
    const now = () => clock() + ahead
    const pass = (seconds: number) => void clock.advance(seconds * 1000)
    players.push({ player: kind({ name, wire, random, now, pass, episodes }), places })
  }
  return players
}

const somewhere = (random: Random) => random.below(6) * 100

function useApp(random: Random, world: SyncWorld, app: SimulatedApp) {
  const { media, url } = random.pick(world.feeds)
  const episode = random.pick(media)
  const privately = episode.privately?.feed ?? url
  const act = random.weighted({
    subscribe: 2,
    privately: app.name === 'archive' ? 6 : 1,
    unsubscribe: 3,
    seek: 6,
    finish: 3,
    unplayed: 2,
  })
  world.note(`${app.name} ${act} ${url} ${episode.url}`)
  const acts = {
    subscribe: () => app.wish(url, true),
    privately: () => app.wish(privately, true),
    unsubscribe: () => {
      for (const address of new Set([url, privately]))
        if (app.subscriptions().includes(address)) app.wish(address, false)
    },
    seek: () => app.play(episode, somewhere(random)),
    finish: () => app.play(episode, TOTAL),
    unplayed: () => app.play(episode, 0, 'new'),
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
function exchangesOf({ now, reference }: SyncWorld) {
  type Exchanging = { sync: () => AsyncGenerator }
  const begun = new Map<Exchanging, { parts: AsyncGenerator; since: number }>()
  return async (app: Exchanging) => {
    const at = reference.second(now())
    const known = begun.get(app)
    const current = known && at - known.since <= PATIENCE_SECONDS ? known : { parts: app.sync(), since: at }
    begun.set(app, current)
    if (await isOver(current.parts)) begun.delete(app)
  }
}

/** After each step: the record never goes back, and has what the reference has. */
function checksOf(world: SyncWorld) {
  const { reference } = world
  const latest = new Map<string, number>()
  return () => {
    const { positions, subscriptions } = world.record()
    for (const { url, place } of positions) {
      expect(place?.atMs ?? 0).toBeGreaterThanOrEqual(latest.get(url) ?? 0)
      if (place) latest.set(url, place.atMs)
      const known = reference.position(url)
      if (known?.finished) expect(place!.position).toBeGreaterThanOrEqual(known.position)
      const position = known?.finished ? place!.position : known?.position
      expect({ url, place }).toEqual({ url, place: known && { ...known, position: position! } })
    }
    expect(subscriptions).toEqual(reference.subscriptions())
    const { stored, wanted } = world.neighbour()
    expect(stored).toEqual(wanted)
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
