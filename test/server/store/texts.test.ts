import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { packDocument } from '../../../src/server/store/documents'
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { searchPlace } from '../../../src/server/store/search'
import { plantStore } from './plant'

function plant() {
  const planted = plantStore()
  const alice = planted.user('alice')
  const podcast = planted.podcast('Fog', alice.id)
  const addEpisode = (title: string) => planted.episode(podcast.id, title)
  return { ...planted, alice, podcast, addEpisode, episode: addEpisode('One') }
}
const chapter = (title: string, startMs = 0) => ({ startMs, endMs: null, title, href: null, imageUrl: null })
const transcript = (url: string) => ({ kind: 'transcript', url, type: 'text/vtt', language: null }) as const

test('chapters come from the best source that has any', () => {
  using here = plant()
  const { store, episode } = here
  const titles = () => store.chapters.of(episode.id).map(row => row.title)
  store.chapters.replace(episode.id, 'notes', [chapter('From the notes')])
  store.chapters.replace(episode.id, 'feed', [chapter('Later', 9), chapter('Earlier', 1)])
  expect(titles()).toEqual(['Earlier', 'Later'])
  store.chapters.replace(episode.id, 'feed', [])
  expect([titles(), store.episodes.find(episode.id)!.has_own_chapters]).toEqual([['From the notes'], 1])
  store.chapters.replace(episode.id, 'notes', [])
  expect(store.episodes.find(episode.id)!.has_own_chapters).toBe(0)
})

test('a document that was fetched outlives its mention in the feed', () => {
  using here = plant()
  const { store, episode } = here
  const urls = () => store.documents.of(episode.id, 'transcript').map(row => row.url)
  store.documents.describe(episode.id, [transcript('a'), transcript('b')])
  const [first] = store.documents.of(episode.id, 'transcript')
  store.documents.request([first!.id], 5)
  expect(store.documents.due(4, 9)).toEqual([])
  expect(store.documents.due(5, 9)).toMatchObject([{ url: 'a' }])
  store.documents.fail(first!.id, { error: 'No answer', cause: 'unreachable' }, 7)
  expect(store.documents.find(first!.uuid)).toMatchObject({ state: 'failed', failures: 1, due_at: 7 })
  const segments = [{ startMs: 1, endMs: 2, speaker: null, text: 'Ships' }]
  store.documents.keep(first!.id, { ...packDocument(new Uint8Array([1, 2]), segments), format: 'vtt' }, 9)
  expect(store.documents.find(first!.uuid)).toMatchObject({ state: 'parsed', failures: 0, due_at: null, error: null })
  expect(store.documents.bodyOf(first!.id)).toEqual(Buffer.from([1, 2]))
  expect(store.documents.segmentsOf(first!.id)).toEqual(segments)
  store.documents.request([first!.id], 5)
  expect(store.documents.due(10, 9)).toEqual([])
  store.documents.describe(episode.id, [transcript('c')])
  expect(urls().sort()).toEqual(['a', 'c'])
  expect([...store.documents.transcriptsOf([episode.id]).keys()]).toEqual([episode.id])
})

test('the index finds an episode by its latest texts, newest first, within dates', () => {
  using here = plant()
  const { store, alice, podcast, episode } = here
  const later = here.addEpisode('Two')
  const put = (row: typeof episode, notes: string) => {
    const place = searchPlace(row.published_at, row.id)
    store.search.put(row.id, place, { title: row.title, notes, chapters: '', transcript: '' })
  }
  const found = (match: string, filter: object = {}) =>
    store.search.find(alice, 'text_index', match, filter, 9).map(row => [row.title, row.podcast_title])
  expect([store.search.isBehind(), store.search.findUnindexed()?.id]).toEqual([true, episode.id])
  put(episode, 'ships')
  put(later, 'ships')
  expect(store.search.isBehind()).toBe(false)
  expect(found('ships')).toEqual([
    ['Two', 'Fog'],
    ['One', 'Fog'],
  ])
  expect(found('ships', { to: episode.published_at })).toEqual([['One', 'Fog']])
  expect(found('ships', { from: later.published_at })).toEqual([['Two', 'Fog']])
  expect(found('ships', { before: searchPlace(later.published_at, later.id) })).toEqual([['One', 'Fog']])
  expect(found('ships', { podcastId: podcast.id + 1 })).toEqual([])
  expect(found('ships', { downloaded: true })).toEqual([])
  store.search.drop(episode.id)
  store.search.drop(episode.id)
  put(episode, 'lamps')
  expect([found('ships'), found('lamps')]).toEqual([[['Two', 'Fog']], [['One', 'Fog']]])
  expect(store.health.isIndexDamaged()).toBe(false)
})

