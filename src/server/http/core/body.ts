import { SECOND } from '../../platform/clock'
import { decodeDocument } from '../../platform/decode'
import { invalidField, Problem } from '../../platform/problem'
import type { IncomingRequest } from './links'

const MAX_BYTES = 1024 * 1024
/** Fits an OPML file of 10 MB as a JSON string, whose quotes are escaped. */
const MAX_OPML_BYTES = 12 * 1024 * 1024
/** A large file arrives in many parts. */
const MAX_PART_BYTES = 8 * 1024 * 1024
const MAX_DEPTH = 20
const xmlTypes = new Set(['application/xml', 'text/xml', 'text/x-opml'])

/** Seconds for which a connection stays open while neither side sends anything. */
export const ANSWER_SECONDS = 255

/** The longest body that is read, by any reader. A longer one is cut off; its client may see a broken connection. */
export const MAX_BYTES_READ = 16 * 1024 * 1024

/** Runs `read`, which reads the body, and ends the connection if the client takes longer than `seconds` to send it. */
export async function inTime<T>(
  { request, server }: IncomingRequest,
  seconds: number,
  read: () => Promise<T>,
): Promise<T> {
  server?.timeout(request, seconds)
  const body = await read()
  server?.timeout(request, ANSWER_SECONDS)
  return body
}

/** Requests whose body was read in part. */
const unfinished = new WeakSet<Request>()

/** Reads a body as text; null if it is longer than `maxBytes`, beyond which nothing is kept. */
export async function readText(request: Request, maxBytes: number): Promise<string | null> {
  if (!request.body) return ''
  const reader = request.body.getReader()
  const parts: Uint8Array[] = []
  for (let bytes = 0; ;) {
    const { done, value } = await reader.read()
    if (done) return new TextDecoder().decode(Buffer.concat(parts))
    bytes += value.byteLength
    if (bytes > maxBytes) break
    parts.push(value)
  }
  // Not cancelled, which would break the connection: `discardBody` reads the rest.
  reader.releaseLock()
  unfinished.add(request)
  return null
}

/**
 * Reads and drops the rest of a request body; false if it did not end within `MAX_BYTES_READ` bytes and `seconds`.
 * Many clients write the whole body before they read anything: closing the connection earlier would reset it, and
 * lose the response.
 */
