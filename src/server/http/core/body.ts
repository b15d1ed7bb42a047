import type { Server } from 'bun'
import { SECOND } from '../../platform/clock'
import { invalidField, Problem } from '../../platform/problem'
import { misfit, type Shape } from './shape'

const MAX_BYTES = 1024 * 1024
/** An OPML file of 10 MB as a JSON string, whose quotes are escaped. */
const MAX_OPML_BYTES = 12 * 1024 * 1024
const MAX_DEPTH = 20
const xmlTypes = new Set(['application/xml', 'text/xml', 'text/x-opml'])

/** How long a client may be kept waiting for an answer; without a word from either side its connection ends then. */
export const ANSWER_SECONDS = 255

type Asked = { request: Request; server: Server<unknown> | null }

/** Whatever reads a body, within the time that a client may take to send it. */
export async function inTime<T>({ request, server }: Asked, seconds: number, read: () => Promise<T>): Promise<T> {
  server?.timeout(request, seconds)
  const body = await read()
  server?.timeout(request, ANSWER_SECONDS)
  return body
}

/** More than any body that is accepted. What is longer is cut off, and its client may see a broken connection. */
export const MOST_READ = 16 * 1024 * 1024

/**
 * Reads what a request still sends and throws it away. A connection that closes while its client writes is reset, and the answer
 * lost with it: many clients write everything before they read anything. False where it did not end within `MOST_READ` bytes and
 * `seconds`.
 */
export async function discardBody({ request, server }: Asked, seconds: number): Promise<boolean> {
  if (request.bodyUsed || !request.body) return true
  const reader = request.body.getReader()
  let isLate = false
  const deadline = setTimeout(() => {
    isLate = true
    void reader.cancel().catch(() => {})
  }, seconds * SECOND)
  server?.timeout(request, ANSWER_SECONDS)
  try {
    for (let bytes = 0; bytes < MOST_READ;) {
      const { done, value } = await reader.read()
      if (done) return !isLate
      bytes += value.byteLength
    }
    return false
  } catch {
    return false
  } finally {
    clearTimeout(deadline)
  }
}

/** Whether a request says that it has a body; cheaper than asking for it. */
export const hasBody = ({ headers }: Request) =>
  headers.has('transfer-encoding') || (headers.get('content-length') ?? '0') !== '0'

/** For routes with a body: its JSON, as Elysia wants to be told. */
export const jsonBody =
  ({ bodySeconds }: { bodySeconds: number }) =>
  (asked: Asked): Promise<never> =>
    inTime(asked, bodySeconds, async () => {
      const json = await readJson(asked.request)
      given.set(asked.request, json)
      return json
    }) as Promise<never>

/** What bodies held before the validation made them fit. */
const given = new WeakMap<Request, unknown>()

/** Throws where a body holds something else in the place of an object. `null` is no body. */
export function requireShape(request: Request, shape: Shape) {
  const body = given.get(request)
  const place = body === undefined || body === null ? null : misfit(shape, body)
  if (place !== null) throw invalidField(fieldOf(place), 'Expected object')
}

/** `/items/3/episode` as `items[3].episode`. */
export const fieldOf = (path: string | undefined) =>
  (path ?? '')
    .split('/')
    .filter(Boolean)
    .map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join('') || 'body'

/** The JSON of a request. An empty body counts as none, whatever its headers say: clients send them on every call. */
async function readJson(request: Request): Promise<unknown> {
  const isOpml = /\/api\/v1\/podcasts\/opml(\/preview)?$/.test(new URL(request.url).pathname)
  const limit = isOpml ? MAX_OPML_BYTES : MAX_BYTES
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit)
  const text = await request.text()
  if (text.trim() === '') return null
  if (Buffer.byteLength(text) > limit) throw tooLarge(limit)
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (isOpml && xmlTypes.has(type ?? '')) return { content: text }
  if (type !== 'application/json')
    throw new Problem('unsupported-media-type', 'The body must be JSON, with Content-Type: application/json')
  try {
    return parseJson(text)
  } catch {
    throw new Problem('bad-request', 'The body is no readable JSON')
  }
}

/**
 * Throws for what is no JSON, and for what keeps those busy for seconds who say what is wrong with it, or trips them: nested
 * deep, or not to be written as text since it brings a `toString` of its own.
 */
export function parseJson(text: string): unknown {
  const json: unknown = JSON.parse(text)
  if (!canBeTold(json, MAX_DEPTH)) throw new TypeError('no JSON that anything here takes')
  return json
}

const canBeTold = (json: unknown, levels: number): boolean =>
  typeof json !== 'object' ||
  json === null ||
  (levels > 0 && !Object.hasOwn(json, 'toString') && Object.values(json).every(part => canBeTold(part, levels - 1)))

const tooLarge = (limit: number) => new Problem('too-large', 'The request is too large', { limit: String(limit) })
