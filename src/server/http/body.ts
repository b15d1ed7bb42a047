import { Problem } from '../problem'

const MAX_BYTES = 1024 * 1024
/** An OPML file of 10 MB as a JSON string, whose quotes are escaped. */
const MAX_OPML_BYTES = 12 * 1024 * 1024
const xmlTypes = new Set(['application/xml', 'text/xml', 'text/x-opml'])

/** The JSON of a request. An empty body counts as none, whatever its headers say: clients send them on every call. */
export async function readJson(request: Request): Promise<unknown> {
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

const MOST_LEVELS = 100

/**
 * Throws for what is no JSON, and for what could not even be told of in a refusal: nested deeper than anything here, or not
 * to be written as text since it brings a `toString` of its own.
 */
export function parseJson(text: string): unknown {
  const json: unknown = JSON.parse(text)
  if (!canBeTold(json, MOST_LEVELS)) throw new TypeError('no JSON that anything here takes')
  return json
}

const canBeTold = (json: unknown, levels: number): boolean =>
  typeof json !== 'object' ||
  json === null ||
  (levels > 0 && !Object.hasOwn(json, 'toString') && Object.values(json).every(part => canBeTold(part, levels - 1)))

const tooLarge = (limit: number) => new Problem('too-large', 'The request is too large', { limit: String(limit) })
