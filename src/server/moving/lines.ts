import { closeSync, openSync, readSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { collectGarbage } from '../platform/engine'
import type { ForeignRow } from '../store/foreign-database'
import { MoveRefused, tooLarge, tooMany } from './item'

/** MySQL's dumps fill statements up to 16 MB, and beyond it by one row. */
export const MAX_LINE = 32 * 1024 * 1024
const CHUNK = 256 * 1024
const NEWLINE = 10
const RETURN = 13

/**
 * Reads a text file line by line, without line ends, and never holds more of it than the longest line. Throws
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
      if (begunBytes > most) throw tooLarge(`The file has a line of more than ${most} bytes`, most)
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

/** The copy of a server: a line of JSON for each record, the first of which names the kind of server. */
const MAX_COPY_BYTES = 1024 ** 3
const MAX_RECORDS = 2_000_000
const MAX_RECORD = 1024 * 1024

export type RecordWriter = ReturnType<typeof createRecordWriter>

/**
 * Writes what a server answers, a line for each record. Throws `MoveRefused` beyond a gigabyte or two million records.
 */
export function createRecordWriter(path: string) {
  let [bytes, count] = [0, 0]
  let pending = ''
  const flush = async () => {
    const text = pending
    pending = ''
    await appendFile(path, text, { mode: 0o600 })
  }
  return {
    async write(record: ForeignRow) {
      const line = `${JSON.stringify(record)}\n`
      bytes += line.length
      if (bytes > MAX_COPY_BYTES || ++count > MAX_RECORDS)
        throw tooMany(`The server has more than ${MAX_RECORDS} entries`, MAX_RECORDS)
      if (line.length > MAX_RECORD) return
      pending += line
      if (pending.length > CHUNK) await flush()
    },
    flush,
  }
}

/** The beginning of the copy of a server. */
export const recordHead = (source: string) => JSON.stringify({ copyOf: source })

export const isCopyOf = (source: string, head: string) => head.startsWith(`${recordHead(source)}\n`)

/** Reads a copy of a server line by line. Throws `MoveRefused` for anything else. */
export function* readRecords(path: string): Generator<ForeignRow> {
  let count = 0
  for (const line of readLines(path, MAX_RECORD)) {
    if (++count > MAX_RECORDS) throw tooMany(`The copy has more than ${MAX_RECORDS} lines`, MAX_RECORDS)
    yield parseLine(line)
  }
}

function parseLine(line: string): ForeignRow {
  try {
    const found: unknown = JSON.parse(line)
    if (typeof found === 'object' && found !== null) return found as ForeignRow
  } catch {
    // The same refusal.
  }
  throw new MoveRefused('move-copy-lost', 'The copy of the server is damaged. Start the import again.')
}
