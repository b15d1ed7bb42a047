import type { TaskHandlers } from '../../thread/serve'
import { cut, type CutTitles } from './index'
import type { CutPlan } from './plan'
import { CutRefused, type CutRefusal, type CutSpan } from './source'

export type CutRequest = { size: number; type: string; span: CutSpan; titles: CutTitles }

/** A cut needs bytes of its file, or has come to its end. */
export type CutStep = { needs: { from: number; to: number } } | { plan: CutPlan } | { refused: CutRefusal }

/**
 * Tasks of the second thread for one cut, which gets its bytes from where the file can be read, and lets other tasks
 * pass while it waits for them. `lost`: it went with the thread that it began in.
 */
export type CutTasks = {
  beginCut: { request: CutRequest; result: { kept: number; step: CutStep } }
  continueCut: { request: { kept: number; bytes: Uint8Array }; result: CutStep | 'lost' }
  /** Drops a cut that waits for bytes. */
  endCut: { request: number; result: void }
}

/** A cut that waits for bytes. */
type Waiting = { give: (bytes: Uint8Array) => void; next: () => Promise<CutStep> }

export function createCutTasks(): TaskHandlers<CutTasks> {
  const cuts = new Map<number, Waiting>()
  return {
    async beginCut(request, kept) {
      const { waiting, first } = startCut(request)
      cuts.set(kept, waiting)
      return { kept, step: await first }
    },
    async continueCut({ kept, bytes }) {
      const waiting = cuts.get(kept)
      if (!waiting) return 'lost'
      const next = waiting.next()
      waiting.give(bytes)
      const step = await next
      if (!('needs' in step)) cuts.delete(kept)
      return step
    },
    endCut: kept => void cuts.delete(kept),
  }
}

function startCut({ size, type, span, titles }: CutRequest): { waiting: Waiting; first: Promise<CutStep> } {
  let step = Promise.withResolvers<CutStep>()
  let give: Waiting['give'] = () => {}
  const readBytes = (from: number, to: number) => {
    const { promise, resolve } = Promise.withResolvers<Uint8Array>()
    give = resolve
    step.resolve({ needs: { from, to } })
    return promise
  }
  const first = step.promise
  cut({ size, readBytes }, type, span, titles).then(
    plan => step.resolve({ plan }),
    error => (error instanceof CutRefused ? step.resolve({ refused: error.reason }) : step.reject(error)),
  )
  const next = () => {
    step = Promise.withResolvers()
    return step.promise
  }
  return { first, waiting: { give: bytes => give(bytes), next } }
}
