import { Problem } from '../problem'

const MAX_BYTES = 1024 * 1024

/** The JSON of a request. An empty body counts as none, whatever its headers say: clients send them on every call. */
export async function readJson(request: Request): Promise<unknown> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BYTES) throw tooLarge()
  const text = await request.text()
  if (text.trim() === '') return null
  if (Buffer.byteLength(text) > MAX_BYTES) throw tooLarge()
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json')
    throw new Problem('unsupported-media-type', 'The body must be JSON, with Content-Type: application/json')
  try {
    return JSON.parse(text)
  } catch {
    throw new Problem('bad-request', 'The body is no readable JSON')
  }
}

const tooLarge = () => new Problem('too-large', 'The request is too large', { limit: String(MAX_BYTES) })
