import type { ErrorCode } from '../../shared/error-code'
import { Problem } from '../platform/problem'
import { TaskFailed, type Thread } from '../thread'
import type { Outline } from './parse'

/** A refusal is a value, since an error loses its class on the way between threads. */
export type OpmlResult =
  { ok: true; outlines: Outline[] } | { ok: false; code: ErrorCode; message: string; args: Record<string, string> }

/** Tasks of the second thread for OPML files: megabytes of them take seconds. */
export type OpmlTasks = { readOpml: { request: string; result: OpmlResult } }

/** Reads an OPML file in the second thread. Throws `Problem` for a file that is not OPML or takes too long. */
export async function readOpml(thread: Thread<OpmlTasks>, xml: string): Promise<Outline[]> {
  const result = await thread.runUntrusted('readOpml', xml).catch(error => {
    if (error instanceof TaskFailed) throw new Problem('invalid-opml', 'This file cannot be read', { line: '' })
    throw error
  })
  if (result.ok) return result.outlines
  throw new Problem(result.code, result.message, result.args)
}
