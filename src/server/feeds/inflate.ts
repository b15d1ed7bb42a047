import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'

/** A body holds more than any feed may. The message says of what, `limit` how much would do. */
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
/** No more than this many times its size, once it is more than `ALWAYS`: a feed full of the same notes reaches 50. */
const MOST_TIMES = 200
const ALWAYS = 8 * MIB

/** The bytes decide before the headers do: servers send gzip without saying so, twice over, or say it of plain text. */
export function inflate(body: Uint8Array, contentEncoding: string, maxBytes: number): Uint8Array {
  const limit = Math.min(maxBytes, Math.max(ALWAYS, MOST_TIMES * body.length))
  // Z_SYNC_FLUSH: a cut stream gives what came.
  const options = { maxOutputLength: limit, finishFlush: 2, chunkSize: body.length < 65_536 ? 65_536 : MIB }
  try {
    if (contentEncoding.includes('br')) return brotliDecompressSync(body, { maxOutputLength: limit })
    if (contentEncoding.includes('deflate')) return inflateEither(body, options)
    let bytes = body
    for (let layer = 0; layer < 3 && bytes[0] === 0x1f && bytes[1] === 0x8b; layer++) bytes = gunzipSync(bytes, options)
    return bytes
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(body.length, limit)
    // Announced but not so: the text stands as it came.
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
