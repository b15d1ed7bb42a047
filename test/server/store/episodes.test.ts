import { expect, test } from 'bun:test'
import { plantStore } from './plant'

const file = { path: 'Fog/One.mp3', size: 5, type: 'audio/mpeg', duration: 30, now: 9 }

function plant(...titles: string[]) {
  const planted = plantStore()
  const alice = planted.user('alice')
  const { id } = planted.podcast('Fog', alice.id)
  return { ...planted, alice, id, episodes: titles.map(title => planted.episode(id, title)) }
}

test('a new file lifts a removal and what was found out about the old one', () => {
  using here = plant('One')
  const { store, episodes } = here
  const [{ id }] = episodes as [(typeof episodes)[0]]
  store.episodes.markRemoved(id, true)
  store.episodes.noteUnread(id, 'too-slow')
  store.episodes.keepFile(id, { ...file, numbered: 1 })
  expect(store.episodes.find(id)).toMatchObject({ removed: 0, chapters_unread: null, duration: 30, numbered: 1 })
  store.episodes.keepFile(id, { ...file, duration: null })
  expect(store.episodes.find(id)).toMatchObject({ duration: 30, numbered: 0 })
  store.episodes.remeasure(id, { size: 6, duration: null })
  expect(store.episodes.find(id)).toMatchObject({ file_size: 6, duration: 30 })
})

test('an estimated duration of a file fills a gap, and replaces neither the feed’s nor a measured one', () => {
  using here = plant('One')
  const { store, episodes, facts } = here
  const [{ id }] = episodes as [(typeof episodes)[0]]
  const duration = () => store.episodes.find(id)!.duration
  store.episodes.edit(id, facts('One', { duration: 0 }))
  store.episodes.keepFile(id, { ...file, duration: 4192, isEstimate: true })
  expect(duration()).toBe(4192)
  store.episodes.dropFile(id)
  store.episodes.edit(id, facts('One', { duration: 1800 }))
  store.episodes.keepFile(id, { ...file, duration: 4192, isEstimate: true })
  store.episodes.remeasure(id, { size: null, duration: 4192, isEstimate: true })
  expect(duration()).toBe(1800)
  store.episodes.remeasure(id, { size: null, duration: 1801 })
  expect(duration()).toBe(1801)
})

test('the measured duration of a file outlives an edited feed, and a date cannot move into the future', () => {
  using here = plant('One', 'Two')
  const { store, episodes, facts } = here
  const [one, two] = episodes.map(row => row.id) as [number, number]
  store.episodes.keepFile(one, file)
  const seen = episodes[0]!.first_seen_at
  for (const id of [one, two])
    store.episodes.edit(id, facts(`Edited ${id}`, { duration: 99, announced_at: seen + 1_000_000_000_000 }))
  expect(store.episodes.find(one)).toMatchObject({ title: `Edited ${one}`, duration: 30, published_at: seen })
  expect(store.episodes.find(two)).toMatchObject({ duration: 99 })
  store.episodes.edit(one, facts('Without a date'))
  expect(store.episodes.find(one)).toMatchObject({ published_at: seen, announced_at: null })
})

test('a path is taken whatever its case, since some file systems do not tell it apart', () => {
  using here = plant('One')
  const { store, episodes } = here
  store.episodes.keepFile(episodes[0]!.id, file)
  expect(store.episodes.isFileTaken('FOG/one.MP3')).toBe(true)
  expect(store.episodes.findByFile('fog/ONE.mp3')).toEqual({ id: episodes[0]!.id, file_storage: 'folder' })
  expect(store.episodes.hasFile(episodes[0]!.id, 'Fog/Two.mp3')).toBe(false)
  store.episodes.dropFile(episodes[0]!.id)
  expect(store.episodes.isFileTaken(file.path)).toBe(false)
})

test('rules download the newest that have no file, were not removed, and are still at their address', () => {
  using here = plant('Old', 'Here', 'Removed', 'Superseded', 'Newer')
  const { store, id, alice, episodes } = here
  const [old, present, removed, superseded, newer] = episodes.map(row => row.id) as [
    number,
    number,
    number,
    number,
    number,
  ]
  store.episodes.keepFile(present, file)
  store.episodes.markRemoved(removed, true)
  store.episodes.markSuperseded(superseded, true)
  expect(store.episodes.newestMissing(id, 9)).toEqual([newer, old])
  expect(store.episodes.newestMissing(id, 1)).toEqual([newer])
  expect(store.episodes.idsWithoutFile(alice, id)).toEqual([newer, superseded, removed, old])
  expect(store.episodes.idsInRange(alice, id, 2, 3)).toEqual([present, removed])
  expect(store.episodes.placeOf(id, episodes[1]!)).toEqual({ number: 2, count: 5 })
})

