import { isUtf8 } from 'node:buffer'

type Hints = {
  /** The `Content-Type` sent with the bytes. */
  contentType?: string | undefined
  /** The language of the text, such as `de` or `pt-BR`. */
  language?: string | null | undefined
}

/**
 * Decodes a document. A byte order mark decides, then the zeros of UTF-16, then valid UTF-8. Other bytes are decoded in
 * each likely charset and compared; what the document or its host declares is only one piece of evidence, since servers
 * declare a default. Line ends become `\n`; characters that no text contains are removed.
 */
export function decodeDocument(body: Uint8Array, hints: Hints = {}): string {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  return tidy(new TextDecoder(charsetOf(bytes, hints)).decode(bytes))
}

const unwritable = /[\0-\x08\v\f\x0E-\x1F\uFEFF\uFFFE\uFFFF]/
const tidy = (text: string) => {
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
  return unwritable.test(lines) ? lines.replace(new RegExp(unwritable, 'g'), '') : lines
}

/** The charset of a document, by a label that `TextDecoder` knows. */
export function charsetOf(bytes: Buffer, hints: Hints): string {
  const wide = wideCharsetOf(bytes)
  if (wide) return wide
  const sevenBit = sevenBitCharsetOf(bytes, hints)
  if (sevenBit) return sevenBit
  if (isUtf8(bytes) || isMostlyUtf8(bytes)) return 'utf-8'
  return guess(bytes, hints)
}

const HEAD = 4096

/** The charset that a byte order mark or the zeros of UTF-16 show; null if there is neither. */
export function wideCharsetOf(bytes: Buffer): string | null {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  // Without a mark: in ASCII text as UTF-16, every other byte is zero.
  const zeros = [0, 0]
  const length = Math.min(bytes.length, HEAD)
  for (let at = 0; at < length; at++) if (bytes[at] === 0) zeros[at % 2]!++
  const [even = 0, odd = 0] = zeros
  if (odd > length / 8 && odd > 8 * even) return 'utf-16le'
  return even > length / 8 && even > 8 * odd ? 'utf-16be' : null
}

/** A charset that writes letters with ASCII bytes. */
function sevenBitCharsetOf(bytes: Buffer, hints: Hints): string | null {
  if (bytes.includes('\x1B$B') || bytes.includes('\x1B$@')) return 'iso-2022-jp'
  const label = declaredBy(bytes, hints)
  return label !== null && /^hz-gb/i.test(label) ? usable(label) : null
}

/** Whether at least half of the sequences of bytes above ASCII are valid UTF-8. */
export function isMostlyUtf8(bytes: Uint8Array): boolean {
  let valid = 0
  let invalid = 0
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at++]!
    if (first < 0x80) continue
    const following =
      first >= 0xc2 && first < 0xe0 ? 1 : first >= 0xe0 && first < 0xf0 ? 2 : first >= 0xf0 && first < 0xf5 ? 3 : 0
    let found = 0
    while (found < following && (bytes[at + found]! & 0xc0) === 0x80) found++
    at += found
    if (following > 0 && found === following) valid++
    else invalid++
  }
  return valid >= invalid
}

