import { describeError, type Log } from '../platform/log'

/** Recurring work: asks the database what is due and knows no timer. */
export type Job = {
  name: string
  everyMs: number
  run: () => Promise<unknown>
}

/**
 * Runs each job after `firstAfterMs` and then every `everyMs`, never twice at a time. A failed run is logged; the next
 * one comes.
 */
export function startJobs(jobs: readonly Job[], log: Log, firstAfterMs = 0) {
  let isStopping = false
  const running = new Set<Promise<void>>()
  const beats = jobs.map(job => {
    let isRunning = false
    const beat = () => {
      if (isRunning || isStopping) return
      isRunning = true
      const work = job
        .run()
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
