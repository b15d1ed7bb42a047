import { describeError, type Log } from '../platform/log'
import { isBusy } from '../store/writing'

/** Recurring work: asks the database what is due and knows no timer. */
export type Job = {
  name: string
  everyMs: number
  run: () => Promise<unknown>
}

const BUSY_PAUSE_MS = 50

type Options = {
  firstAfterMs?: number
  /** Settles once a job may write. */
  whenWritable?: () => Promise<unknown>
}

/**
 * Runs each job after `firstAfterMs` and then every `everyMs`, never twice at a time. A failed run is logged; the next
 * one is due. While another process writes, jobs wait; a job that is interrupted by one begins again.
 */
export function startJobs(
  jobs: readonly Job[],
  log: Log,
  { firstAfterMs = 0, whenWritable = async () => {} }: Options = {},
) {
  let isStopping = false
  const running = new Set<Promise<void>>()

  async function runOnceWritable(job: Job): Promise<void> {
    await whenWritable()
    if (isStopping) return
    try {
      await job.run()
    } catch (error) {
      if (!isBusy(error)) throw error
      // Another process wrote first.
      await Bun.sleep(BUSY_PAUSE_MS)
      return runOnceWritable(job)
    }
  }

  const beats = jobs.map(job => {
    let isRunning = false
    const beat = () => {
      if (isRunning || isStopping) return
      isRunning = true
      const work = runOnceWritable(job)
        .catch(error => log.error(`Job failed: ${job.name}`, { error: describeError(error) }))
        .then(() => {
          isRunning = false
          running.delete(work)
        })
      running.add(work)
    }
    return { beat, everyMs: job.everyMs }
  })
  const timers: Timer[] = []
  const begin = () => {
    for (const { beat, everyMs } of beats) {
      beat()
      timers.push(setInterval(beat, everyMs))
    }
  }
  const beginning = setTimeout(begin, firstAfterMs)
  return {
    async stop() {
      isStopping = true
      clearTimeout(beginning)
      for (const timer of timers) clearInterval(timer)
      await Promise.all(running)
    },
  }
}

/** CPU time in a minute, below which nobody waits for anything. */
const QUIET_MS = 1000
/** CPU time after which tidying up is worthwhile. */
const WORKED_MS = 2000

/**
 * Tidies up after work, in the first quiet minute; called once a minute. The engine collects garbage only when it needs
 * room, which a machine with much memory never does: the garbage of an import would stay for days. A collection takes
 * some tens of milliseconds.
 */
export function createRest(tidyUp: () => void, cpuMs = usedCpuMs) {
  let before = cpuMs()
  let worked = 0
  return () => {
    const now = cpuMs()
    const used = now - before
    before = now
    worked += used
    if (used > QUIET_MS || worked < WORKED_MS) return
    worked = 0
    tidyUp()
    // Tidying up took CPU time as well, but leaves no garbage.
    before = cpuMs()
  }
}

function usedCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
