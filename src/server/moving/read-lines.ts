import { closeSync, openSync, readSync } from 'node:fs'
import { collectGarbage } from '../platform/garbage'
import { MoveRefused } from './refused'

/** MySQL's dumps fill statements up to 16 MB, and beyond it by one row. */
export const MAX_LINE = 32 * 1024 * 1024
const CHUNK = 256 * 1024
const NEWLINE = 10
const RETURN = 13

/**
 * Reads a text file line by line, without the ends of lines, and never more of it than the longest line. Throws
 * `MoveRefused` for a line of more than `most` bytes.
 */
export function* readLines(path: string, most = MAX_LINE): Generator<string, void> {
  const file = openSync(path, 'r')
  try {
    const chunk = Buffer.alloc(CHUNK)
    let begun: Buffer[] = []
    let begunBytes = 0
    for (let size = readSync(file, chunk); size > 0; size = readSync(file, chunk)) {
      const bytes = chunk.subarray(0, size)
      let start = 0
      for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
        yield lineOf(begun, bytes.subarray(start, end))
        begun = []
        begunBytes = 0
        start = end + 1
      }
      begunBytes += size - start
      if (begunBytes > most) throw new MoveRefused(`The file has a line of more than ${most} bytes`)
      if (start < size) begun.push(Buffer.from(bytes.subarray(start)))
      collectGarbage(size)
    }
    if (begunBytes > 0) yield lineOf(begun, Buffer.alloc(0))
  } finally {
    closeSync(file)
  }
}

function lineOf(begun: readonly Buffer[], rest: Buffer): string {
  const bytes = begun.length === 0 ? rest : Buffer.concat([...begun, rest])
  const end = bytes.at(-1) === RETURN ? bytes.length - 1 : bytes.length
  return bytes.toString('utf8', 0, end)
}
