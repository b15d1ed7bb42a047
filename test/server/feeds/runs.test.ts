import { expect, test } from 'bun:test'
import { createRuns, type RefreshOutcome } from '../../../src/server/feeds/runs'
import type { DomainEvent } from '../../../src/server/platform/events'
import { createLog } from '../../../src/server/platform/log'

const updated: RefreshOutcome = { result: 'updated', added: 1, updated: 0, explicit: { added: 0, updated: 0 } }
const unchanged: RefreshOutcome = { result: 'unchanged' }

function startRuns() {
  const events: DomainEvent[] = []
  const lines: string[] = []
  const stopping = new AbortController()
  const log = createLog('debug', 'text', line => lines.push(line))
  const runs = createRuns({ publish: event => events.push(event), log, signal: stopping.signal })
  return { ...runs, events, lines, stop: () => stopping.abort() }
}

test('an update is announced; that nothing changed only to a person who asked', async () => {
  const runs = startRuns()
  await runs.exclusively(1, {}, async () => updated)
  expect(runs.events).toMatchObject([{ type: 'refreshedPodcast', podcastId: 1, result: 'updated', added: 1 }])
  await runs.exclusively(1, {}, async () => unchanged)
  expect(runs.events).toHaveLength(1)
  await runs.exclusively(1, { isAsked: true }, async () => unchanged)
  expect(runs.events.at(-1)).toMatchObject({ result: 'unchanged' })
})

test('a quiet run announces nothing, unless a person joins it', async () => {
  const runs = startRuns()
  await runs.exclusively(1, { isQuiet: true }, async () => updated)
  expect(runs.events).toEqual([])
  const work = Promise.withResolvers<RefreshOutcome>()
  const run = runs.exclusively(1, { isQuiet: true }, () => work.promise)
  expect(runs.join(1, { isAsked: true })).not.toBeNull()
  work.resolve(updated)
  await run
  expect(runs.events).toHaveLength(1)
})

test('two runs of one podcast follow each other', async () => {
  const runs = startRuns()
  const first = Promise.withResolvers<RefreshOutcome>()
  const order: string[] = []
  void runs.exclusively(1, {}, () => first.promise.finally(() => order.push('first')))
  const second = runs.exclusively(1, {}, async () => {
    order.push('second')
    return unchanged
  })
  first.resolve(unchanged)
  await second
  expect(order).toEqual(['first', 'second'])
  expect(runs.isRunning(1)).toBe(false)
})

test('an error is a failed run, logged with its cause; while the server stops it is neither logged nor announced', async () => {
  const runs = startRuns()
  const fail = async () => {
    throw new Error('no such column')
  }
  expect(await runs.exclusively(1, {}, fail)).toMatchObject({ result: 'failed', code: 'unexpected' })
  expect(runs.lines.join()).toContain('no such column')
  expect(runs.events).toHaveLength(1)
  runs.stop()
  await runs.exclusively(1, {}, fail)
  expect([runs.lines.length, runs.events.length]).toEqual([1, 1])
})
