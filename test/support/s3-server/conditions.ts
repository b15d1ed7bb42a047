import type { Exchange } from './exchange'
import { preconditionFailed, Refusal } from './answers'
import type { Stored } from './shelf'

const names = (list: string, etag: string) =>
  list.split(',').some(item => item.trim() === '*' || item.trim().replace(/^"?(.*?)"?$/, '"$1"') === etag)

/** Checks `If-Match` and `If-None-Match` of a read; true if the reader has this version already. */
export function isKnown({ headers }: Exchange, { etag }: Stored): boolean {
  const match = headers.get('if-match')
  if (match !== undefined && !names(match, etag)) throw preconditionFailed('If-Match')
  const noneMatch = headers.get('if-none-match')
  return noneMatch !== undefined && names(noneMatch, etag)
}

/** Checks `If-Match` and `If-None-Match: *` of a write. */
export function requireWritable({ headers }: Exchange, existing: Stored | undefined) {
  const noneMatch = headers.get('if-none-match')
  if (noneMatch !== undefined && existing && names(noneMatch, existing.etag)) throw preconditionFailed('If-None-Match')
  const match = headers.get('if-match')
  if (match === undefined) return
  if (!existing) throw new Refusal(404, 'NoSuchKey')
  if (!names(match, existing.etag)) throw preconditionFailed('If-Match')
}

/**
 * Reads a header with one range; null = all of it. Several ranges and nonsense count as none, as with S3. Throws 416
 * for a range behind the end. `to` is the byte after the last one.
 */
export function readRange(header: string | undefined, size: number): { from: number; to: number } | null {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return null
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
  if (from < to) return { from, to }
  throw new Refusal(416, 'InvalidRange', 'The requested range is not satisfiable', {
    RangeRequested: header!,
    ActualObjectSize: String(size),
  })
}
