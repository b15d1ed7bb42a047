import { expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DATABASE_FILE } from '../../../src/server/data-folder'
import { DAY } from '../../../src/server/platform/clock'
import { startClock, startTestApp, temporaryFolder, type TestApp } from '../../support/app'
import { rss, silentMp3 } from '../../support/builders'
import { startFeedHost, type FeedHost } from '../../support/feed-host'
import { writeAntennapod } from '../../support/foreign/antennapod'
import { writeGpodder } from '../../support/foreign/gpodder'
import { writeManyEpisodes } from '../../support/foreign/many-episodes'
import { wholeDumpOf } from '../../support/whole-dump'
import { fillLibrary } from './fill'
import { moveIn, openWorld, undoLatest, undoneOf } from './world'
import { openBeside } from '../../support/other-writer'

async function startUndoing() {
  const host = startFeedHost()
  openWorld(host)
  const clock = startClock()
  const app = await startTestApp({ now: clock })
  app.prefill(0)
  return {
    host,
    clock,
    app,
    path: join(temporaryFolder(), 'Database'),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host.stop()
    },
  }
}

const alphaOf = ({ context: { store } }: TestApp, { origin }: FeedHost) => {
  const podcast = store.podcasts.findByFeed(`${origin}/alpha.xml`)!
  const idOf = (guid: string) => store.episodes.knownOf(podcast.id).find(one => one.guid === guid)!.id
  return { podcast, idOf }
}

async function dumpOf({ folder, context }: TestApp) {
  await context.indexer.run()
  return wholeDumpOf(folder)
}

async function finish({ context: { moves } }: TestApp) {
  moves.resume()
  await moves.settled()
}

test('the owner and admins may undo a move for a day, and once', async () => {
  await using world = await startUndoing()
  const { context, signUp } = world.app
  const { row: alice } = await signUp('alice', 'uploader')
  const { row: bob } = await signUp('bob')
  const undo = (user: typeof alice, id: number) => () => context.moves.undo(user, id)
  await moveIn(world.app, writeGpodder(world.path, world.host.origin), alice)
  expect(undo(alice, 2)).toThrow(expect.objectContaining({ code: 'move-not-found' }) as Error)
  expect(undo(bob, 1)).toThrow(expect.objectContaining({ code: 'move-not-found' }) as Error)
  world.clock.advance(DAY + 1)
  expect(undo(alice, 1)).toThrow(expect.objectContaining({ code: 'move-too-old' }) as Error)
  world.clock.advance(-1)
  expect(undo(context.admin, 1)()).toMatchObject({ state: 'undoing' })
  // A second wish changes nothing, also when the day is over.
  world.clock.advance(DAY)
  expect(undo(alice, 1)()).toMatchObject({ state: 'undoing' })
  await finish(world.app)
  expect(context.store.moves.find(1)).toMatchObject({ state: 'undone', undone_at: world.clock() })
  expect(undo(alice, 1)).toThrow(expect.objectContaining({ code: 'move-undone' }) as Error)
})

test('a move that still adds podcasts is cancelled, with the one that is being added', async () => {
  await using world = await startUndoing()
  const { app, host, path } = world
  const before = wholeDumpOf(app.folder)
  const alpha = Promise.withResolvers<void>()
  const body = rss({ title: 'Alpha', items: [{ guid: 'a1' }] })
  host.on('/alpha.xml', async () => {
    await alpha.promise
    return new Response(body)
  })
  await app.context.moves.start(app.context.admin, writeGpodder(path, host.origin))
  app.context.moves.resume()
  await app.event('addedPodcast')
  app.context.moves.undo(app.context.admin, 1)
  alpha.resolve()
  await finish(app)
  expect(app.context.store.moves.find(1)).toMatchObject({ state: 'undone', message: 'Cancelled' })
  expect(wholeDumpOf(app.folder)).toEqual(before)
  expect(readdirSync(join(app.folder, 'moving'))).toEqual([])
})

test('podcasts that a killed process had added and not noted go as well, later ones by hand do not', async () => {
  await using world = await startUndoing()
  const { app, host, clock } = world
  const { moves, subscribe, admin, store } = app.context
  await moves.start(admin, writeGpodder(world.path, host.origin))
  await subscribe(admin, `${host.origin}/alpha.xml`)
  const before = store.podcasts.findByFeed(`${host.origin}/alpha.xml`)!
  moves.undo(admin, 1)
  clock.advance(1000)
  host.feed('/gone.xml', rss({ title: 'Back', items: [{ guid: 'g1' }] }))
  const byHand = await subscribe(admin, `${host.origin}/gone.xml`)
  await finish(app)
  expect(store.podcasts.find(before.id)).toBeNull()
  expect(store.podcasts.find(byHand.id)).not.toBeNull()
})

