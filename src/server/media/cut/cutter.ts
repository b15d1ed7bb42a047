import { TaskFailed, ThreadLost, type Thread } from '../../thread'
import type { Source } from '../frames/walk'
import { type CutPlan, CutRefused } from './plan'
import type { CutRequest, CutStep, CutTasks } from './tasks'

/** The longest time that the second thread may take for the bytes of one read. */
const STEP_MS = 10_000

/**
 * Cuts a passage in the second thread, so that nobody has to wait; this thread only reads the file. Throws
 * `CutRefused`, what `readBytes` throws, and the reason of `signal` once it aborts.
 */
export async function cutInThread(
  thread: Thread<CutTasks>,
  source: Source,
  request: Omit<CutRequest, 'size'>,
  signal: AbortSignal,
): Promise<CutPlan> {
  const work = () => goThrough(thread, source, { size: source.size, ...request }, signal)
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort)
  try {
    // Another task may end the thread.
    const plan = work().catch(error => (error instanceof ThreadLost ? work() : Promise.reject(error)))
    return await Promise.race([plan, aborted])
  } catch (error) {
    throw error instanceof TaskFailed ? new CutRefused('too-slow') : error
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

async function goThrough(
  thread: Thread<CutTasks>,
  source: Source,
  request: CutRequest,
  signal: AbortSignal,
): Promise<CutPlan> {
  const bounds = { timeoutMs: STEP_MS, isUrgent: true }
  signal.throwIfAborted()
  const { kept, step: first } = await thread.runUntrusted('beginCut', request, bounds)
  const release = thread.hold()
  try {
    for (let step: CutStep | 'lost' = first; ;) {
      signal.throwIfAborted()
      if (step === 'lost') throw new ThreadLost('The cut was lost with its thread')
      if ('refused' in step) throw new CutRefused(step.refused)
      if ('plan' in step) return step.plan
      const bytes = movable(await source.readBytes(step.needs.from, step.needs.to))
      signal.throwIfAborted()
      step = await thread.runUntrusted('continueCut', { kept, bytes }, { ...bounds, moved: [bytes.buffer] })
    }
  } finally {
    thread.post('endCut', kept)
    release()
  }
}

/** Bytes in separate memory, which can move to another thread. */
const movable = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
    ? (bytes as Uint8Array<ArrayBuffer>)
    : new Uint8Array(bytes)
