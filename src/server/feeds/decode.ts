import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'

/** The inflated body was larger than any feed may be. */
export class TooLarge extends Error {
  override name = 'TooLarge'
}

/**
 * Bytes to text. The bytes decide before the headers do: servers send gzip without saying so, twice over, or say it of
 * plain text. The charset is that of the byte order mark, else UTF-8 where the bytes are valid UTF-8, else what the
 * header and then the prolog name.
 */
export function decodeBody(
  body: Uint8Array,
  { contentType, contentEncoding, maxBytes }: { contentType: string; contentEncoding: string; maxBytes: number },
): string {
  return decodeText(inflate(body, contentEncoding, maxBytes), contentType)
}

function inflate(body: Uint8Array, contentEncoding: string, maxBytes: number): Uint8Array {
  const options = { maxOutputLength: maxBytes, finishFlush: 2 /* Z_SYNC_FLUSH: a cut stream gives what came */ }
  try {
    if (contentEncoding.includes('br')) return brotliDecompressSync(body, { maxOutputLength: maxBytes })
    if (contentEncoding.includes('deflate')) return inflateEither(body, options)
    let bytes = body
    for (let layer = 0; layer < 3 && bytes[0] === 0x1f && bytes[1] === 0x8b; layer++) bytes = gunzipSync(bytes, options)
    return bytes
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new TooLarge('inflated body too large')
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

function decodeText(bytes: Uint8Array, contentType: string): string {
  const marked = charsetOfMark(bytes)
  if (marked) return clean(new TextDecoder(marked).decode(bytes))
  try {
    return clean(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    const prolog = new TextDecoder('latin1').decode(bytes.subarray(0, 300))
    const named = /charset\s*=\s*"?([\w-]+)/i.exec(contentType)?.[1] ?? /encoding\s*=\s*["']([\w-]+)/i.exec(prolog)?.[1]
    return clean(decoderFor(named).decode(bytes))
  }
}

function charsetOfMark(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0x3c && bytes[1] === 0x00) return 'utf-16le'
  if (bytes[0] === 0x00 && bytes[1] === 0x3c) return 'utf-16be'
  return null
}

/** An unknown label, or one that the bytes have just refuted, is read as the web's old default. */
function decoderFor(label: string | undefined): TextDecoder {
  if (label && !/^utf-?8$/i.test(label)) {
    try {
      return new TextDecoder(label)
    } catch {
      return new TextDecoder('utf-8')
    }
  }
  return label ? new TextDecoder('utf-8') : new TextDecoder('windows-1252')
}

const clean = (text: string) =>
  text
    .replace(/^\uFEFF/, '')
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .trimStart()