test('a move that is half applied is cancelled', async () => {
  await using world = await startUndoing()
  const { app } = world
  const before = wholeDumpOf(app.folder)
  await app.context.moves.start(app.context.admin, writeManyEpisodes(world.path, world.host))
  app.context.moves.resume()
  await app.event('episodesMarked')
  app.context.moves.undo(app.context.admin, 1)
  await app.context.moves.settled()
  expect(app.context.store.moves.find(1)!.applied).toBeLessThan(900)
  await finish(app)
  expect(wholeDumpOf(app.folder)).toEqual(before)
})

test('two moves are undone one after the other', async () => {
  await using world = await startUndoing()
  const { app } = world
  const before = await dumpOf(app)
  await moveIn(app, writeAntennapod(join(temporaryFolder(), 'a.db'), world.host.origin))
  const between = await dumpOf(app)
  await moveIn(app, writeGpodder(world.path, world.host.origin))
  expect(await undoLatest(app)).toBe(2)
  expect(await dumpOf(app)).toEqual(between)
  expect(await undoLatest(app)).toBe(1)
  expect(await dumpOf(app)).toEqual(before)
})

test('what a move noted in a way that is not known stays, and is reported', async () => {
  await using world = await startUndoing()
  await moveIn(world.app, writeGpodder(world.path, world.host.origin))
  const noted = { item: 0, user_id: null, podcast_id: null, episode_id: null, other_id: null, before: null }
  world.app.context.store.moves.noteChange(1, { ...noted, kind: 'hat' })
  const id = await undoLatest(world.app)
  expect(undoneOf(world.app, id)).toContain('hat kept unknown-kind: 1')
  expect(undoneOf(world.app, id)).toContain('podcasts undone: 3')
})

test('a change that cannot be undone stays, and the rest is undone', async () => {
  await using world = await startUndoing()
  await moveIn(world.app, writeGpodder(world.path, world.host.origin))
  const db = openBeside(join(world.app.folder, DATABASE_FILE))
  db.run("CREATE TRIGGER t BEFORE DELETE ON episode_like BEGIN SELECT raise(ABORT, 'no'); END")
  db.close()
  const id = await undoLatest(world.app)
  expect(undoneOf(world.app, id)).toContain('likes kept unexpected: 1')
  expect(undoneOf(world.app, id)).toContain('positions undone: 7')
  expect(world.app.lines.join()).toContain('could not be undone')
})

test('an episode that a move made stays once somebody uses it or its feed lists it', async () => {
  await using world = await startUndoing()
  const { app, host } = world
  await moveIn(app, writeGpodder(world.path, host.origin))
  const { store, admin, refresh, queue } = app.context
  const gone = store.podcasts.findByFeed(`${host.origin}/gone.xml`)!
  const [one, two] = store.episodes.knownOf(gone.id)
  const alpha = alphaOf(app, host)
  store.podcasts.favour(admin.id, alpha.podcast.id, false, world.clock())
  world.clock.advance(1000)
  queue.addAll(admin.id, [alpha.idOf('old')], 'last')
  const item = { guid: 'same', title: 'One', enclosure: `${host.origin}/g1.mp3`, date: 'Thu, 01 Jan 2026 00:00:00 GMT' }
  host.feed('/gone.xml', rss({ title: 'Back', items: [item] }))
  await refresh.refresh(gone.id, { isAsked: true })
  app.context.favourites.favour((await app.signUp('bob')).row.id, gone.id, true)
  const id = await undoLatest(app)
  expect(undoneOf(app, id)).toEqual(
    expect.arrayContaining([
      'episodes kept in-the-feed: 1',
      'episodes kept queued: 1',
      'episodes undone: 1',
      'podcasts kept favourite: 1',
      'podcasts kept queued: 1',
      'subscriptions gone: 1',
    ]),
  )
  expect([one!.id, two!.id].map(id => store.episodes.find(id) !== null)).toEqual([true, false])
})

test('a podcast that stays has the title of its feed and is checked again, as if added by hand', async () => {
  await using world = await startUndoing()
  const { app, host } = world
  await moveIn(app, writeGpodder(world.path, host.origin))
  const { store, favourites } = app.context
  const members = store.podcasts.findByFeed(`${host.origin}/members.xml`)!
  expect(members.active).toBe(0)
  favourites.favour((await app.signUp('bob')).row.id, members.id, true)
  await undoLatest(app)
  expect(store.podcasts.find(members.id)).toMatchObject({ title: 'Members', renamed: 0, active: 1 })
})

test('open browsers hear of a queue that is as it was before', async () => {
  await using world = await startUndoing()
  const { app, host } = world
  await fillLibrary(app, host, [app.context.admin])
  const { idOf } = alphaOf(app, host)
  const queue = () => app.context.store.queue.idsOf(app.context.admin.id)
  const before = queue()
  await moveIn(app, writeGpodder(world.path, host.origin))
  // The source has played two of them to the end.
  expect(queue()).toEqual([idOf('a5')])
  app.events.length = 0
  await undoLatest(app)
  expect(queue()).toEqual(before)
  const { version } = app.context.store.queue.find(app.context.admin.id)
  expect(app.events).toContainEqual({ type: 'queueChanged', userId: app.context.admin.id, version })
})