/** The charset that the header names, else the document itself. */
function declaredBy(bytes: Buffer, { contentType = '' }: Hints): string | null {
  const named = /charset\s*=\s*["']?([\w-]+)/i
  const head = bytes.toString('latin1', 0, HEAD)
  return (
    named.exec(contentType)?.[1] ??
    /^\s*<\?xml[^<>]{1,200}encoding\s*=\s*["']([\w-]+)/i.exec(head)?.[1] ??
    /<meta\b[^<>]{1,200}charset\s*=\s*["']?([\w-]+)/i.exec(head)?.[1] ??
    null
  )
}

/** The label in the spelling of `TextDecoder`; null for one that it does not know, or that the bytes contradict. */
function usable(label: string): string | null {
  try {
    const { encoding } = new TextDecoder(label)
    return encoding.startsWith('utf-') ? null : encoding
  } catch {
    return null
  }
}

// Bytes that are control characters in Latin-1 and letters in windows-1252.
const wider: Record<string, string> = { 'koi8-r': 'koi8-u', 'iso-8859-1': 'windows-1252', 'iso-8859-9': 'windows-1254' }

/** Charsets in which texts of a language are written if not in UTF-8. */
const usual: readonly (readonly [languages: RegExp, charsets: readonly string[]])[] = [
  [/^ja/i, ['shift_jis', 'euc-jp']],
  [/^zh/i, ['gb18030', 'big5']],
  [/^ko/i, ['euc-kr']],
  [/^(ru|uk|be|bg|mk|sr)/i, ['koi8-u', 'windows-1251', 'iso-8859-5']],
  [/^(pl|cs|sk|hu|sl|hr|ro|bs)/i, ['iso-8859-2', 'windows-1250']],
  [/^el/i, ['windows-1253', 'iso-8859-7']],
  [/^tr/i, ['windows-1254']],
  [/^(he|iw)/i, ['windows-1255', 'iso-8859-8']],
  [/^ar|^fa/i, ['windows-1256']],
  [/^(en|de|fr|es|it|nl|pt|sv|da|no|nb|fi|is)/i, ['windows-1252']],
]

/** Confidence, in percent, that the language or the label adds. A label may be only a server's default. */
const BY_LANGUAGE = 30
const BY_LABEL = 50
const BY_DEFAULT = 10

/** Chooses among the charsets that the detector finds possible, those of the language and the declared one. */
function guess(bytes: Buffer, hints: Hints): string {
  const sample = sampleOf(bytes)
  const scores = new Map<string, number>()
  const add = (label: string, points: number) => {
    const charset = usable(label)
    if (charset === null) return
    const name = wider[charset] ?? charset
    scores.set(name, Math.max(scores.get(name) ?? 0, 0) + points)
  }
  // Loaded here: most documents are UTF-8.
  const { analyse } = require('chardet') as typeof import('chardet')
  for (const { name, confidence } of analyse(sample).toReversed()) add(name, confidence)
  for (const charset of usual.find(([languages]) => languages.test(hints.language ?? ''))?.[1] ?? [])
    add(charset, BY_LANGUAGE)
  const label = declaredBy(bytes, hints)
  if (label) add(label, usable(label) === 'windows-1252' ? BY_DEFAULT : BY_LABEL)
  add('windows-1252', 1)
  const ranked = [...scores].map(([charset, score]) => ({ charset, score: score - faultsOf(sample, charset) }))
  return ranked.reduce((best, one) => (one.score > best.score ? one : best)).charset
}

const MAX_SAMPLE = 64 * 1024

/** The lines that are not ASCII: the others say nothing about the charset. */
function sampleOf(bytes: Buffer): Buffer {
  const lines: Buffer[] = []
  let length = 0
  for (let from = 0; from < bytes.length && length < MAX_SAMPLE;) {
    const end = bytes.indexOf(0x0a, from)
    const to = end === -1 ? bytes.length : end + 1
    const line = bytes.subarray(from, Math.min(to, from + MAX_SAMPLE - length))
    if (line.some(byte => byte >= 0x80)) {
      lines.push(line)
      length += line.length
    }
    from = to
  }
  return Buffer.concat(lines)
}

/**
 * Scores the evidence against a charset, in percent of the characters beyond ASCII: those that no text contains,
 * capitals within words, and words that consist of accents. Kana are evidence for it: nothing else looks like them.
 */
function faultsOf(sample: Buffer, charset: string): number {
  const text = new TextDecoder(charset).decode(sample)
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  const faults =
    2 * count(/[\uFFFD\x80-\x9F\u2500-\u259F\uE000-\uF8FF\uFF61-\uFF9F]/g) +
    2 * count(/\p{Ll}(?=\p{Lu})/gu) +
    4 * count(/[\u00A1-\u024F\u02C6\u02DC\u2018-\u2030\u20AC\u2122]{4}/g) -
    count(/[\u3041-\u30FE]/g)
  return (100 * faults) / Math.max(count(/[^\0-\x7F]/g), 1)
}
