import type { ErrorCode } from '../../shared/error-code'
import { decodeDocument } from '../platform/decode'
import { Problem } from '../platform/problem'
import { TaskFailed, type Thread } from '../thread'
import { parseOpml, type Outline } from './parse'

/** A refusal is a value, since an error loses its class on the way between threads. */
export type OpmlResult =
  { ok: true; outlines: Outline[] } | { ok: false; code: ErrorCode; message: string; args: Record<string, string> }

/** An OPML file as text, or as bytes in any charset. */
export type OpmlFile = string | { body: Uint8Array; contentType: string }

/** Tasks of the second thread for OPML files: megabytes of them take seconds. */
export type OpmlTasks = { readOpml: { request: OpmlFile; result: OpmlResult } }

/** The task itself. */
export function tryToParse(file: OpmlFile): OpmlResult {
  try {
    return { ok: true, outlines: parseOpml(typeof file === 'string' ? file : decodeDocument(file.body, file)) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { ok: false, code: error.code, message: error.message, args: error.args }
  }
}

/** Reads an OPML file in the second thread. Throws `Problem` for a file that is not OPML or takes too long. */
export async function readOpml(thread: Thread<OpmlTasks>, file: OpmlFile): Promise<Outline[]> {
  const result = await thread.runUntrusted('readOpml', file).catch(error => {
    if (error instanceof TaskFailed) throw new Problem('invalid-opml', 'This file cannot be read', { line: '' })
    throw error
  })
  if (result.ok) return result.outlines
  throw new Problem(result.code, result.message, result.args)
}
