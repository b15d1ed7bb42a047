import { expect, test } from 'bun:test'
import type { Job, JobItem, OpmlImport } from '../../../src/shared/api/job'
import { createOpmlImport } from '../../../src/ui/state/opml-import'
import { createCalls, settled } from '../../support/settled'

const job = (rest: Partial<Job> = {}): Job => ({
  id: 'one',
  kind: 'opml',
  state: 'running',
  done: 18,
  failed: 0,
  total: 20,
  startedAt: '2026-05-01T12:00:00.000Z',
  finishedAt: null,
  items: [],
  ...rest,
})

/** An import page with two new feeds and one known one in its file, and a server that the test answers for. */
async function startImport() {
  const started: OpmlImport[] = []
  const starting = Promise.withResolvers<void>()
  const jobCalls = createCalls<[string], Job>()
  const cancelled: string[] = []
  const server = { jobs: [job()] }
  const imports = createOpmlImport({
    preview: async () => [
      { feedUrl: 'a', known: false },
      { feedUrl: 'b', known: true },
      { feedUrl: 'c', known: false },
    ],
    start: async (source: OpmlImport) => {
      started.push(source)
      starting.resolve()
      return { jobId: 'one' }
    },
    jobs: async () => server.jobs,
    job: jobCalls.call,
    cancel: async (id: string) => void cancelled.push(id),
  } as never)
  await imports.preview({ content: '<opml/>' })
  return { imports, started, starting: starting.promise, jobCalls, cancelled, server }
}

test('a file is read without adding anything, and every new feed is chosen', async () => {
  const { imports, started } = await startImport()
  expect([[...imports.chosen.value], imports.outlines.value?.length, started]).toEqual([['a', 'c'], 3, []])
})

test('feeds are chosen and left out, and only the chosen ones are imported', async () => {
  const { imports, started, jobCalls } = await startImport()
  imports.choose(['a', 'c'], false)
  imports.choose(['b', 'c'], true)
  void imports.start()
  await settled()
  expect(started).toEqual([{ content: '<opml/>', only: ['b', 'c'] }])
  await jobCalls.answer(job())
  expect([imports.job.value?.state, imports.outlines.value]).toEqual(['running', null])
})

test('a file that is discarded is gone', async () => {
  const { imports } = await startImport()
  imports.discard()
  expect(imports.outlines.value).toBe(null)
})

test('the newest import is shown, whatever other jobs there are', async () => {
  const { imports, jobCalls, server } = await startImport()
  server.jobs = [job({ id: 'rename', kind: 'rescan' as Job['kind'] }), job({ id: 'newest' }), job()]
  void imports.load()
  await settled()
  expect(jobCalls.calls[0]!.args).toEqual(['newest'])
  await jobCalls.answer(job({ id: 'newest' }))
  expect(imports.job.value?.id).toBe('newest')
  server.jobs = []
  await imports.load()
  expect(imports.job.value).toBe(null)
})

test('events move the import on, and note what failed', async () => {
  const { imports, jobCalls } = await startImport()
  void imports.start()
  await settled()
  await jobCalls.answer(job())
  imports.added({ jobId: 'one', feedUrl: 'a', done: 19, total: 20 } as never)
  expect([imports.job.value?.done, imports.latest.value]).toEqual([19, 'a'])
  const failure = {
    jobId: 'one',
    feedUrl: 'c',
    title: 'C',
    errorCode: 'not-a-feed',
    message: 'no',
    done: 20,
    total: 20,
  }
  imports.failed(failure as never)
  imports.failed(failure as never)
  expect(imports.job.value).toMatchObject({ done: 20, failed: 2, items: [{ feedUrl: 'c', state: 'failed' }] })
  expect([imports.job.value?.items.length, imports.latest.value]).toEqual([1, 'c'])
})

test('an event of another import changes nothing', async () => {
  const { imports, jobCalls } = await startImport()
  void imports.start()
  await settled()
  await jobCalls.answer(job())
  imports.progressed({ jobId: 'other', done: 1, failed: 0, total: 1, finished: true })
  expect(imports.job.value).toEqual(job())
})

test('an import that ends while it is fetched for the first time is fetched again', async () => {
  const { imports, jobCalls } = await startImport()
  const starting = imports.start()
  await settled()
  imports.progressed({ jobId: 'one', done: 20, failed: 0, total: 20, finished: true })
  await jobCalls.answer(job())
  await jobCalls.answer(job({ state: 'done', done: 20 }))
  await starting
  expect(imports.job.value).toMatchObject({ state: 'done', done: 20 })
})

test('an event of an import that is fetched again is newer than the answer', async () => {
  const { imports, jobCalls } = await startImport()
  const loading = imports.load()
  await settled()
  await jobCalls.answer(job())
  await loading
  const again = imports.load()
  await settled()
  imports.progressed({ jobId: 'one', done: 19, failed: 0, total: 20, finished: false })
  await jobCalls.answer(job())
  await jobCalls.answer(job({ done: 19 }))
  await again
  expect(imports.job.value).toMatchObject({ done: 19 })
})

test('an import that has ended is shown as such, and then as the server has it', async () => {
  const { imports, jobCalls } = await startImport()
  void imports.start()
  await settled()
  await jobCalls.answer(job())
  imports.progressed({ jobId: 'one', done: 20, failed: 1, total: 20, finished: true })
  expect(imports.job.value).toMatchObject({ state: 'done', done: 20, failed: 1 })
  await settled()
  await jobCalls.answer(job({ state: 'done', items: [{ feedUrl: 'a' } as JobItem] }))
  expect(imports.job.value?.items.length).toBe(1)
})

test('what failed is imported again by a file of its own, whatever its titles are', async () => {
  const { imports, started, starting } = await startImport()
  void imports.retry([
    { feedUrl: 'https://a.example/?x=1&y=2', title: 'A "<b>"' } as JobItem,
    { feedUrl: 'https://b.example/', title: null } as JobItem,
  ])
  await starting
  expect(started[0]!.content).toBe(
    '<opml version="2.0"><body><outline text="A &quot;&lt;b>&quot;" xmlUrl="https://a.example/?x=1&amp;y=2"/>' +
      '<outline text="https://b.example/" xmlUrl="https://b.example/"/></body></opml>',
  )
})

test('an import is cancelled, and shown as the server then has it', async () => {
  const { imports, jobCalls, cancelled } = await startImport()
  void imports.start()
  await settled()
  await jobCalls.answer(job())
  void imports.cancel()
  await settled()
  await jobCalls.answer(job({ state: 'cancelled' as Job['state'] }))
  expect([cancelled, imports.job.value?.state as string]).toEqual([['one'], 'cancelled'])
})
