import { chunksOf } from '../../outbound/body'
import { SECOND } from '../../platform/clock'
import { StorageFailure } from '../storage'

/** A thousand keys of 1,024 bytes, escaped to three times their length, with their facts. */
const MAX_BYTES = 8_000_000
const IDLE_MS = 30 * SECOND

/** An element: its children by name; text, or a list if there are several. */
type XmlElement = { readonly [name: string]: unknown }

/** Reads a bounded answer as XML. Throws for anything else. */
export async function readXml(response: Response): Promise<XmlElement> {
  const chunks: Uint8Array[] = []
  const host = URL.parse(response.url)?.host ?? ''
  for await (const chunk of chunksOf(response, { maxBytes: MAX_BYTES, idleMs: IDLE_MS, host })) chunks.push(chunk)
  const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  // Required as the import of OPML requires it: with `import` the executable would hold the parser twice.
  const { XMLParser } = require('fast-xml-parser') as typeof import('fast-xml-parser')
  const { decodeXML } = await import('entities')
  const parser = new XMLParser({
    parseTagValue: false,
    ignoreAttributes: true,
    trimValues: false,
    // Services escape in numbers, too.
    processEntities: false,
    tagValueProcessor: (_, text) => decodeXML(text),
  })
  const parsed: unknown = parser.parse(text, true)
  if (typeof parsed !== 'object' || parsed === null) throw new Error('expected XML')
  return parsed as XmlElement
}

const childOf = (element: unknown, name: string): unknown =>
  typeof element === 'object' && element !== null ? (element as XmlElement)[name] : undefined

/** The text of a child; empty when there is none. */
export function textOf(element: unknown, name: string): string {
  const child = childOf(element, name)
  return typeof child === 'string' ? child : ''
}

/** The children with a name: none, one or several. */
export function listOf(element: unknown, name: string): unknown[] {
  const child = childOf(element, name)
  if (child === undefined || child === '') return []
  return Array.isArray(child) ? child : [child]
}

const full = new Set(['QuotaExceeded', 'EntityTooLarge', 'InsufficientStorage', 'XMinioStorageFull', 'AccountProblem'])
/** Codes of services that use other statuses for a call they lack. */
const lacking = new Set(['NotImplemented', 'MethodNotAllowed'])
const advice: Record<string, string> = {
  InvalidAccessKeyId: 'Check S3_ACCESS_KEY.',
  SignatureDoesNotMatch: 'Check S3_SECRET_KEY, and the clock of this machine.',
  RequestTimeTooSkewed: 'Set the clock of this machine.',
  AccessDenied: 'Its key needs the right to list, read, write and delete.',
  NoSuchBucket: 'Create it, or check S3_BUCKET.',
  PermanentRedirect: 'Check S3_REGION and S3_ENDPOINT.',
  AuthorizationHeaderMalformed: 'Check S3_REGION.',
}

/**
 * Turns a refusal into a failure that says what to do. `name`: the bucket, for people; `isOptional`: the call is one
 * that not every key may use, so that 403 refuses this call alone.
 */
export async function failureOf(response: Response, name: string, isOptional = false): Promise<StorageFailure> {
  const { status } = response
  const code = textOf((await readXml(response).catch(() => null))?.Error, 'Code')
  const said = code === '' ? `answered ${status}` : `answered ${status} (${code})`
  if (status === 507 || full.has(code)) return new StorageFailure('full', `${name} has no room left: it ${said}`)
  if (code === 'BadDigest' || code === 'InvalidDigest')
    return new StorageFailure('broken', `${name} received bytes that differ from those sent`)
  if (status === 501 || status === 405 || lacking.has(code) || (isOptional && status === 403))
    return new StorageFailure('refused', `${name} lacks a call: it ${said}`)
  const hint = advice[code] ?? (status >= 300 && status < 400 ? advice.PermanentRedirect : undefined)
  return new StorageFailure('away', `${name} ${said}${hint === undefined ? '' : `. ${hint}`}`)
}
