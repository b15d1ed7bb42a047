import { expect, test } from 'bun:test'
import { yourLists } from '../../../src/shared/choices'
import { plantStore } from './plant'

/** A podcast with an explicit episode and a plain one, an explicit podcast, and two viewers. */
function plant() {
  const planted = plantStore()
  const { store, user, podcast, episode, played } = planted
  const adult = user('adult')
  const child = user('child', { explicit_consent: 0 })
  const fog = podcast('Fog', adult.id)
  const plain = episode(fog.id, 'Plain')
  const rude = episode(fog.id, 'Rude', { explicit: 1 })
  const cellar = podcast('Cellar', adult.id, { explicit: 1 })
  const below = episode(cellar.id, 'Below')
  const all = [plain, rude, below]
  for (const { id } of [adult, child]) {
    const playlist = store.playlists.add(id, 'List', 1)
    store.playlists.replaceItems(
      playlist.id,
      all.map(row => row.id),
    )
    store.queue.replace(
      id,
      all.map(row => row.id),
      1,
    )
    for (const row of all) {
      store.bookmarks.add(id, row.id, { time: 1, note: null }, 1)
      store.listened.add(id, 5, row.id, row.podcast_id, 60)
      store.episodes.like(id, row.id, true, 1)
      played(id, row, 5)
    }
  }
  for (const row of all) store.downloads.enqueue(row.id, { automatic: false, userId: null, now: 1 })
  return { ...planted, adult, child, fog, cellar, plain, rude, below, all }
}

test('a hidden podcast or episode is not found, whatever asks for it', () => {
  using here = plant()
  const { store, adult, child, cellar, rude, below } = here
  store.chapters.replace(rude.id, 'feed', [{ startMs: 0, endMs: null, title: 'A', href: null, imageUrl: null }])
  const [chapter] = store.chapters.of(rude.id)
  store.documents.describe(rude.id, [{ kind: 'transcript', url: 'https://cdn.example/t', type: '', language: null }])
  const [transcript] = store.documents.of(rude.id, 'transcript')
  const download = store.downloads.findOfEpisode(below.id)!
  const requests: [string, (viewer: typeof adult) => unknown][] = [
    ['podcast-not-found', viewer => store.podcasts.require(viewer, cellar.uuid)],
    ['podcast-not-found', viewer => store.podcasts.requireFor(viewer, cellar.uuid)],
    ['episode-not-found', viewer => store.podcasts.requireOfEpisodeFor(viewer, rude.uuid)],
    ['episode-not-found', viewer => store.episodes.require(viewer, rude.uuid)],
    ['episode-not-found', viewer => store.episodes.require(viewer, below.eid)],
    ['episode-not-found', viewer => store.episodes.requireFor(viewer, below.uuid)],
    ['episode-not-found', viewer => store.episodes.requireMedia(viewer, rude.eid)],
    ['episode-not-found', viewer => store.chapters.require(viewer, chapter!.uuid)],
    ['transcript-not-found', viewer => store.documents.requireTranscript(viewer, transcript!.uuid)],
    ['download-not-found', viewer => store.downloads.require(viewer, download.uuid)],
  ]
  for (const [code, request] of requests) {
    expect(request(adult)).toBeTruthy()
    expect(() => request(child)).toThrow(expect.objectContaining({ code }))
  }
  expect(store.podcasts.findShared(child, cellar.id)).toBeNull()
})

