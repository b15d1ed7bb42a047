/** `none` = send everything, `unsatisfiable` = 416. Both ends are inclusive. */
type RangeRequest = { kind: 'none' } | { kind: 'unsatisfiable' } | { kind: 'part'; from: number; to: number }

/** A file's strong ETag, and its `Last-Modified`. */
export type Validators = { etag: string; lastModified: string }

/**
 * The range that a request asks for. A client that has an older version of the file (`If-Range`) gets the whole; a weak
 * validator proves nothing about bytes, so it counts as an older version (RFC 9110, 13.1.5).
 */
export function rangeOf({ headers }: Request, size: number, { etag, lastModified }: Validators): RangeRequest {
  const ifRange = headers.get('if-range')
  const isSameVersion = !ifRange || ifRange === etag || ifRange === lastModified
  return isSameVersion ? parseRange(headers.get('range'), size) : { kind: 'none' }
}

/** Parses a single byte range (RFC 9110, 14). Several ranges, and headers that we cannot read, mean the whole. */
export function parseRange(header: string | null, size: number): RangeRequest {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return { kind: 'none' }
  if (match[1] === '') {
    const length = Math.min(Number(match[2]), size)
    return length === 0 ? { kind: 'unsatisfiable' } : { kind: 'part', from: size - length, to: size - 1 }
  }
  const from = Number(match[1])
  const to = match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1)
  if (match[2] !== '' && Number(match[2]) < from) return { kind: 'none' }
  return from < size ? { kind: 'part', from, to } : { kind: 'unsatisfiable' }
}
