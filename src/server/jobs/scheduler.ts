import { describeError, type Log } from '../platform/log'

/** Work that comes round: it asks the database what is due and knows no timer. */
export type Job = {
  name: string
  everyMs: number
  run: () => Promise<unknown>
}

/** Runs each job at once and then on its beat, never twice at a time. A job that fails is logged and comes round again. */
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
        .catch(error => log.error(`job failed: ${job.name}`, { error: describeError(error) }))
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
