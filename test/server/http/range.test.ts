import { expect, test } from 'bun:test'
import { rangeOf } from '../../../src/server/http/media/local-file'

const validators = { etag: '"abc"', lastModified: 'Sun, 01 Mar 2026 05:00:00 GMT' }
const ask = (headers: Record<string, string>) => rangeOf(new Request('http://localhost/', { headers }), 100, validators)
const part = (from: number, to: number) => ({ kind: 'part' as const, from, to })

test.each([
  ['bytes=0-9', part(0, 9)],
  ['bytes=90-200', part(90, 99)],
  ['bytes=90-', part(90, 99)],
  ['bytes=-10', part(90, 99)],
  ['bytes=-500', part(0, 99)],
  ['bytes=99-99', part(99, 99)],
  ['bytes=100-', { kind: 'unsatisfiable' as const }],
  ['bytes=-0', { kind: 'unsatisfiable' as const }],
  ['bytes=9-0', { kind: 'none' as const }],
  ['bytes=-', { kind: 'none' as const }],
  ['bytes=0-1,5-6', { kind: 'none' as const }],
  ['lines=0-9', { kind: 'none' as const }],
])('Range %s of 100 bytes', (Range, expected) => {
  expect(ask({ Range })).toEqual(expected)
})

test.each([
  ['the same ETag', '"abc"', 'part'],
  ['the same date', 'Sun, 01 Mar 2026 05:00:00 GMT', 'part'],
  ['another ETag', '"abd"', 'none'],
  ['another date', 'Sun, 01 Mar 2026 05:00:01 GMT', 'none'],
  // A weak validator does not say that the bytes are the same: parts of two versions would be joined.
  ['a weak ETag', 'W/"abc"', 'none'],
])('a part is only sent for the version that the client has: %s', (_, ifRange, kind) => {
  expect(ask({ Range: 'bytes=0-9', 'If-Range': ifRange })).toMatchObject({ kind })
})

test('without a range, a validator changes nothing', () => {
  expect(ask({ 'If-Range': '"abc"' })).toEqual({ kind: 'none' })
})