test('a cover that failed is tried again at its time, and a new one clears the failures', () => {
  using here = plant()
  const { store, podcast } = here
  store.covers.fail(podcast.id, 'a', 5)
  store.covers.fail(podcast.id, 'a', 7)
  expect(store.covers.find(podcast.id, 'a')).toMatchObject({ failures: 2, retry_at: 7, digest: null })
  expect(store.covers.isUsed('digest')).toBe(false)
  store.covers.keep(podcast.id, 'a', { digest: 'digest', type: 'image/png', color: '', now: 8 })
  expect(store.covers.find(podcast.id, 'a')).toMatchObject({ failures: 0, retry_at: null, fetched_at: 8 })
  expect([store.covers.isUsed('digest'), store.covers.someOf(podcast.id, 9)]).toMatchObject([
    true,
    [{ digest: 'digest' }],
  ])
  store.health.forgetCover(store.health.covers()[0]!.id)
  expect(store.covers.isUsed('digest')).toBe(false)
})

test('a kept file returns only to the episode that it is of', () => {
  using here = plant()
  const { store, podcast, episode, facts } = here
  const { feed_url } = podcast
  const kept = {
    path: 'a',
    storage: 'folder' as const,
    feed_url,
    guid: 'One',
    size: 1,
    digest: 'd',
    type: 'audio/mpeg',
    numbered: 0,
  }
  const { title, enclosure_url, announced_at } = episode
  const fits = (more: object) => {
    store.keptFiles.add({ ...kept, title, enclosure_url, announced_at, ...more })
    return store.keptFiles.ofPodcast(podcast.id).length === 1
  }
  expect(fits({})).toBe(true)
  // Without a date, both the title and the address must be the same.
  expect([fits({ title: 'Other' }), fits({ enclosure_url: 'other' }), fits({ guid: 'other' })]).toEqual([
    false,
    false,
    false,
  ])
  store.episodes.edit(episode.id, facts('One', { announced_at: 5 }))
  expect([fits({ announced_at: 5, title: 'Other' }), fits({ announced_at: 6 })]).toEqual([true, false])
  expect(fits({ announced_at: 5 })).toBe(true)
  expect(store.keptFiles.podcasts()).toEqual([podcast.id])
  store.downloads.enqueue(episode.id, { automatic: false, userId: null, now: 1 })
  expect(store.keptFiles.ofPodcast(podcast.id)).toEqual([])
  expect(store.keptFiles.ofEpisode(podcast.id, episode.id)).toHaveLength(1)
})

test('times that a clock left in the future are brought back, others stay', () => {
  using here = plant()
  const { store, alice, podcast, episode, played } = here
  const year = 365 * 86_400_000
  const now = 100 * year
  store.podcasts.recordCheck(podcast.id, {
    checkedAt: 1,
    nextCheckAt: now + year,
    intervalMs: null,
    failures: 0,
    error: null,
    warnings: false,
    gone: false,
  })
  store.downloads.enqueue(episode.id, { automatic: false, userId: null, now: 1 })
  const { id } = store.downloads.findOfEpisode(episode.id)!
  store.downloads.wait(id, 1, now + year, { code: 'upstream-timeout', message: '' })
  store.documents.describe(episode.id, [transcript('a')])
  store.documents.request([store.documents.of(episode.id, 'transcript')[0]!.id], now + year)
  store.covers.keep(podcast.id, 'a', { digest: 'd', type: 'image/png', color: '', now: now + year })
  store.covers.fail(podcast.id, 'b', now + year)
  played(alice.id, episode, now + year)
  expect(store.health.latest()).toBe(now + year)
  expect(store.times.pullBack(now, 9)).toBe(6)
  expect(store.podcasts.find(podcast.id)!.next_check_at).toBe(now)
  expect(store.downloads.find(id)!.next_attempt_at).toBe(now)
  expect(store.documents.due(now, 9)).toHaveLength(1)
  expect(store.covers.find(podcast.id, 'a')!.fetched_at).toBe(now)
  expect(store.covers.find(podcast.id, 'b')!.retry_at).toBeNull()
  expect(store.playback.find(alice.id, episode.id)!.updated_at).toBe(now)
  expect(store.times.pullBack(now, 9)).toBe(0)
})

test('a row whose parent is gone is damage', () => {
  using here = plant()
  const { store, path, podcast } = here
  expect(store.health.damage()).toBeNull()
  const db = new Database(path)
  db.run('PRAGMA foreign_keys = OFF')
  db.query('DELETE FROM podcast WHERE id = ?').run(podcast.id)
  db.close()
  expect(store.health.damage()).toContain('episode')
})

test('a backup is for its owner alone, and a failed one leaves nothing behind', () => {
  using here = plant()
  const { store, path } = here
  const folder = dirname(path)
  const target = join(folder, 'backups', 'copy.db')
  store.writeBackup(new Uint8Array(32), target)
  expect(statSync(target).mode & 0o777).toBe(0o600)
  // A file cannot take the place of a folder: the last step fails.
  const taken = join(folder, 'backups', 'taken.db')
  mkdirSync(taken)
  expect(() => store.writeBackup(new Uint8Array(32), taken)).toThrow(/could not be written/)
  expect(readdirSync(join(folder, 'backups')).sort()).toEqual(['copy.db', 'taken.db'])
})
