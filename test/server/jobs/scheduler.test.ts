import { expect, test } from 'bun:test'
import { type Job, startJobs } from '../../../src/server/jobs/scheduler'
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
