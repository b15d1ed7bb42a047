/** `none` = send everything (also for what we need not understand), `unsatisfiable` = 416. Both ends are inclusive. */
export type RangeRequest = { kind: 'none' } | { kind: 'unsatisfiable' } | { kind: 'part'; from: number; to: number }

/** A single byte range of RFC 9110, 14. Several ranges at once are answered with the whole. */
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
