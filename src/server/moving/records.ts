import { appendFile } from 'node:fs/promises'
import type { ForeignRow } from '../store/foreign-database'
import { bytesAt } from './copy-source'
import { MoveRefused } from './refused'

/** The copy of a server: a line of JSON for each thing, the first of which names the kind of server. */
const MAX_BYTES = 1024 ** 3
const MAX_RECORDS = 2_000_000
const MAX_LINE = 1024 * 1024
const CHUNK = 256 * 1024

export type RecordWriter = ReturnType<typeof createRecordWriter>

/**
 * Writes what a server answers, a line for each thing. Throws `MoveRefused` beyond a gigabyte or two million things.
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
      if (bytes > MAX_BYTES || ++count > MAX_RECORDS)
        throw new MoveRefused(`The server has more than ${MAX_RECORDS} entries`)
      if (line.length > MAX_LINE) return
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
  for (const line of linesOf(path)) {
    if (++count > MAX_RECORDS) throw new MoveRefused(`The copy has more than ${MAX_RECORDS} lines`)
    yield parseLine(line)
  }
}

function* linesOf(path: string): Generator<string> {
  const decoder = new TextDecoder()
  let [rest, offset] = ['', 0]
  for (let bytes = bytesAt(path, 0, CHUNK); bytes.length > 0; bytes = bytesAt(path, offset, CHUNK)) {
    offset += bytes.length
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop()!
    yield* lines
    if (rest.length > MAX_LINE) throw new MoveRefused('The copy has lines that are too long')
  }
  if (rest !== '') yield rest
}

function parseLine(line: string): ForeignRow {
  try {
    const found: unknown = JSON.parse(line)
    if (typeof found === 'object' && found !== null) return found as ForeignRow
  } catch {
    // The same refusal.
  }
  throw new MoveRefused('The copy of the server is damaged. Start the import again.')
}