test('pages of a podcast go on where they ended, in either direction, and filter', () => {
  using here = plant('One %', 'Two', 'Three')
  const { store, id, alice, episodes, played } = here
  const titles = (filter: Parameters<typeof store.episodes.pageFor>[2], limit = 9) =>
    store.episodes.pageFor(alice, id, filter, limit).map(row => row.title)
  const after = { publishedAt: episodes[1]!.published_at, id: episodes[1]!.id }
  expect(titles({}, 2)).toEqual(['Three', 'Two'])
  expect(titles({ after })).toEqual(['One %'])
  expect(titles({ after, oldestFirst: true })).toEqual(['Three'])
  expect(titles({ before: after.publishedAt })).toEqual(['One %'])
  expect(titles({ text: '%' })).toEqual(['One %'])
  expect(titles({ text: 'WO' })).toEqual(['Two'])
  played(alice.id, episodes[2]!, 1, 1)
  store.episodes.keepFile(episodes[1]!.id, file)
  expect(titles({ unfinishedOnly: true })).toEqual(['Two', 'One %'])
  expect(titles({ downloaded: true })).toEqual(['Two'])
})

test('marking all is undone, but for what was played since', () => {
  using here = plant('One', 'Two', 'Three')
  const { store, id, alice, episodes, played } = here
  const [one, two, three] = episodes as [(typeof episodes)[0], (typeof episodes)[0], (typeof episodes)[0]]
  played(alice.id, two, 5)
  const mark = (until: number | null, marking: { finished: boolean; mark: string; now: number }) => {
    const wanted = store.playback.idsToMark(alice, id, until, marking.finished)
    return store.playback.markEpisodes(alice.id, wanted, marking).map(row => row.episode_id)
  }
  const marked = { finished: true, mark: 'first', now: 10 }
  expect(mark(two.published_at, marked)).toEqual([one.id, two.id])
  expect(store.playback.forgetMarksOf(alice.id, 9)).toBe(2)
  expect(mark(null, { ...marked, mark: 'second', now: 11 })).toEqual([three.id])
  expect(store.playback.unmark(alice.id, 'first', 12, 9)).toEqual({ restored: [], count: 0 })
  expect(store.playback.forgetMarksOf(alice.id, 9)).toBe(1)
  expect(mark(two.published_at, { finished: false, mark: 'third', now: 20 })).toEqual([one.id, two.id])
  played(alice.id, one, 25)
  const restored = [{ episode_id: two.id, podcast_id: id }]
  expect(store.playback.unmark(alice.id, 'third', 30, 1)).toEqual({ restored: [], count: 1 })
  expect(store.playback.unmark(alice.id, 'third', 30, 9)).toEqual({ restored, count: 1 })
  expect(store.playback.find(alice.id, one.id)).toMatchObject({ position: 60, finished: 0, updated_at: 25 })
  expect(store.playback.find(alice.id, two.id)).toMatchObject({ finished: 1, updated_at: 30 })
  expect(store.playback.latestOf(alice.id, id)).toBe(30)
})

test('a marking is forgotten after its time', () => {
  using here = plant('One')
  const { store, alice, episodes } = here
  const mark = () =>
    store.playback.markEpisodes(alice.id, [episodes[0]!.id], { finished: true, mark: 'first', now: 10 })
  mark()
  expect(store.playback.forgetMarks(10, 9)).toBe(0)
  expect(store.playback.unmark(alice.id, 'first', 20, 9).restored).toHaveLength(1)
  mark()
  expect(store.playback.forgetMarks(11, 9)).toBe(1)
  expect(store.playback.unmark(alice.id, 'first', 20, 9).restored).toEqual([])
})

test('retention keeps what somebody likes, has listed, or is in the middle of', () => {
  using here = plant('Kept', 'Liked', 'Queued', 'Listed', 'Begun', 'Finished')
  const { store, alice, episodes, played } = here
  const [kept, liked, queued, listed, begun, finished] = episodes as typeof episodes &
    Record<number, (typeof episodes)[0]>
  for (const [index, { id }] of episodes.entries())
    store.episodes.keepFile(id, { ...file, path: String(index), now: 1 })
  store.episodes.like(alice.id, liked!.id, true, 1)
  store.queue.replace(alice.id, [queued!.id], 1)
  store.playlists.replaceItems(store.playlists.add(alice.id, 'List', 1).id, [listed!.id])
  played(alice.id, begun!, 100)
  played(alice.id, finished!, 100, 1)
  const rules = { now: 10 * 86_400_000, days: 5, keepLast: null, deleteAfterListened: false, begunSince: 50, kept: [] }
  const due = (more: object) =>
    store.retention.due({ ...rules, autoCleanup: true, ...more }).map(({ id, reason }) => [id, reason])
  expect(due({})).toEqual([
    [kept!.id, 'age'],
    [finished!.id, 'age'],
  ])
  expect(due({ begunSince: 150 })).toHaveLength(3)
  expect(due({ days: 99 })).toEqual([])
  expect(due({ days: 99, deleteAfterListened: true })).toEqual([[finished!.id, 'listened']])
  expect(due({ days: 99, keepLast: 1 })).toEqual([[kept!.id, 'count']])
  expect(due({ autoCleanup: false })).toEqual([])
  expect(due({ autoCleanup: null })).toHaveLength(2)
})

test('both identifiers of an episode follow those of the one that was added before it', () => {
  using planted = plantStore()
  const { id } = planted.podcast('Fog', planted.user('alice').id)
  const rows = Array.from({ length: 50 }, (_, index) => planted.episode(id, `Fog ${index}`))
  for (const ids of [rows.map(({ uuid }) => uuid), rows.map(({ eid }) => eid)]) expect(ids).toEqual(ids.toSorted())
})
