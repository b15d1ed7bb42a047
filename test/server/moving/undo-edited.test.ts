import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { startClock, startTestApp, temporaryFolder } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'
import { writeAntennapod } from '../../support/foreign/antennapod'
import { writeAudiobookshelf } from '../../support/foreign/audiobookshelf'
import { dumpOf } from '../../support/foreign/dump'
import { writeGpodder } from '../../support/foreign/gpodder'
import { changeForeign } from '../../support/foreign/write'
import { moveIn, openWorld, undoLatest, undoneOf } from './world'

async function startMoved(write: (path: string, origin: string) => string) {
  const host = startFeedHost()
  openWorld(host)
  const clock = startClock()
  const app = await startTestApp({ now: clock })
  app.prefill(0)
  const { row: alice } = await app.signUp('alice')
  await moveIn(app, write(join(temporaryFolder(), 'file'), host.origin))
  clock.advance(60_000)
  const { store } = app.context
  const podcast = (name: string) => store.podcasts.findByFeed(`${host.origin}/${name}.xml`)!
  return {
    host,
    app,
    alice,
    podcast,
    episode: (name: string, guid: string) =>
      store.episodes.knownOf(podcast(name).id).find(episode => episode.guid === guid)!.id,
    dump: () => dumpOf(app.folder, host.origin),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host.stop()
    },
  }
}

test('tags, settings, likes and favourites that somebody has renewed or edited stay as they are now', async () => {
  await using world = await startMoved(writeAntennapod)
  const { store, admin, tags, favourites } = world.app.context
  const alpha = world.podcast('alpha')
  const preferences = { speed: 2, boost: null, skipIntro: 0, skipOutro: 0, skipMarked: false }
  store.podcastSettings.keepPreferences(admin.id, alpha.id, preferences)
  store.podcastSettings.keep(alpha.id, { ...store.podcastSettings.of(alpha.id), exclude: 'weather' })
  tags.edit(admin.id, store.tags.findByName(admin.id, 'News')!.uuid, { color: 'Red', description: 'The world' })
  const liked = world.episode('alpha', 'a3')
  for (const isLiked of [false, true]) favourites.like(admin.id, liked, isLiked)
  for (const isFavoured of [false, true]) favourites.favour(admin.id, world.podcast('beta').id, isFavoured)
  const id = await undoLatest(world.app)
  expect(world.dump()).toMatchObject({
    // Renamed and paused by the move, not by people.
    podcasts: ['/alpha.xml | Alpha | 1 | 0', '/beta.xml | Beta | 1 | 0'],
    favourites: ['admin | /beta.xml'],
    tags: [],
    preferences: ['admin | /alpha.xml | 2 | - | 0 | 0'],
    rules: ['/alpha.xml | 1 | news,late night | weather'],
    likes: ['admin | /alpha.xml | a3'],
    positions: [],
    queue: [],
  })
  expect(store.tags.listFor(admin.id)).toMatchObject([{ name: 'News', color: 'Red' }])
  expect(undoneOf(world.app, id).filter(line => line.includes('kept'))).toEqual([
    'likes kept changed: 1',
    'podcasts kept favourite: 1',
    'podcasts kept set-up: 1',
    'preferences kept changed: 1',
    'rules kept changed: 1',
    'subscriptions kept changed: 1',
    'tags kept changed: 1',
  ])
})

test('a note on a bookmark stays, and a playlist that was renamed or added to', async () => {
  await using world = await startMoved(writeAudiobookshelf)
  const { alice } = world
  const { store, bookmarks } = world.app.context
  bookmarks.edit(alice, bookmarks.list(alice, undefined)[0]!.uuid, { note: 'Listen again' })
  const trip = store.playlists.findByName(alice.id, 'Trip')!
  store.playlists.append(trip.id, world.episode('alpha', 'a5'), 100)
  const id = await undoLatest(world.app)
  const { bookmarks: left, playlists, episodes } = world.dump()
  expect(left).toEqual(['alice | g1 | 70 | Listen again | 1769904000000'])
  expect(playlists).toEqual(['alice | Trip | 2 | a5'])
  expect(episodes).toContain('/gone.xml | g1 | Title g1 | 0 | 0')
  expect(undoneOf(world.app, id).filter(line => line.includes('kept'))).toEqual([
    'bookmarks kept changed: 1',
    'episodes kept bookmarked: 1',
    'playlists kept not-empty: 1',
    'podcasts kept bookmarked: 1',
    'podcasts kept listed: 1',
  ])
})

