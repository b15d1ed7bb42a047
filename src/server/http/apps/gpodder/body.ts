import { SyncRefusal } from './protocol'

/** Ten times what the largest known upload needs: 5,000 actions are 1.5 MB. */
const MAX_BYTES = 16 * 1024 * 1024

/** Reads the body as text, and inflates one that was sent with gzip. Throws `SyncRefusal`. */
export async function readSyncBody(request: Request, maxBytes = MAX_BYTES): Promise<string> {
  const tooLarge = () => new SyncRefusal(413, `The body is too large, the limit is ${maxBytes} bytes`)
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge()
  const bytes = await request.bytes()
  if (bytes.byteLength > maxBytes) throw tooLarge()
  if (request.headers.get('content-encoding')?.toLowerCase() !== 'gzip') return new TextDecoder().decode(bytes)
  const { gunzipSync } = await import('node:zlib')
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes }).toString('utf8')
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    throw new SyncRefusal(400, 'The body is not valid gzip')
  }
}
