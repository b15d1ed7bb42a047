import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { playerChoiceOf } from '../../../src/server/store/users'
import { refusal, startClock, startTestApp, temporaryFolder } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'
import { dumpOf, reportOf } from '../../support/foreign/dump'
import { moveIn, openWorld, undoLatest } from './world'

const at = (day: number) => `2026-03-${String(day).padStart(2, '0')}T08:00:00.5Z`
const ms = (day: number) => Date.UTC(2026, 2, day, 8, 0, 0, 500)

/** A document of another program: members in another order than ours, and much that has no place here. */
const foreign = (origin: string) => ({
  portcast: '0.2.0',
  queue: [
    { position: 2, episodeRef: { enclosureUrl: `${origin}/a3.mp3` } },
    { position: 1, episodeRef: { guid: 'a1', enclosureUrl: `${origin}/b1.mp3` } },
    { position: 3, episodeRef: { guid: 'a1' } },
    { position: 4, episodeRef: { platformRefs: ['spotify:episode:1'] } },
    { position: 5, episodeRef: { guid: 'nobody knows it' } },
  ],
  bookmarks: [
    { bookmarkId: '1', episodeRef: { guid: 'a2' }, atSeconds: 61.7, createdAt: at(3), label: 'Fog', note: 'at sea' },
    { bookmarkId: '2', episodeRef: { platformRefs: ['spotify:episode:2'] }, atSeconds: 1, createdAt: at(3) },
  ],
  episodes: [
    state(origin, 'a1', { status: 'in_progress', positionSeconds: 90.5, durationSeconds: 1800 }),
    state(origin, 'a2', { status: 'completed', lastPlayedAt: at(5), updatedAt: at(9) }),
    state(origin, 'a3', { status: 'unplayed', starred: true }),
    state(origin, 'a4', { status: 'unplayed' }),
    state(origin, 'a5', { status: 'archived', positionSeconds: 12, updatedAt: '2031-01-01T00:00:00Z' }),
    { ...state(origin, 'b1', { status: 'unplayed' }), guid: 'a1', subscriptionRef: { feedUrl: `${origin}/beta.xml` } },
    { ...state(origin, 'm1', { status: 'completed' }), subscriptionRef: { platformRefs: ['spotify:show:9'] } },
    // Of a podcast that nobody subscribed to.
    { ...state(origin, 'g1', { status: 'completed' }), subscriptionRef: { feedUrl: `${origin}/gone.xml` } },
    { ...state(origin, 'g2', { status: 'unplayed' }), subscriptionRef: { feedUrl: `${origin}/never.xml` } },
  ],
  completeness: [{ section: 'subscriptions', source: 'Player', level: 'full' }],
  preferences: {
    global: { playbackRate: 3 },
    perFeed: {
      [`${origin}/alpha.xml`]: { playbackRate: 1.4, skipIntroSeconds: 15.2, autoDownload: true },
      [`${origin}/beta.xml`]: { trimSilence: true, autoDownload: false },
    },
  },
  subscriptions: [
    { ...podcast('1', 'Alpha'), podcastGuid: GUID, feedUrl: `${origin}/alpha.xml`, tags: ['Sea', 'Sea', 7, null] },
    { ...podcast('2', 'Beta'), feedUrl: `${origin}/beta.xml`, unsubscribedAt: at(2) },
    { ...podcast('3', 'On a platform'), platformRefs: ['spotify:show:9'] },
  ],
  generator: { name: 'Player' },
  generatedAt: at(10),
  extensions: { player: { version: 1, episodes: [{ guid: 'a4', likedAt: at(1) }] } },
})

const GUID = '917393e3-1b1e-5cef-ace4-edaa54e1f810'
const podcast = (subscriptionId: string, title: string) => ({ subscriptionId, title, updatedAt: at(1) })

function state(origin: string, name: string, more: Record<string, unknown>) {
  return {
    episodeStateId: name,
    subscriptionRef: { podcastGuid: GUID.toUpperCase() },
    guid: name,
    enclosureUrl: `${origin}/${name}.mp3`,
    title: `Title ${name}`,
    updatedAt: at(4),
    ...more,
  }
}

async function startMoving() {
  const host = startFeedHost()
  openWorld(host)
  const app = await startTestApp({ now: startClock() })
  app.prefill(0)
  const path = join(temporaryFolder(), 'player.portcast.json')
  return {
    host,
    app,
    path,
    write: (document: unknown) => writeFileSync(path, JSON.stringify(document)),
    dump: () => dumpOf(app.folder, host.origin),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host.stop()
    },
  }
}

test('a document of another program comes over, and what has no place here is counted', async () => {
  await using world = await startMoving()
  world.write(foreign(world.host.origin))
  await moveIn(world.app, world.path)
  const { podcasts, favourites, tags, preferences, rules, positions, likes, queue, bookmarks } = world.dump()
  expect({ podcasts, favourites, tags, preferences, rules, positions, likes, queue, bookmarks }).toEqual({
    podcasts: ['/alpha.xml | Alpha | 1 | 0', '/beta.xml | Beta | 1 | 0', '/gone.xml | 127.0.0.1 | 1 | 0'],
    favourites: ['admin | /alpha.xml'],
    tags: ['admin | Sea | Green | /alpha.xml'],
    preferences: ['admin | /alpha.xml | 1.4 | - | 15 | 0'],
    rules: ['/alpha.xml | 1 | - | -', '/beta.xml | 0 | - | -'],
    positions: [
      `admin | /alpha.xml | a1 | 90 | 1800 | 0 | ${ms(4)} | import-portcast`,
      `admin | /alpha.xml | a2 | 0 | - | 1 | ${ms(5)} | import-portcast`,
      `admin | /alpha.xml | a5 | 12 | - | 0 | ${Date.UTC(2026, 0, 5)} | import-portcast`,
      `admin | /gone.xml | g1 | 0 | - | 1 | ${ms(4)} | import-portcast`,
    ],
    likes: ['admin | /alpha.xml | a3'],
    queue: ['admin | 0 | /beta.xml | a1', 'admin | 1 | /alpha.xml | a3'],
    bookmarks: [`admin | a2 | 61 | Fog: at sea | ${ms(3)}`],
  })
  expect(reportOf(world.app.folder).filter(line => line.includes('left-out'))).toEqual([
    'bookmarks left-out not-on-the-web: 1',
    'podcasts left-out not-on-the-web: 1',
    'positions left-out not-on-the-web: 1',
    'queue left-out no-podcast: 2',
    'queue left-out not-on-the-web: 1',
  ])
})

