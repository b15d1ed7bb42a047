import { expect, test } from 'bun:test'
import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { type Job, startJobs, type Stillness, stillnessOf, touchedByRequests } from '../../../src/server/jobs/scheduler'
import { openDatabase } from '../../../src/server/store/open'
import { temporaryFolder } from '../../support/app'
import { createLog } from '../../../src/server/platform/log'

const lines: string[] = []
const log = createLog('debug', 'text', line => lines.push(line))

/** A job on a beat of a millisecond, whose runs end when the test says so. */
function heldJob(name: string) {
  let runs = 0
  let end = Promise.withResolvers<void>()
  const job: Job = {
    name,
    everyMs: 1,
    run() {
      runs++
      return end.promise
    },
  }
  return {
    job,
    runs: () => runs,
    endRun() {
      end.resolve()
      end = Promise.withResolvers()
    },
  }
}

/** A job that shows how often the beat has come round. */
function countedJob() {
  let runs = 0
  const waiting: { until: number; resolve: () => void }[] = []
  const job: Job = {
    name: 'count',
    everyMs: 1,
    async run() {
      runs++
      for (const { until, resolve } of waiting) if (runs >= until) resolve()
    },
  }
  return {
    job,
    runs: () => runs,
    beats(count: number) {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push({ until: runs + count, resolve })
      return promise
    },
  }
}

test('a job that is not done when its turn comes round is not run a second time beside itself', async () => {
  const slow = heldJob('slow')
  const beat = countedJob()
  const jobs = startJobs([slow.job, beat.job], log)
  await beat.beats(5)
  expect(slow.runs()).toBe(1)
  slow.endRun()
  await beat.beats(5)
  expect(slow.runs()).toBe(2)
  slow.endRun()
  await jobs.stop()
})

test('a job that fails is logged and comes round again', async () => {
  let runs = 0
  const beat = countedJob()
  const failing: Job = {
    name: 'fail',
    everyMs: 1,
    async run() {
      runs++
      throw new Error('no luck today')
    },
  }
  const jobs = startJobs([failing, beat.job], log)
  await beat.beats(5)
  await jobs.stop()
  expect(runs).toBeGreaterThan(1)
  expect(lines.some(line => line.includes('fail') && line.includes('no luck today'))).toBe(true)
})

test('stopping waits for what is running, and starts nothing more', async () => {
  const slow = heldJob('slow')
  const beat = countedJob()
  const jobs = startJobs([slow.job, beat.job], log)
  await beat.beats(2)
  let hasStopped = false
  const stopped = jobs.stop().then(() => (hasStopped = true))
  await Bun.sleep(0)
  expect(hasStopped).toBe(false)
  slow.endRun()
  await stopped
  expect(slow.runs()).toBe(1)
})

test('jobs that are stopped before their first run do not run', async () => {
  const beat = countedJob()
  const waiting = startJobs([beat.job], log, { firstAfterMs: 1 })
  await waiting.stop()
  const other = countedJob()
  const jobs = startJobs([other.job], log, { firstAfterMs: 1 })
  await other.beats(3)
  await jobs.stop()
  expect(beat.runs()).toBe(0)
})

/** A stillness that the test controls: what is written, and whether the system can watch. */
function startStillness(canWatch = true) {
  let writes = 0
  let wake: (() => void) | null = null
  const watching: (() => void)[] = []
  const stillness: Stillness = {
    mark: () => writes,
    watch(onWrite) {
      if (!canWatch) return null
      wake = onWrite
      for (const resolve of watching.splice(0)) resolve()
      return () => (wake = null)
    },
    afterMs: 8,
    everyMs: 1_000_000,
  }
  return {
    stillness,
    write() {
      writes++
      wake?.()
    },
    /** Settles when jobs rest. */
    rest: () => (wake ? Promise.resolve() : new Promise<void>(resolve => watching.push(resolve))),
  }
}

test('jobs rest while nobody writes and nobody asks, and a write or a request wakes them at once', async () => {
  const world = startStillness()
  const beat = countedJob()
  const clock = countedJob()
  const clocks = startJobs([clock.job], log)
  const jobs = startJobs([beat.job], log, { stillness: world.stillness })
  for (const stir of [world.write, jobs.touch]) {
    await world.rest()
    const runs = beat.runs()
    await clock.beats(20)
    expect(beat.runs()).toBe(runs)
    stir()
    await beat.beats(2)
  }
  await Promise.all([jobs.stop(), clocks.stop()])
})

test('jobs go on as before on a system that cannot watch a file', async () => {
  const beat = countedJob()
  const jobs = startJobs([beat.job], log, { stillness: startStillness(false).stillness })
  await beat.beats(60)
  await jobs.stop()
})

test('a write of another connection is noticed while jobs rest', async () => {
  const path = join(temporaryFolder(), 'castellan.db')
  const db = openDatabase(path)
  db.run('CREATE TABLE noted (at INTEGER)')
  const stillness = stillnessOf(path)
  const before = stillness.mark()
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = stillness.watch(resolve)!
  const other = new Database(path)
  other.run('INSERT INTO noted VALUES (1)')
  await promise
  stop()
  expect(stillness.mark()).not.toBe(before)
  other.close()
  db.close()
})

test('requests count as use of the server, but health checks do not', () => {
  const seen: string[] = []
  let handler = (_: { request: Request }) => {}
  touchedByRequests({ onRequest: one => (handler = one) }, () => seen.push('touched'))
  for (const path of ['/healthz', '/pods/readyz', '/api/v1/podcasts'])
    handler({ request: new Request(`http://localhost${path}`) })
  expect(seen).toHaveLength(1)
})
