import { isZstd } from '../../outbound/decode'
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib'

/** A body larger than a feed may be. The message says what is too large; `limit` is the bound, with its unit. */
export class TooLarge extends Error {
  override name = 'TooLarge'
  constructor(
    message: string,
    readonly limit: string,
  ) {
    super(message)
  }
}

const MIB = 1024 * 1024
/** The most that a body may grow, beyond `ALWAYS`: a feed full of the same notes grows 50 times. */
const MAX_TIMES = 200
const ALWAYS = 8 * MIB

/**
 * Decompresses a body. Its bytes decide before the header does: hosts send undeclared gzip, gzip twice, or call plain
 * text gzip.
 */
export function inflate(body: Uint8Array, contentEncoding: string, maxBytes: number): Uint8Array {
  const limit = Math.min(maxBytes, Math.max(ALWAYS, MAX_TIMES * body.length))
  // Z_SYNC_FLUSH: a cut stream yields what was received.
  const options = { maxOutputLength: limit, finishFlush: 2, chunkSize: body.length < 65_536 ? 65_536 : MIB }
  try {
    if (isZstd(body)) return zstdDecompressSync(body, { maxOutputLength: limit, finishFlush: 0 })
    if (contentEncoding.includes('br')) return brotliDecompressSync(body, { maxOutputLength: limit })
    if (contentEncoding.includes('deflate')) return inflateEither(body, options)
    let bytes = body
    for (let layer = 0; layer < 3 && bytes[0] === 0x1f && bytes[1] === 0x8b; layer++) bytes = gunzipSync(bytes, options)
    return bytes
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(body.length, limit)
    // Declared as compressed but plain.
    return body
  }
}

function inflateEither(body: Uint8Array, options: { maxOutputLength: number; finishFlush: number }): Uint8Array {
  try {
    return inflateSync(body, options)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw error
    return inflateRawSync(body, options)
  }
}

function tooLarge(length: number, limit: number): TooLarge {
  const most = `${Math.floor(limit / MIB)} MB`
  return new TooLarge(`The feed inflates from ${Math.ceil(length / 1024)} KB to more than ${most}`, most)
}
