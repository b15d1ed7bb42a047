import { isMp4 } from '../../../shared/forms'
import type { TaskHandlers } from '../../thread'
import { type Source, Unreadable } from '../frames/walk'
import { textFrame, writeTag } from '../write-tags/mp3'
import { cutAdts, cutMp3 } from './frames'
import { cutMp4 } from './mp4'
import { type CutPlan, type CutRefusal, CutRefused, type CutSpan } from './plan'

export type CutRequest = { size: number; type: string; span: CutSpan; titles: CutTitles }

/** A cut needs bytes of its file, or is finished. */
export type CutStep = { needs: { from: number; to: number } } | { plan: CutPlan } | { refused: CutRefusal }

/**
 * Tasks of the second thread for one cut, which gets its bytes from the thread that can read the file, and lets other
 * tasks run while it waits for them. `lost`: the thread that it began in has ended.
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

/** The title of a cut, and what it was cut from. */
type CutTitles = { title: string; podcast: string }

/** A file is read once up to the end of the span; what is damaged may be searched again. */
const budgetFor = ({ size }: Source) => 2 * size + 16 * 1024 * 1024
/** Five minutes at the highest rate of MP3 are 12 MB. */
const MAX_BYTES = 16 * 1024 * 1024
const MAX_TITLE = 200

/**
 * Cuts a span out of a file on the borders of its frames, without decoding it, so the publisher's sound is unchanged.
 * MP3 stays MP3; AAC becomes bare AAC, out of MP4 as well. The result says which bytes make up the cut. Throws
 * `CutRefused`.
 */
export async function cut(source: Source, type: string, span: CutSpan, titles: CutTitles): Promise<CutPlan> {
  const cutter = cutterOf(type)
  if (!cutter) throw new CutRefused('unsupported')
  const made = await cutter(source, span, writeTitles(titles), budgetFor(source)).catch(error => {
    throw error instanceof Unreadable ? new CutRefused(error.reason) : error
  })
  if (made.size > MAX_BYTES) throw new CutRefused('too-large')
  return made
}

function cutterOf(type: string) {
  if (type === 'audio/mpeg') return cutMp3
  if (type === 'audio/aac') return cutAdts
  return isMp4(type) ? cutMp4 : null
}

const writeTitles = ({ title, podcast }: CutTitles): Buffer =>
  writeTag(3, [textFrame('TIT2', title.slice(0, MAX_TITLE), 3), textFrame('TALB', podcast.slice(0, MAX_TITLE), 3)])
