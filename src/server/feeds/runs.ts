import type { ErrorCode } from '../../shared/error-code'
import type { Changes, Publish } from '../platform/events'
import { describeError, type Log } from '../platform/log'

export type RefreshOutcome =
  | { result: 'unchanged' }
  | ({ result: 'updated'; explicit: Changes } & Changes)
  | { result: 'failed'; code: ErrorCode; message: string }

export const unchanged: RefreshOutcome = { result: 'unchanged' }
export const internalError = {
  code: 'unexpected',
  message: 'Internal error; the log has the details',
} as const

type Needs = { publish: Publish; log: Log; signal: AbortSignal }
/**
 * `isAsked`: a person asked for this run and hears its outcome, whatever it is. `isWhole`: they mean this one podcast,
 * whose host is not believed that nothing changed.
 */
type Run = { outcome: Promise<RefreshOutcome>; isAsked: boolean; isWhole: boolean }
type RunOptions = {
  isAsked?: boolean
  isWhole?: boolean
  /** Announces nothing, unless a person asked. */
  isQuiet?: boolean
}

/** Runs the work on feeds, one at a time for each podcast, and announces its outcomes. Nothing here rejects. */
export function createRuns({ publish, log, signal }: Needs) {
  const runs = new Map<number, Run>()

  function finish(id: number, run: Run, outcome: RefreshOutcome, { isQuiet = false }: RunOptions) {
    if (runs.get(id) === run) runs.delete(id)
    const isNews = !isQuiet && outcome.result !== 'unchanged'
    if (!signal.aborted && (run.isAsked || isNews)) announce(publish, id, outcome, run.isAsked)
    return outcome
  }

  function failUnexpectedly(error: unknown): RefreshOutcome {
    if (!signal.aborted) log.error('Refresh failed', { error: describeError(error) })
    return { result: 'failed', ...internalError }
  }

  return {
    isRunning: (id: number) => runs.has(id),
    isAsked: (id: number) => runs.get(id)?.isAsked ?? false,
    isWhole: (id: number) => runs.get(id)?.isWhole ?? false,
    /** The run of this podcast, if there is one. */
    join(id: number, { isAsked = false, isWhole = false }: RunOptions): Promise<RefreshOutcome> | null {
      const run = runs.get(id)
      if (run) run.isAsked ||= isAsked
      if (run) run.isWhole ||= isWhole
      return run?.outcome ?? null
    },
    /** Runs `work` once the podcast's current run has ended; a refresh that is asked for in the meantime joins it. */
    exclusively(id: number, options: RunOptions, work: () => Promise<RefreshOutcome>): Promise<RefreshOutcome> {
      const before = runs.get(id)?.outcome
      const { isAsked = false, isWhole = false } = options
      const run: Run = { outcome: Promise.resolve(unchanged), isAsked, isWhole }
      // Set before the work begins, which looks up whether anybody asked for it.
      runs.set(id, run)
      run.outcome = (before ? before.then(work) : work())
        .catch(failUnexpectedly)
        .then(outcome => finish(id, run, outcome, options))
      return run.outcome
    },
    /** Settles when every current run has ended. */
    settled: () => Promise.all([...runs.values()].map(run => run.outcome)),
  }
}

const nothing = { added: 0, updated: 0, explicit: { added: 0, updated: 0 } }

function announce(publish: Publish, podcastId: number, outcome: RefreshOutcome, isAsked: boolean) {
  const { result } = outcome
  const { added, updated, explicit } = result === 'updated' ? outcome : nothing
  if (!isAsked && result === 'updated' && added + updated === 0) return
  publish({
    type: 'refreshedPodcast',
    podcastId,
    result,
    added,
    updated,
    explicit,
    ...(result === 'failed' && { errorCode: outcome.code, message: outcome.message }),
  })
}