test('an episode that left the queue as finished stays out of it once somebody has finished it', async () => {
  await using world = await startUndoing()
  const { app, host } = world
  const { store, admin, playback } = app.context
  await fillLibrary(app, host, [admin])
  const { idOf } = alphaOf(app, host)
  await moveIn(app, writeGpodder(world.path, host.origin))
  world.clock.advance(1000)
  playback.record(admin.id, store.episodes.find(idOf('a2'))!, { position: 1800, total: 1800 })
  const id = await undoLatest(app)
  expect(store.queue.idsOf(admin.id)).toEqual([idOf('a5'), idOf('a3')])
  expect(undoneOf(app, id)).toContain('queue kept played: 1')
})

/** Files of one podcast: by a rule, or as somebody asks for them. */
async function startWithFiles(world: Awaited<ReturnType<typeof startUndoing>>, prefill: number) {
  const { app, host } = world
  const items = ['a1', 'a2'].map((guid, at) => ({
    guid,
    title: guid,
    enclosure: host.file(`/${guid}.mp3`, silentMp3(at + 1)),
  }))
  host.feed('/alpha.xml', rss({ title: 'Alpha', items }))
  app.prefill(prefill)
  const { downloads, store } = app.context
  return {
    settled: async () => {
      downloads.pump()
      await downloads.settled()
    },
    files: () =>
      readdirSync(join(app.folder, 'podcasts'), { recursive: true }).filter(name => String(name).endsWith('.mp3')),
    alpha: () => store.podcasts.findByFeed(`${host.origin}/alpha.xml`),
  }
}

test('files that a rule downloaded go with their podcast', async () => {
  await using world = await startUndoing()
  const { settled, files, alpha } = await startWithFiles(world, 2)
  await moveIn(world.app, writeGpodder(world.path, world.host.origin))
  await settled()
  expect(files()).toHaveLength(2)
  await undoLatest(world.app)
  expect(files()).toEqual([])
  expect(alpha()).toBeNull()
})

test('notices of a podcast go with it', async () => {
  await using world = await startUndoing()
  const { app, host } = world
  await moveIn(app, writeGpodder(world.path, host.origin))
  const { store, refresh, notifications, admin } = app.context
  host.feed('/alpha.xml', rss({ title: 'Alpha', items: [{ guid: 'new', title: 'New' }] }))
  world.clock.advance(1000)
  await refresh.refresh(alphaOf(app, host).podcast.id, { isAsked: true })
  notifications.sendDue()
  expect(store.notifications.unread(admin, 9)).toHaveLength(1)
  await undoLatest(app)
  expect(store.notifications.unread(admin, 9)).toEqual([])
})

test('a podcast stays of which somebody has downloaded an episode', async () => {
  await using world = await startUndoing()
  const { settled, files, alpha } = await startWithFiles(world, 0)
  const { store, downloads, admin } = world.app.context
  await moveIn(world.app, writeGpodder(world.path, world.host.origin))
  const { idOf } = alphaOf(world.app, world.host)
  await downloads.request(store.episodes.find(idOf('a1'))!, admin.id)
  await settled()
  const id = await undoLatest(world.app)
  expect(files()).toHaveLength(1)
  expect(alpha()).not.toBeNull()
  expect(undoneOf(world.app, id)).toContain('podcasts kept downloaded: 1')
})

test('files that lay here before the move stay, and are found again', async () => {
  await using world = await startUndoing()
  const { app, host } = world
  const { settled, files, alpha } = await startWithFiles(world, 2)
  const { subscribe, admin, removePodcast, store, keptFiles } = app.context
  await subscribe(admin, `${host.origin}/alpha.xml`)
  await settled()
  await removePodcast(alpha()!, false)
  const before = files()
  expect(before).toHaveLength(2)
  app.prefill(0)
  await moveIn(app, writeGpodder(world.path, host.origin))
  await keptFiles.adoptAfterRefresh([alphaOf(app, host).idOf('a1')])
  expect(store.podcasts.find(alpha()!.id)!.file_count).toBe(2)
  await undoLatest(app)
  expect(alpha()).toBeNull()
  expect(files()).toEqual(before)
  await subscribe(admin, `${host.origin}/alpha.xml`)
  await keptFiles.adoptAfterRefresh([alphaOf(app, host).idOf('a1')])
  expect(store.podcasts.find(alpha()!.id)!.file_count).toBe(2)
  expect(existsSync(join(app.folder, 'podcasts'))).toBe(true)
})