test('what the buttons of the player skip comes over by the nearest length, and goes with the move', async () => {
  await using world = await startMoving()
  const { context } = world.app
  const choice = () => playerChoiceOf(context.store.users.find(context.admin.id)!)
  const before = choice()
  world.write({
    ...foreign(world.host.origin),
    preferences: { global: { skipForwardSeconds: 50, skipBackwardSeconds: 11.5 } },
    extensions: { castellan: { version: 2, player: { nextKey: 'forward', rewind: 'no', levelVolume: 1 } } },
  })
  await moveIn(world.app, world.path)
  expect(choice()).toEqual({ back: 10, forward: 45, nextKey: 'forward', rewind: true, levelVolume: false })
  expect(reportOf(world.app.folder)).toContain('preferences taken: 1')
  await undoLatest(world.app)
  expect(choice()).toEqual(before)
})

test('a choice that a person has made for the player stays, through a move and its undoing', async () => {
  await using world = await startMoving()
  const { context } = world.app
  const choice = () => playerChoiceOf(context.store.users.find(context.admin.id)!)
  const choose = (edit: Partial<ReturnType<typeof choice>>) =>
    context.store.users.setSkipLengths(context.admin.id, { ...choice(), ...edit })
  choose({ forward: 60, rewind: false, levelVolume: true })
  world.write({
    ...foreign(world.host.origin),
    preferences: { global: { skipForwardSeconds: 10, skipBackwardSeconds: 15 } },
    extensions: { castellan: { version: 1, player: { rewind: true, levelVolume: false } } },
  })
  await moveIn(world.app, world.path)
  expect(choice()).toMatchObject({ back: 15, forward: 60, rewind: false, levelVolume: true })
  choose({ back: 45 })
  await undoLatest(world.app)
  expect(choice()).toMatchObject({ back: 45, forward: 60, rewind: false })
})

test('a section that says it is full deletes nothing', async () => {
  await using world = await startMoving()
  const { context } = world.app
  const beta = await context.subscribe(context.admin, `${world.host.origin}/beta.xml`)
  context.store.podcasts.favour(context.admin.id, beta.id, true, 1)
  const before = world.dump()
  world.write({
    ...foreign(world.host.origin),
    subscriptions: [],
    queue: [],
    bookmarks: [],
    episodes: [],
    preferences: {},
  })
  await moveIn(world.app, world.path)
  expect(world.dump()).toEqual(before)
  expect(reportOf(world.app.folder)).toEqual([])
})

test('members of any kind do no harm', async () => {
  await using world = await startMoving()
  const feedUrl = `${world.host.origin}/alpha.xml`
  const odd = [null, 7, 'text', [], [[1]], { episodeRef: 5 }, { feedUrl: { $ne: 1 } }]
  world.write({
    portcast: '0.2.0',
    subscriptions: [...odd, { feedUrl, title: { length: 9 }, tags: { length: 9 }, subscribedAt: -1 }],
    episodes: [...odd, { subscriptionRef: { feedUrl }, status: 'completed', guid: ['a1'], positionSeconds: '1e999' }],
    queue: odd,
    bookmarks: odd,
    preferences: { perFeed: { [feedUrl]: { playbackRate: 'NaN', autoDownload: 'yes' }, __proto__: { x: 1 } } },
    extensions: {
      castellan: {
        version: 1,
        tags: odd,
        podcasts: [
          ...odd,
          { feedUrl, credentials: { user: 5 }, rules: { keepLast: -3, userAgent: 'a\nb', autoUpdate: 2 } },
        ],
        episodes: [
          ...odd,
          { feedUrl, guid: 'a1', listened: [5, [1, 2], [at(1), -1], [at(1), 9e99]], likedAt: 'today' },
        ],
        listed: [...odd, { list: 'L', feedUrl }],
      },
    },
  })
  await moveIn(world.app, world.path)
  expect(world.app.context.store.moves.find(1)).toMatchObject({ state: 'done', message: null })
  const { podcasts, positions, likes, rules, preferences, playlists } = world.dump()
  expect({ podcasts, positions, likes, rules, preferences, playlists }).toEqual({
    podcasts: ['/alpha.xml | Alpha | 1 | 0'],
    positions: [],
    likes: [],
    rules: [],
    preferences: [],
    playlists: [],
  })
})

test('a document that is cut short is refused before anything is done', async () => {
  await using world = await startMoving()
  const text = JSON.stringify(foreign(world.host.origin))
  writeFileSync(world.path, text.slice(0, -20))
  const { moves, admin } = world.app.context
  expect(await refusal(moves.start(admin, world.path))).toMatchObject({
    message: expect.stringContaining('ends too early'),
  })
})