export async function discardBody({ request, server }: IncomingRequest, seconds: number): Promise<boolean> {
  if (!request.body || (request.bodyUsed && !unfinished.has(request))) return true
  const reader = request.body.getReader()
  let isLate = false
  const deadline = setTimeout(() => {
    isLate = true
    void reader.cancel().catch(() => {})
  }, seconds * SECOND)
  server?.timeout(request, ANSWER_SECONDS)
  try {
    for (let bytes = 0; bytes < MAX_BYTES_READ;) {
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

/** Whether the headers announce a body; cheaper than reading `request.body`. */
export const hasBody = ({ headers }: Request) =>
  headers.has('transfer-encoding') || (headers.get('content-length') ?? '0') !== '0'

/** An Elysia parser that reads a JSON body within `bodySeconds`. Its type is Elysia's, which expects `never`. */
export const jsonBody =
  ({ bodySeconds }: { bodySeconds: number }) =>
  (incoming: IncomingRequest): Promise<never> =>
    inTime(incoming, bodySeconds, async () => {
      if (isPartOfFile(incoming.request)) return readBytes(incoming.request)
      const json = await readJson(incoming.request)
      received.set(incoming.request, json)
      return json
    }) as Promise<never>

/** Whether a body is part of a file that is moved in. */
const isPartOfFile = ({ method, url }: Request) =>
  method === 'PUT' && /\/api\/v1\/moves\/[^/]+\/file$/.test(new URL(url).pathname)

/** Reads bytes as they are; null for a body of another type. */
async function readBytes(request: Request): Promise<Uint8Array | null> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_PART_BYTES) throw tooLarge(MAX_PART_BYTES)
  if (request.headers.get('content-type') !== 'application/octet-stream') return null
  const bytes = await request.bytes()
  if (bytes.byteLength > MAX_PART_BYTES) throw tooLarge(MAX_PART_BYTES)
  return bytes
}

/** Bodies as they were received, before validation removed and converted fields. */
const received = new WeakMap<Request, unknown>()

/** Checks that the body has an object wherever the schema expects one. Throws `invalid-field`. Null means no body. */
export function requireShape(request: Request, shape: Shape) {
  const body = received.get(request)
  const place = body === undefined || body === null ? null : misfit(shape, body)
  if (place !== null) throw invalidField(fieldOf(place), 'Expected object')
}

/** Writes a JSON pointer as a field name: `/items/3/episode` becomes `items[3].episode`, none becomes `body`. */
export const fieldOf = (path: string | undefined) =>
  (path ?? '')
    .split('/')
    .filter(Boolean)
    .map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join('') || 'body'

/** Reads the JSON of a request. An empty body is null whatever its headers say: clients send them with every call. */
async function readJson(request: Request): Promise<unknown> {
  const isOpml = /\/api\/v1\/podcasts\/opml(\/preview)?$/.test(new URL(request.url).pathname)
  const limit = isOpml ? MAX_OPML_BYTES : MAX_BYTES
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit)
  const contentType = request.headers.get('content-type') ?? ''
  const type = contentType.split(';')[0]!.trim().toLowerCase()
  if (isOpml && xmlTypes.has(type)) {
    const body = await request.bytes()
    if (body.byteLength > limit) throw tooLarge(limit)
    return body.byteLength === 0 ? null : { content: decodeDocument(body, { contentType }) }
  }
  const text = await request.text()
  if (text.trim() === '') return null
  if (Buffer.byteLength(text) > limit) throw tooLarge(limit)
  if (type !== 'application/json')
    throw new Problem('unsupported-media-type', 'Send the body as JSON, with Content-Type: application/json')
  try {
    return parseJson(text)
  } catch {
    throw new Problem('bad-request', 'The body is not valid JSON')
  }
}

/**
 * Parses JSON. Also throws for two kinds of valid JSON that make validation fail or run for seconds: deeply nested
 * values, and objects with their own `toString`, which no message can print.
 */
export function parseJson(text: string): unknown {
  const json: unknown = JSON.parse(text)
  if (!isPrintable(json, MAX_DEPTH)) throw new TypeError('The JSON is nested too deeply, or redefines toString')
  return json
}

const isPrintable = (json: unknown, levels: number): boolean =>
  typeof json !== 'object' ||
  json === null ||
  (levels > 0 && !Object.hasOwn(json, 'toString') && Object.values(json).every(part => isPrintable(part, levels - 1)))

const tooLarge = (limit: number) =>
  new Problem('too-large', `The request is too large, the limit is ${limit} bytes`, { limit: String(limit) })

/** The part of a JSON schema that distinguishes objects from lists. */
export type Shape = {
  type?: string
  properties?: Record<string, Shape>
  items?: Shape
  anyOf?: readonly Shape[]
}

/**
 * Finds where another value is in place of an object, as a path (`/items/0`); null if nowhere. Validation cannot
 * tell: it copies the known fields first, and a list or a text becomes an empty object that is valid.
 */
function misfit(shape: Shape, value: unknown, path = ''): string | null {
  if (shape.anyOf) {
    const misfits = shape.anyOf.map(one => misfit(one, value, path))
    return misfits.includes(null) ? null : misfits[0]!
  }
  if (shape.properties) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return path
    return firstOf(Object.entries(shape.properties), ([name, property]) => {
      const field = (value as Record<string, unknown>)[name]
      return field === undefined ? null : misfit(property, field, `${path}/${name}`)
    })
  }
  if (shape.type === 'null') return value === null ? null : path
  if (!shape.items || !Array.isArray(value)) return null
  const { items } = shape
  return firstOf(value.entries(), ([index, item]) => misfit(items, item, `${path}/${index}`))
}

function firstOf<T>(values: Iterable<T>, find: (value: T) => string | null): string | null {
  for (const value of values) {
    const found = find(value)
    if (found !== null) return found
  }
  return null
}
