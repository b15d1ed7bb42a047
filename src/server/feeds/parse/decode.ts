import { isZstd } from '../../outbound/body'
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import { isUtf8 } from 'node:buffer'
import { isMostlyUtf8 } from '../../platform/decode'

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

/**
 * Bytes in an encoding that contains ASCII, and the function that decodes a part of them. `fallback`: the charset of the
 * parts that are not UTF-8; null if all are.
 */
export type Text = { bytes: Buffer; fallback: string | null; decode: (from?: number, to?: number) => string }

/**
 * Chooses the charset of a body. A byte order mark decides; without one, valid UTF-8 is UTF-8. Each part that is not
 * valid is still read as UTF-8 if most of its other characters are, else as the header or the prolog say, else as
 * windows-1252: so one bad byte, or one item in another charset, doesn't affect the rest.
 */
export function openText(body: Uint8Array, contentType: string): Text {
  const bytes = bufferOf(body)
  const wide = wideCharsetOf(bytes) ?? sevenBitCharsetOf(bytes, contentType)
  const plain = withoutMark(wide === null ? bytes : recoded(bytes, wide))
  const isProven = wide !== null || plain.length < bytes.length
  const isValid = isUtf8(plain)
  const fallback = isValid || isProven ? null : decoderFor(labelOf(plain, contentType))
  return {
    bytes: plain,
    fallback: fallback?.encoding ?? null,
    decode(from = 0, to = plain.length) {
      const part = plain.subarray(from, to)
      const isOther = fallback !== null && !isUtf8(part) && !isMostlyUtf8(part)
      return clean(isOther ? fallback.decode(part) : part.toString('utf8'))
    },
  }
}

const bufferOf = (body: Uint8Array) => Buffer.from(body.buffer, body.byteOffset, body.byteLength)

function wideCharsetOf(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0x3c && bytes[1] === 0x00) return 'utf-16le'
  if (bytes[0] === 0x00 && bytes[1] === 0x3c) return 'utf-16be'
  return null
}

/** The charset, if it writes letters with ASCII bytes, so that `<` may be half a letter. */
function sevenBitCharsetOf(bytes: Buffer, contentType: string): string | null {
  const label = labelOf(bytes, contentType)
  return label !== null && /^(iso-2022-|hz-gb)/i.test(label) && bytes.includes(0x1b) ? decoderFor(label).encoding : null
}

const PIECE = 1024 * 1024

/** Converts to UTF-8 piece by piece: a whole text would take twice the memory. */
function recoded(bytes: Buffer, label: string): Buffer {
  const decoder = new TextDecoder(label)
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += PIECE) {
    const text = decoder.decode(bytes.subarray(at, at + PIECE), { stream: at + PIECE < bytes.length })
    pieces.push(Buffer.from(text))
  }
  return Buffer.concat(pieces)
}

const withoutMark = (bytes: Buffer) =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes

/** The charset that the header names, else the prolog. */
function labelOf(bytes: Buffer, contentType: string): string | null {
  const prolog = bytes.toString('latin1', 0, 300)
  return /charset\s*=\s*"?([\w-]+)/i.exec(contentType)?.[1] ?? /encoding\s*=\s*["']([\w-]+)/i.exec(prolog)?.[1] ?? null
}

/** The decoder of a label; the web's old default for a label that is unknown, or that the bytes contradict. */
function decoderFor(label: string | null): TextDecoder {
  if (label && !/^utf-?(8|16|32)/i.test(label)) {
    try {
      return new TextDecoder(label)
    } catch {
      // An unknown label: the default below.
    }
  }
  return new TextDecoder('windows-1252')
}

const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/
const clean = (text: string) => (unwritable.test(text) ? text.replace(new RegExp(unwritable, 'g'), '') : text)
