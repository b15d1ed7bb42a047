import fc from 'fast-check'
import { parseRange } from '../../../src/server/http/media/local-file'
import { mutated } from '../mutate'
import { require, type Target } from '../target'

const digits = fc.oneof(
  fc.nat(20).map(String),
  fc.constantFrom('', '0', '00', '9007199254740993', '9'.repeat(400), '-1', '1.5', '0x1', '1e3', ' 1'),
)

export const ranges: Target<{ header: string; size: number }> = {
  name: 'ranges',
  texts: ['header'],
  inputs: fc.record({
    header: fc.oneof(
      fc.tuple(digits, digits).map(([from, to]) => `bytes=${from}-${to}`),
      mutated(['bytes=0-1', 'bytes=5-', 'bytes=-5', 'bytes=0-1,4-5', 'bytes = 1-2', 'items=0-1']),
    ),
    size: fc.oneof(fc.nat(20), fc.constantFrom(0, 1, 2 ** 31, 2 ** 40, Number.MAX_SAFE_INTEGER)),
  }),
  check({ header, size }) {
    const range = parseRange(header, size)
    if (range.kind !== 'part') return
    const isWithin =
      Number.isSafeInteger(range.from) &&
      Number.isSafeInteger(range.to) &&
      0 <= range.from &&
      range.from <= range.to &&
      range.to < size
    require(isWithin, 'a range is not within the size', range)
  },
}
