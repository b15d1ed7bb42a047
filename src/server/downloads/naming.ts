const MAX_BYTES = 200

// Refused by one file system or another: separators and control characters, and what Windows reserves.
const refused = /[\u0000-\u001f\u007f-\u009f/\\:*?"<>|\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

/**
 * One path segment that every file system takes, at most 200 bytes with its extension: never empty, never hidden,
 * never `..`, without a dot or space at its end.
 */
export function safeSegment(text: string, fallback: string, extension = ''): string {
  const clean = text
    .normalize('NFC')
    .replace(refused, '-')
    .replace(/\s+/g, ' ')
    .replace(/^[.\s]+/, '')
  const room = MAX_BYTES - Buffer.byteLength(extension)
  const short = cutToBytes(clean, room).replace(/[.\s]+$/, '')
  if (short === '') return `${fallback}${extension}`
  return `${reserved.test(short) ? `_${short}` : short}${extension}`
}

/** `name`, or `name (2)` and so on, the first that is not taken. */
export function firstFree(name: string, extension: string, isTaken: (candidate: string) => boolean): string {
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : ` (${number})`
    const candidate = `${cutToBytes(name, MAX_BYTES - Buffer.byteLength(suffix + extension)).trimEnd()}${suffix}${extension}`
    if (!isTaken(candidate)) return candidate
  }
}

/** Cuts at a whole character, so that no half of an emoji is left. */
function cutToBytes(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  let length = 0
  let kept = ''
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    length += Buffer.byteLength(segment)
    if (length > bytes) break
    kept += segment
  }
  return kept
}