test('a playlist and a tag that somebody has emptied and renamed stay', async () => {
  await using world = await startMoved(writeAudiobookshelf)
  const { store, tags, admin } = world.app.context
  const { alice } = world
  const trip = store.playlists.findByName(alice.id, 'Trip')!
  store.playlists.rename(trip.id, 'Journey')
  const coast = store.tags.findByName(admin.id, 'Coast')!
  tags.edit(admin.id, coast.uuid, { name: 'Shore' })
  await undoLatest(world.app)
  expect(store.playlists.listFor(alice.id).map(({ name }) => name)).toEqual(['Journey'])
  expect(store.tags.listFor(admin.id).map(({ name }) => name)).toEqual(['Shore'])
  expect(world.dump()).toMatchObject({ podcasts: [], playlists: [], tags: [] })
})

test('an episode that somebody has queued again, or finished, has the place that they gave it', async () => {
  await using world = await startMoved(writeAntennapod)
  const { store, admin, queue, playback } = world.app.context
  const { idsOf } = store.queue
  const [a4, dropped, a3] = idsOf(admin.id)
  queue.remove(admin.id, store.queue.itemsFor(admin)[0]!.queue_uuid)
  queue.addAll(admin.id, [a4!], 'last')
  playback.record(admin.id, store.episodes.find(dropped!)!, { position: 1800, total: 1800 })
  expect(idsOf(admin.id)).toEqual([a3!, a4!])
  const id = await undoLatest(world.app)
  expect(idsOf(admin.id)).toEqual([a4!])
  expect(undoneOf(world.app, id)).toEqual(
    expect.arrayContaining(['queue gone: 1', 'queue kept changed: 1', 'queue undone: 1']),
  )
})

test('seconds that were listened to since stay in the statistics, those of the move go', async () => {
  await using world = await startMoved(writeAntennapod)
  const { store, admin } = world.app.context
  const [one, two, three] = ['a1', 'a2', 'a3'].map(guid => world.episode('alpha', guid))
  const { id: podcastId } = world.podcast('alpha')
  const note = (episode_id: number, before: number | null) =>
    store.moves.noteChange(1, {
      item: 0,
      kind: 'listened',
      user_id: admin.id,
      podcast_id: null,
      episode_id,
      other_id: 7,
      before: before === null ? null : JSON.stringify({ seconds: before }),
      after: store.moves.rowText('listened', { user_id: admin.id, hour: 7, episode_id }),
    })
  store.listened.add(admin.id, 7, one!, podcastId, 100)
  note(one!, null)
  store.listened.add(admin.id, 7, two!, podcastId, 100)
  note(two!, 30)
  store.listened.add(admin.id, 7, three!, podcastId, 100, { saved: 40, trimmed: 9 })
  note(three!, null)
  store.listened.add(admin.id, 7, three!, podcastId, 5, { saved: 2, trimmed: null })
  world.app.context.favourites.like(admin.id, one!, true)
  const id = await undoLatest(world.app)
  expect(store.listened.listFor(admin, 0, 10)).toMatchObject([
    { episode_id: two!, seconds: 30, saved: null, trimmed: null },
    { episode_id: three!, seconds: 5, saved: 2, trimmed: 0 },
  ])
  expect(undoneOf(world.app, id)).toContain('listened undone: 3')
})

test('positions that a later move brought stay, with their podcasts', async () => {
  await using world = await startMoved(writeAntennapod)
  const { moves, admin } = world.app.context
  const path = writeGpodder(join(temporaryFolder(), 'Database'), world.host.origin)
  changeForeign(
    path,
    "DELETE FROM episode WHERE id <> 13; DELETE FROM podcast WHERE id <> 1; UPDATE podcast SET section = 'Other'",
  )
  await moveIn(world.app, path)
  moves.undo(admin, 1)
  moves.resume()
  await moves.settled()
  expect(world.dump()).toMatchObject({
    podcasts: ['/alpha.xml | Alpha | 1 | 0'],
    favourites: [],
    positions: ['admin | /alpha.xml | a3 | 1800 | 1800 | 1 | 1772409600000 | import-gpodder'],
  })
})