test('lists and counts leave out what is hidden', () => {
  using here = plant()
  const { store, adult, child, fog, cellar } = here
  const seen = (viewer: typeof adult) => ({
    podcasts: store.podcasts.listFor(viewer).map(row => row.title),
    byTitle: store.podcasts.findByTitle(viewer, ['e'], 9).map(row => row.title),
    byId: [...store.podcasts.mapFor(viewer, [fog.uuid, cellar.uuid]).values()].map(row => row.title).sort(),
    counted: store.podcasts.requireFor(viewer, fog.uuid).visible_count,
    page: store.episodes.pageFor(viewer, fog.id, {}, 9).length,
    range: store.episodes.idsInRange(viewer, fog.id, 1, 9).length,
    missing: store.episodes.idsWithoutFile(viewer, fog.id).length,
    timeline: store.timeline.pageFor(viewer, everything, 9).length,
    total: store.timeline.countFor(viewer, everything),
    totalLiked: store.timeline.countFor(viewer, { ...everything, likedOnly: true }),
    totalUnplayed: store.timeline.countFor(viewer, { ...everything, unplayedOnly: true }),
    yours: yourLists.map(list => store.yourEpisodes.pageFor(viewer, list, {}, 9).length),
    allOfYours: yourLists.map(list => store.yourEpisodes.idsFor(viewer, list, 9).length),
    daysOfYours: yourLists.map(list =>
      store.yourEpisodes.quartersFor(viewer, list).reduce((sum, { count }) => sum + count, 0),
    ),
    yourCounts: store.yourEpisodes.countsFor(viewer),
    quarters: store.timeline.quartersFor(viewer, everything).reduce((sum, { count }) => sum + count, 0),
    recent: store.playback.listRecent(viewer, 9, true).length,
    queue: store.queue.itemsFor(viewer).length,
    playlist: store.playlists.itemsFor(viewer, store.playlists.listFor(viewer.id)[0]!.id).length,
    bookmarks: store.bookmarks.listFor(viewer, 9).length,
    listened: store.listened.listFor(viewer, 0, 9).length,
    downloads: store.downloads.list(viewer, ['queued'], 9, null).length,
    downloadCounts: store.downloads.counts(viewer),
    directory: store.sync.podcasts(viewer).map(row => row.title),
    newest: store.sync.newest(viewer, [fog.id, cellar.id], 0, 9).length,
    liked: store.sync.liked(viewer).length,
    onDevices: store.sync.podcastsOf(adult.id, viewer.explicit_consent === 1).length,
  })
  const everything = { favouritesOnly: false, likedOnly: false, unplayedOnly: false }
  expect(seen(adult)).toEqual({
    podcasts: ['Cellar', 'Fog'],
    byTitle: ['Cellar'],
    byId: ['Cellar', 'Fog'],
    counted: 2,
    page: 2,
    range: 2,
    missing: 2,
    timeline: 3,
    total: 3,
    totalLiked: 3,
    totalUnplayed: 0,
    yours: [3, 3, 3, 0, 3],
    allOfYours: [3, 3, 3, 0, 3],
    daysOfYours: [3, 3, 3, 0, 3],
    yourCounts: { liked: 3, bookmarked: 3, 'in-progress': 3, downloaded: 0 },
    quarters: 3,
    recent: 3,
    queue: 3,
    playlist: 3,
    bookmarks: 3,
    listened: 3,
    downloads: 3,
    downloadCounts: { queued: 3 },
    directory: ['Cellar', 'Fog'],
    newest: 3,
    liked: 3,
    onDevices: 2,
  })
  expect(seen(child)).toEqual({
    podcasts: ['Fog'],
    byTitle: [],
    byId: ['Fog'],
    counted: 1,
    page: 1,
    range: 1,
    missing: 1,
    timeline: 1,
    total: 1,
    totalLiked: 1,
    totalUnplayed: 0,
    yours: [1, 1, 1, 0, 1],
    allOfYours: [1, 1, 1, 0, 1],
    daysOfYours: [1, 1, 1, 0, 1],
    yourCounts: { liked: 1, bookmarked: 1, 'in-progress': 1, downloaded: 0 },
    quarters: 1,
    recent: 1,
    queue: 1,
    playlist: 1,
    bookmarks: 1,
    listened: 1,
    downloads: 1,
    downloadCounts: { queued: 1 },
    directory: ['Fog'],
    newest: 1,
    liked: 1,
    onDevices: 1,
  })
})

test('a notification about what has become hidden is not shown, one about what is gone is', () => {
  using here = plant()
  const { store, child, fog, cellar, rude } = here
  const notice = { userId: child.id, type: 'NewEpisodes', batch: 1, episodeCount: 1, episodeTitle: '' } as const
  const add = (podcastId: number, episodeId: number) =>
    store.notifications.add({ ...notice, podcastId, podcastTitle: String(podcastId), episodeId }, 1)
  add(fog.id, rude.id)
  add(cellar.id, rude.id)
  const shown = () => store.notifications.unread(child, 9).map(row => row.message)
  expect(shown()).toEqual([String(fog.id)])
  store.inRemoval(() => store.removals.remove('podcast', fog.id, ''))
  expect(shown()).toEqual([String(fog.id)])
})

test('everything personal is found by its owner alone, and an import by admins, too', () => {
  using here = plantStore()
  const { store, user } = here
  const [alice, bob, root] = [user('alice'), user('bob'), user('root', { role: 'admin' })]
  const tag = store.tags.add(alice.id, { name: 'Sea', color: 'Red' }, 1)
  const playlist = store.playlists.add(alice.id, 'List', 1)
  store.sync.saveDevice(alice.id, 'phone', {}, 1)
  const job = store.jobs.add(alice.id, 'opml', [], 1)
  expect(store.tags.require(alice.id, tag.uuid).name).toBe('Sea')
  expect(store.playlists.require(alice.id, playlist.uuid).name).toBe('List')
  expect(store.sync.requireDevice(alice.id, 'phone').caption).toBe('New Device')
  expect(store.users.require('ALICE').id).toBe(alice.id)
  const isFound = (viewer: typeof alice) => {
    try {
      return store.jobs.require(viewer, job.uuid).id === job.id
    } catch {
      return false
    }
  }
  expect([alice, bob, root].map(isFound)).toEqual([true, false, true])
  expect(() => store.tags.require(bob.id, tag.uuid)).toThrow(expect.objectContaining({ code: 'tag-not-found' }))
  expect(() => store.playlists.require(bob.id, playlist.uuid)).toThrow(
    expect.objectContaining({ code: 'playlist-not-found' }),
  )
  expect(() => store.sync.requireDevice(bob.id, 'phone')).toThrow(expect.objectContaining({ code: 'not-found' }))
  expect(() => store.queue.requireItem(bob.id, 'x')).toThrow(expect.objectContaining({ code: 'queue-item-not-found' }))
  expect(() => store.invites.require('x')).toThrow(expect.objectContaining({ code: 'invite-not-found' }))
  expect(() => store.users.require('nobody')).toThrow(expect.objectContaining({ code: 'user-not-found' }))
  expect(store.bookmarks.remove(bob.id, 'x')).toBe(false)
})
