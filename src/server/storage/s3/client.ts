import type { AwsClient } from 'aws4fetch'
import type { BucketSettings } from '../../config'
import { chunksOf } from '../../outbound/body'
import { type ProxyNeeds, wayFor } from '../../outbound/reach'
import { SECOND } from '../../platform/clock'
import { StorageFailure } from '../storage'

// Why: docs/internals/decisions/0039

/** The limits of requests to a bucket, in milliseconds; `pauses`: those before each further try. */
export type BucketLimits = {
  answerMs: number
  urgentMs: number
  pauses: readonly number[]
  slowestBytesPerSecond: number
}

export const bucketLimits: BucketLimits = {
  answerMs: 30 * SECOND,
  urgentMs: 8 * SECOND,
  pauses: [200, SECOND, 4 * SECOND],
  slowestBytesPerSecond: 16 * 1024,
}

type Method = 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'

export type BucketRequest = {
  method: Method
  /** The key without the prefix of the settings; absent = the bucket itself. */
  path?: string
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  body?: Uint8Array<ArrayBuffer> | string
  signal?: AbortSignal | undefined
  /** Somebody is waiting to hear the file: if the bucket is slow, the episode's host may be faster. */
  isUrgent?: boolean
  /** The answer is not essential: a 403 refuses this call and says nothing about the others. */
  isOptional?: boolean
  /** The number of bytes that the service copies before it answers. */
  copies?: number
}

export type BucketClient = ReturnType<typeof createBucketClient>

/** Statuses of a service that is overloaded or restarting. */
const passing = new Set([429, 500, 502, 503, 504])

/** Sends signed requests to one bucket; each is limited in time, and repeated if the service fails briefly. */
export function createBucketClient(settings: BucketSettings, proxies: ProxyNeeds, limits: BucketLimits) {
  const { endpoint, bucket, region, accessKey, secretKey, prefix } = settings
  let loaded: Promise<AwsClient> | null = null
  // Loaded with the first request: most libraries have no bucket.
  const loadSigner = async () => {
    const { AwsClient } = await import('aws4fetch')
    return new AwsClient({ accessKeyId: accessKey, secretAccessKey: secretKey, service: 's3', region, retries: 0 })
  }
  const getSigner = () => (loaded ??= loadSigner())
  const way = wayFor(proxies, new URL(endpoint))
  const keyOf = (path: string) => prefix + path.normalize('NFC')
  const encodedOf = (key: string) => key.split('/').map(encodeURIComponent).join('/')

  function addressOf(path: string | undefined, query: BucketRequest['query'] = {}): URL {
    const url = new URL(`${endpoint}/${bucket}${path === undefined ? '' : `/${encodedOf(keyOf(path))}`}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    return url
  }

  async function tryOnce(request: BucketRequest): Promise<Response> {
    const { method, path, query, headers = {}, body, signal, copies = 0, isUrgent } = request
    const signer = await getSigner()
    const bytes = copies + (body?.length ?? 0)
    const late = new AbortController()
    const ms = (isUrgent ? limits.urgentMs : limits.answerMs) + (bytes / limits.slowestBytesPerSecond) * SECOND
    const timer = setTimeout(() => late.abort(new Error('no answer in time')), ms)
    try {
      const url = addressOf(path, query).href
      // The body is not part of the signature: parts carry a digest. A `Request` would hold a copy of it.
      const { headers: signed } = await signer.sign(url, { method, headers })
      // The body of the answer may take as long as its reader does: only `signal` ends it.
      const ending = signal ? AbortSignal.any([signal, late.signal]) : late.signal
      const init = { method, headers: signed, body: body ?? null, signal: ending, redirect: 'manual', ...way }
      return await fetch(url, init as RequestInit)
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    settings,
    /** A file's place in the bucket, as the header of a copy names it. */
    sourceOf: (path: string) => `/${bucket}/${encodedOf(keyOf(path))}`,
    prefix,
    /** Sends a request; resolves with any status below 300, and with 304, 404, 412 and 416. Throws `StorageFailure`. */
    async send(request: BucketRequest): Promise<Response> {
      for (let attempt = 0; ; attempt++) {
        const pause = request.isUrgent && attempt > 0 ? undefined : limits.pauses[attempt]
        const response = await tryOnce(request).catch((error: unknown) => {
          if (request.signal?.aborted) throw request.signal.reason
          if (pause !== undefined) return null
          throw new StorageFailure('away', `${nameOf(settings)} cannot be reached`, { cause: error })
        })
        if (response && !passing.has(response.status)) return accept(response, settings, request.isOptional)
        if (response && pause === undefined) throw await failureOf(response, nameOf(settings))
        await response?.body?.cancel().catch(() => undefined)
        await Bun.sleep(pause!)
      }
    },
    /** An address of one file that needs no sign-in, for a while. */
    async presign(path: string, seconds: number, query: Readonly<Record<string, string>>): Promise<string> {
      const url = addressOf(path, { ...query, 'X-Amz-Expires': String(seconds) })
      return (await (await getSigner()).sign(url.href, { method: 'GET', aws: { signQuery: true } })).url
    },
  }
}

const expected = new Set([304, 404, 412, 416])

async function accept(response: Response, settings: BucketSettings, isOptional?: boolean): Promise<Response> {
  const { status } = response
  if (status < 300 || (expected.has(status) && !(await isWithoutBucket(response)))) return response
  throw await failureOf(response, nameOf(settings), isOptional)
}

/** Whether there is no bucket: a file that is not there is expected, a bucket that is not there is a failure. */
async function isWithoutBucket(response: Response): Promise<boolean> {
  if (response.status !== 404 || response.body === null) return false
  return textOf((await readXml(response.clone()).catch(() => null))?.Error, 'Code') === 'NoSuchBucket'
}

/** Names a bucket for people. */
export const nameOf = ({ bucket, endpoint }: BucketSettings) => `The bucket ${bucket} at ${endpoint}`

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
