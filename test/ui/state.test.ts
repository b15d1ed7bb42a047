import { ApiError } from '../../src/ui/api/client'
import { expect, test } from 'bun:test'
import type { Job } from '../../src/shared/api/job'
import type { Podcast } from '../../src/shared/api/podcast'
import { formatDuration } from '../../src/shared/duration'
import { nextPlaybackRate, playbackRates } from '../../src/shared/playback-rates'
import type { OpmlApi } from '../../src/ui/api/opml'
import { createOpmlImport } from '../../src/ui/state/opml-import'
import { createLibrary } from '../../src/ui/state/library'
import type { Toasts } from '../../src/ui/state/toasts'
import { warnOfPhones } from '../../src/ui/state/unfavoured'
import { createPendingProgress } from '../../src/ui/state/pending-progress'
import { createPagedList } from '../../src/ui/state/paged-list'
import { createToasts } from '../../src/ui/state/toasts'

test('durations hide hours that are not there', () => {
  expect([0, 65, 3605, 36_000, -5, Number.NaN].map(formatDuration)).toEqual([
    '00:00',
    '01:05',
    '01:00:05',
    '10:00:00',
    '00:00',
    '00:00',
  ])
})

test('the playback rates cycle as listed', () => {
  expect(playbackRates.map(nextPlaybackRate)).toEqual([1, 1.1, 1.25, 1.5, 2, 2.5, 3, 0.5])
  expect(nextPlaybackRate(7)).toBe(1)
})

test('a list grows page by page, and a reload that overtakes a slow page wins', async () => {
  const slow = Promise.withResolvers<{ items: string[]; next: null }>()
  let pages = 0
  const list = createPagedList<string>(async cursor => {
    if (cursor === '2') return slow.promise
    return { items: [`first ${++pages}`], next: '2' }
  })
  await list.reload()
  expect(list.items.value).toEqual(['first 1'])
  list.loadMore()
  await list.reload()
  slow.resolve({ items: ['late'], next: null })
  await slow.promise
  expect(list.items.value).toEqual(['first 2'])
  expect(list.hasMore.value).toBe(true)
})

test('a list that fails keeps what it has and can be tried again', async () => {
  let works = false
  const list = createPagedList<string>(async () => {
    if (!works) throw new Error('down')
    return { items: ['here'], next: null }
  })
  await list.reload()
  expect([list.status.value, list.items.value]).toEqual(['failed', []])
  works = true
  await list.retry()
  expect([list.status.value, list.items.value]).toEqual(['ready', ['here']])
})

test("an event changes what everyone shares and leaves what is the user's own", async () => {
  const podcast = {
    id: 'p',
    name: 'Old',
    favorites: true,
    tags: [],
    unlistened_count: 3,
    episode_count: 5,
  } as unknown as Podcast
  const library = createLibrary({ list: async () => [podcast] } as never)
  await library.load()
  library.merge({ ...podcast, name: 'New', episode_count: 7 })
  expect(library.byId.value.get('p')).toMatchObject({
    name: 'New',
    favorites: true,
    episode_count: 7,
    unlistened_count: 5,
  })
})

test('whoever un-favours a podcast is told that phones drop it too, if there are any, and can take it back', async () => {
  for (const devices of [[], [{ id: 'phone' }]]) {
    const said: Parameters<Toasts['done']>[] = []
    const favoured: boolean[] = []
    await warnOfPhones(
      {
        client: { get: async () => devices } as never,
        library: { favour: async (_, favorites) => void favoured.push(favorites) },
        toasts: { done: (...toast) => void said.push(toast) },
      },
      { id: 'p', name: 'Fog' } as Podcast,
    )
    expect(said.length).toBe(devices.length)
    said[0]?.[1]?.run()
    expect(favoured.length).toBe(devices.length)
  }
})

test('what an event tells while the list is on its way is not lost', async () => {
  const [known, added] = [{ id: 'known' }, { id: 'added' }] as Podcast[]
  const answers = [[known!], [known!, added!]]
  const library = createLibrary({
    list: async () => {
      const answer = answers.shift()!
      if (answers.length > 0) library.merge(added!)
      return answer
    },
  } as never)
  await library.load()
  expect([...library.byId.value.keys()]).toEqual(['known', 'added'])
})

test('an import that ends while it is fetched for the first time is shown at its end', async () => {
  const slow = Promise.withResolvers<Job>()
  const running: Job = {
    id: 'one',
    kind: 'opml',
    state: 'running',
    done: 18,
    failed: 0,
    total: 20,
    startedAt: '2026-05-01T12:00:00.000Z',
    finishedAt: null,
    items: [],
  }
  const done: Job = { ...running, state: 'done', done: 20 }
  const answers = [slow.promise, Promise.resolve(done)]
  const imports = createOpmlImport({
    start: async () => ({ jobId: 'one' }),
    job: () => answers.shift()!,
    jobs: async () => [done],
  } as unknown as OpmlApi)
  const starting = imports.start()
  await Promise.resolve()
  imports.progressed({ jobId: 'one', done: 20, failed: 0, total: 20, finished: true })
  slow.resolve(running)
  await starting
  expect(imports.job.value).toMatchObject({ state: 'done', done: 20 })
})

test('a heart that the server refuses is taken back', async () => {
  const podcast = { id: 'p', favorites: false } as Podcast
  const library = createLibrary({ list: async () => [podcast], favour: () => Promise.reject(new Error('no')) } as never)
  await library.load()
  const attempt = library.favour('p', true).catch(() => 'refused')
  expect(library.byId.value.get('p')!.favorites).toBe(true)
  expect(await attempt).toBe('refused')
  expect(library.byId.value.get('p')!.favorites).toBe(false)
})

test('at most four notices are shown at once', () => {
  const toasts = createToasts()
  for (let index = 0; index < 6; index++) toasts.done(`n${index}`)
  expect(toasts.all.value.map(toast => toast.text)).toEqual(['n2', 'n3', 'n4', 'n5'])
})

test('positions wait while the server is away, also behind a proxy; what it refuses for good holds nothing up', async () => {
  const stored = new Map<string, string>()
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  }
  let status = 502
  const sent: string[] = []
  const pending = createPendingProgress(async ({ podcastEpisodeId }) => {
    if (status !== 200) throw new ApiError(status, 'unexpected', 'no')
    if (podcastEpisodeId === 'gone') throw new ApiError(404, 'episode-not-found', 'no')
    sent.push(podcastEpisodeId)
  }, storage)
  const heard = (podcastEpisodeId: string, time: number) =>
    pending.save({ podcastEpisodeId, time, timestamp: `2026-05-01T10:00:${time}Z` }).catch(() => undefined)
  for (status of [502, 401, 0]) await heard('one', 10 + status / 100)
  await heard('gone', 20)
  await heard('two', 30)
  expect(pending.find('one')?.time).toBe(10)
  status = 200
  await pending.flush()
  expect([sent, stored.size]).toEqual([['one', 'two'], 0])
})
