import { expect, test } from 'bun:test'
import type { Progress } from '../../../src/shared/api/history'
import { ApiError } from '../../../src/ui/api/client'
import { createPendingProgress } from '../../../src/ui/state/pending-progress'
import { createMemoryStorage } from '../../support/memory-storage'

const at = (podcastEpisodeId: string, time: number): Progress => ({
  podcastEpisodeId,
  time,
  timestamp: new Date(Date.UTC(2026, 4, 1, 10, 0, time)).toISOString(),
})

/** Pending positions of this browser, and a server that answers with `status`; it accepts positions only on 200. */
function start(initial: Record<string, string> = {}) {
  const server = { status: 200, sent: [] as string[], leavingFlags: [] as (boolean | undefined)[] }
  const storage = createMemoryStorage(initial)
  const pending = createPendingProgress(async ({ podcastEpisodeId, time }, options) => {
    if (server.status !== 200) throw new ApiError(server.status, 'unexpected', 'no')
    server.sent.push(`${podcastEpisodeId} at ${time}`)
    server.leavingFlags.push(options?.leaving)
  }, storage)
  const save = (progress: Progress) => pending.save(progress).catch(() => undefined)
  return { server, storage, pending, save }
}

test('a position that the server accepts is no longer pending', async () => {
  const { server, storage, pending } = start()
  await pending.save(at('one', 10), { leaving: true })
  expect([server.sent, server.leavingFlags, storage.stored.size]).toEqual([['one at 10'], [true], 0])
})

test.each([0, 401, 408, 429, 500, 502])('a position that fails with %d is kept and sent again', async status => {
  const { server, storage, pending, save } = start()
  server.status = status
  await save(at('one', 10))
  expect(pending.find('one')?.time).toBe(10)
  server.status = 200
  await pending.flush()
  expect([server.sent, storage.stored.size]).toEqual([['one at 10'], 0])
})

test.each([400, 403, 404, 409, 422])('a refusal with %d is final', async status => {
  const { server, pending, save } = start()
  server.status = status
  await save(at('one', 10))
  expect(pending.find('one')).toBeUndefined()
})

test('a position that is kept still throws its failure', async () => {
  const { server, pending } = start()
  server.status = 500
  expect(await pending.save(at('one', 10)).catch((error: ApiError) => error.status)).toBe(500)
})

test('only the last position of an episode is kept', async () => {
  const { server, pending, save } = start()
  server.status = 502
  await save(at('one', 10))
  await save(at('one', 20))
  await save(at('two', 5))
  server.status = 200
  await pending.flush()
  expect(server.sent).toEqual(['one at 20', 'two at 5'])
})

test('sending stops when the server is gone again, and nothing is lost', async () => {
  const { server, pending, save } = start()
  server.status = 502
  for (const name of ['one', 'two']) await save(at(name, 10))
  expect(await pending.flush().catch((error: ApiError) => error.status)).toBe(502)
  expect([pending.find('one')?.time, pending.find('two')?.time]).toEqual([10, 10])
})

test('a newer position saved while an older one is being sent stays pending', async () => {
  const storage = createMemoryStorage()
  const gone = createPendingProgress(async ({ time }) => {
    if (time === 10) void gone.save(at('one', 20)).catch(() => undefined)
    else throw new ApiError(0, 'offline', 'no')
  }, storage)
  await gone.save(at('one', 10))
  expect(gone.find('one')?.time).toBe(20)
})

test('the time saved by a report that did not arrive is added to the next one, and sent once', async () => {
  let isDown = true
  const sent: Progress[] = []
  const pending = createPendingProgress(async progress => {
    if (isDown) throw new ApiError(0, 'offline', 'no')
    sent.push(progress)
  }, createMemoryStorage())
  await pending.save({ ...at('one', 10), saved: 3, trimmed: 1 }).catch(() => undefined)
  await pending.save(at('one', 20)).catch(() => undefined)
  isDown = false
  await pending.flush()
  await pending.save({ ...at('one', 30), saved: 2, trimmed: 0 })
  expect(sent.map(({ time, saved, trimmed }) => [time, saved, trimmed])).toEqual([
    [20, 3, 1],
    [30, 2, 0],
  ])
})

test('a full storage does not stop sending, and unreadable stored data are ignored', async () => {
  const { server, storage, pending } = start({ 'progress.pending': '{not json' })
  storage.isFull = true
  await pending.save(at('one', 10))
  expect(server.sent).toEqual(['one at 10'])
})

test('clear removes every pending position', async () => {
  const { server, pending, save } = start()
  server.status = 0
  for (const name of ['one', 'two']) await save(at(name, 10))
  pending.clear()
  expect([pending.find('one'), pending.find('two')]).toEqual([undefined, undefined])
})
