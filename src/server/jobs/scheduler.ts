import { describeError, type Log } from '../platform/log'

/** Recurring work: asks the database what is due and knows no timer. */
export type Job = {
  name: string
  everyMs: number
  run: () => Promise<unknown>
}

/**
 * Runs each job at once and then every `everyMs`, never twice at a time. A failed run is logged; the next one comes.
 */
export function startJobs(jobs: readonly Job[], log: Log) {
  let isStopping = false
  const running = new Set<Promise<void>>()
  const timers = jobs.map(job => {
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
    beat()
    return setInterval(beat, job.everyMs)
  })
  return {
    async stop() {
      for (const timer of timers) clearInterval(timer)
      isStopping = true
      await Promise.all(running)
    },
  }
}
