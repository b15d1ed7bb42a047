import fc from 'fast-check'
import { cut } from '../../../src/server/media/cut/tasks'
import { bytesOf, CutRefused } from '../../../src/server/media/cut/plan'
import { toneAdts, toneM4a, toneMp3 } from '../../support/tones'
import { Finding, require, type Target } from '../target'

const SECONDS = 3
const files: readonly (readonly [type: string, bytes: Buffer])[] = [
  ['audio/mpeg', toneMp3(SECONDS)],
  ['audio/mpeg', toneMp3(SECONDS, { rates: [3, 9], back: 400, hasCheck: true })],
  ['audio/aac', toneAdts(SECONDS)],
  ['audio/mp4', toneM4a(SECONDS)],
  ['audio/mp4', toneM4a(SECONDS, { inChunk: 7, soundLast: true, wide: true })],
]

type Input = {
  file: number
  edits: { at: number; bytes: number[] }[]
  /** An insertion: its place, and how many bytes of what. */
  garbage: { at: number; length: number; byte: number }
  length: number
  from: number
  seconds: number
}

/**
 * Whatever is broken in a file: a passage is cut out of it or refused. A clip is as long as it said, no more is read
 * than is allowed, and nothing beyond the end of the file.
 */
export const cuts: Target<Input> = {
  name: 'cuts',
  texts: [],
  slowMs: 5000,
  inputs: fc.record({
    file: fc.nat(files.length - 1),
    edits: fc.array(
      fc.record({
        at: fc.oneof(fc.nat(1200), fc.double({ min: 0, max: 1, noNaN: true })),
        bytes: fc.array(fc.oneof(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), fc.nat(255)), { minLength: 1, maxLength: 8 }),
      }),
      { maxLength: 6 },
    ),
    garbage: fc.record({
      at: fc.nat(30_000),
      length: fc.constantFrom(0, 0, 0, 1, 700, 70_000),
      byte: fc.constantFrom(0, 0xff),
    }),
    length: fc.oneof({ weight: 4, arbitrary: fc.constant(Number.MAX_SAFE_INTEGER) }, fc.nat(30_000)),
    from: fc.double({ min: 0, max: SECONDS + 1, noNaN: true }),
    seconds: fc.double({ min: 0.5, max: 300, noNaN: true }),
  }),
  async check({ file, edits, garbage, length, from, seconds }) {
    const [type, whole] = files[file]!
    const edited = Buffer.from(whole)
    for (const { at, bytes } of edits) {
      const place = Math.min(edited.length, at < 1 ? Math.floor(at * edited.length) : at)
      edited.set(bytes.slice(0, edited.length - place), place)
    }
    const bytes = Buffer.concat([
      edited.subarray(0, garbage.at),
      Buffer.alloc(garbage.length, garbage.byte),
      edited.subarray(garbage.at),
    ]).subarray(0, length)
    await check(type, bytes, { from, to: from + seconds })
  },
}

async function check(type: string, bytes: Buffer, span: { from: number; to: number }) {
  let read = 0
  const source = {
    size: bytes.length,
    async readBytes(from: number, to: number) {
      require(from >= 0 && from <= to && to <= bytes.length, 'a cut reads beyond the file', [from, to, bytes.length])
      read += to - from
      return new Uint8Array(bytes.subarray(from, to))
    },
  }
  try {
    const made = await cut(source, type, span, { title: 'Fog', podcast: 'Lighthouse' })
    let length = 0
    for await (const chunk of bytesOf(source, made)) length += chunk.length
    require(length === made.size, 'a cut has another length than it said', [length, made.size])
  } catch (error) {
    if (error instanceof Finding || !(error instanceof CutRefused)) throw error
  }
  require(read <= 4 * bytes.length + 20 * 1024 * 1024, 'a cut reads a file too often', read / bytes.length)
}
