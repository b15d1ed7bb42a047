import { describeError, type Log } from '../platform/log'
import { isBusy } from '../store/writing'
import { statSync, watch } from 'node:fs'
import { MINUTE } from '../platform/clock'

/** Recurring work: asks the database what is due and knows no timer. */
export type Job = {
  name: string
  everyMs: number
  run: () => Promise<unknown>
}

const BUSY_PAUSE_MS = 50

/** Nothing is due that the database doesn't hold, so at rest it is enough to notice that somebody writes. */
export type Stillness = {
  /** A value that changes with every write to the database, by any process. */
  mark: () => unknown
  /** Calls back at the next write; null if the system can't tell. The returned function ends it. */
  watch: (onWrite: () => void) => (() => void) | null
  /** Time without a write or a request, after which jobs rest, and time between two runs at rest. */
  afterMs: number
  everyMs: number
}

type Options = {
  firstAfterMs?: number
  stillness?: Stillness
  /** Settles once a job may write. */
  whenWritable?: () => Promise<unknown>
}

/**
 * Runs each job after `firstAfterMs` and then every `everyMs`, never twice at a time. A failed run is logged; the next
 * one is due. While another process writes, jobs wait; a job that is interrupted by one begins again. At rest, frequent
 * jobs run seldom, so that a small machine can sleep; `touch` says that somebody uses the server.
 */
export function startJobs(
  jobs: readonly Job[],
  log: Log,
  { firstAfterMs = 0, whenWritable = async () => {}, stillness }: Options = {},
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
  const pace = createPace(beats, stillness)
  const beginning = setTimeout(pace.begin, firstAfterMs)
  return {
    touch: pace.touch,
    async stop() {
      isStopping = true
      clearTimeout(beginning)
      pace.stop()
      await Promise.all(running)
    },
  }
}

type Beat = { beat: () => void; everyMs: number }

/** Runs the timers of jobs: as often as they ask, or those that ask often seldom while all is still. */
function createPace(beats: readonly Beat[], stillness?: Stillness) {
  const restMs = stillness?.everyMs ?? Infinity
  const [frequent, seldom] = [beats.filter(one => one.everyMs <= restMs), beats.filter(one => one.everyMs > restMs)]
  const started: Timer[] = []
  const paced: Timer[] = []
  let isTouched = true
  let stillMs = 0
  let mark: unknown
  let stopWatching: (() => void) | null = null

  function clear() {
    for (const timer of paced.splice(0)) clearInterval(timer)
    stopWatching?.()
    stopWatching = null
  }
  function wake() {
    clear()
    isTouched = true
    for (const { beat, everyMs } of frequent) {
      beat()
      paced.push(setInterval(beat, everyMs))
    }
    if (stillness) paced.push(setInterval(() => inspect(stillness), stillness.afterMs / LOOKS))
  }
  function inspect({ afterMs, everyMs, mark: markNow, watch }: Stillness) {
    const now = markNow()
    stillMs = isTouched || now !== mark ? 0 : stillMs + afterMs / LOOKS
    isTouched = false
    mark = now
    if (stillMs < afterMs) return
    const stop = watch(wake)
    if (stop === null) return
    clear()
    stopWatching = stop
    // Together, so that the machine wakes once.
    paced.push(setInterval(() => frequent.forEach(({ beat }) => beat()), everyMs))
    // Written between the two.
    if (markNow() !== now) wake()
  }
  return {
    begin() {
      for (const { beat, everyMs } of seldom) {
        beat()
        started.push(setInterval(beat, everyMs))
      }
      wake()
    },
    touch() {
      isTouched = true
      if (stopWatching) wake()
    },
    stop() {
      clear()
      for (const timer of started) clearInterval(timer)
    },
  }
}

/** Looks during the time after which jobs rest. */
const LOOKS = 4

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

/** Notices writes to a database, by this process or another one, in the log that SQLite writes first. */
export function stillnessOf(database: string): Stillness {
  const log = `${database}-wal`
  return {
    mark() {
      const found = statSync(log, { throwIfNoEntry: false })
      return found ? `${found.size} ${found.mtimeMs} ${found.ino}` : null
    },
    watch(onWrite) {
      try {
        const watcher = watch(log, { persistent: false }, () => onWrite())
        // A system that can't watch any longer: jobs run as often as they ask.
        watcher.on('error', () => onWrite())
        return () => watcher.close()
      } catch {
        return null
      }
    },
    afterMs: 2 * MINUTE,
    everyMs: 2 * MINUTE,
  }
}

/** Health checks ask every half minute, and nothing is due because of them. */
const isHealthCheck = (url: string) => /\/(?:healthz|readyz)$/.test(url)

type Touched = { onRequest: (handler: (context: { request: Request }) => void) => unknown }

/** Calls back at every request but health checks. */
export function touchedByRequests(app: Touched, touch: () => void) {
  app.onRequest(({ request }) => {
    if (!isHealthCheck(request.url)) touch()
  })
}
