import { escapeAttribute } from 'entities/escape'
import type { ErrorCode } from '../../shared/error-code'
import { isOfProxy, OutboundError } from '../outbound/error'
import { fetchDocument, type Outbound } from '../outbound/request'
import { SECOND } from '../platform/clock'
import { decodeDocument } from '../platform/decode'
import { Problem } from '../platform/problem'
import type { UserRow } from '../store/users'
import { TaskFailed, type Thread } from '../thread'
import { type Outline, parseOpml } from './parse'

const MAX_BYTES = 10 * 1024 * 1024

/** Fetches an OPML file in any charset from an address that this user may reach. Throws `Problem`. */
export async function fetchOpml(outbound: Outbound, user: UserRow, address: string) {
  try {
    return await fetchDocument(outbound, address, {
      reach: await outbound.reachOf(address, user.role === 'admin'),
      headers: { Accept: 'text/x-opml, text/xml, */*;q=0.5' },
      maxBytes: MAX_BYTES,
      idleMs: 10 * SECOND,
    })
  } catch (error) {
    throw error instanceof OutboundError ? problemOf(error) : error
  }
}

function problemOf({ code, host, message, status }: OutboundError): Problem {
  if (code === 'address-not-allowed') return new Problem(code, message, { field: 'url' })
  if (code === 'too-large')
    return new Problem('too-large', `The file is larger than ${MAX_BYTES} bytes`, { limit: String(MAX_BYTES) })
  if (code === 'timeout') return new Problem('upstream-timeout', message, { host })
  if (isOfProxy(code)) return new Problem('proxy-failed', message, { host })
  return new Problem('feed-unreachable', message, { host, status: status === null ? '' : String(status) })
}

/** A refusal is a value, since an error loses its class on the way between threads. */
type OpmlResult =
  { ok: true; outlines: Outline[] } | { ok: false; code: ErrorCode; message: string; args: Record<string, string> }

/** An OPML file as text, or as bytes in any charset. */
type OpmlFile = string | { body: Uint8Array; contentType: string }

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

type OutlineOut = { title: string; xmlUrl: string; categories: readonly string[] }

/** Writes OPML 2.0; tags are categories, so that an import restores them. */
export function writeOpml(title: string, createdAt: number, outlines: readonly OutlineOut[]): string {
  const lines = outlines.map(({ title, xmlUrl, categories }) => {
    const name = escapeXml(title)
    // A comma separates categories and a slash separates folders: a name may contain neither.
    const category = categories.map(withoutSeparators).join(',')
    return `    <outline type="rss" text="${name}" title="${name}" xmlUrl="${escapeXml(xmlUrl)}"${category ? ` category="${escapeXml(category)}"` : ''}/>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0">
  <head>
    <title>${escapeXml(title)}</title>
    <dateCreated>${new Date(createdAt).toUTCString()}</dateCreated>
  </head>
  <body>
${lines.join('\n')}
  </body>
</opml>
`
}

/** Escapes text for an attribute, without the characters that XML does not allow. */
const escapeXml = (text: string) =>
  escapeAttribute(text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ''))
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('&nbsp;', '&#160;')

const withoutSeparators = (tag: string) =>
  tag
    .split(/[,/]/)
    .map(part => part.trim())
    .join(' ')
