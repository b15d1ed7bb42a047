import { piece } from '../pieces'
import { boxesAt, type Box, type BoxReader, type Patch } from './boxes'
import { Refused } from './tags'

/** A table of places in the file: where it is, its bytes, and how many of them a place takes. */
export type OffsetTable = { from: number; bytes: Buffer; width: 4 | 8 }

/** Reads the tables that say where the sound of each track is, no more than `most` bytes. Throws `Refused`. */
export async function readOffsets(reader: BoxReader, moov: Box, most: number): Promise<OffsetTable[]> {
  const tables: OffsetTable[] = []
  let left = most
  for (const { type, body, to } of await boxesAt(reader, moov, ['trak', 'mdia', 'minf', 'stbl'])) {
    // Places of what decrypts the samples: nobody downloads that as a podcast.
    if (type === 'saio') throw new Refused('unsupported-tags')
    if (type !== 'stco' && type !== 'co64') continue
    const width = type === 'stco' ? 4 : 8
    const head = await piece(reader.file, body, 8)
    if (head.length < 8) throw new Refused('malformed')
    const length = head.readUInt32BE(4) * width
    if (length > to - body - 8) throw new Refused('malformed')
    left -= length
    if (left < 0) throw new Refused('too-large')
    tables.push({ from: body + 8, bytes: await piece(reader.file, body + 8, length), width })
  }
  return tables
}

/** The tables after the movie box of a file of `size` bytes grew: what is behind it has moved. Throws `Refused`. */
export function movedOffsets(tables: readonly OffsetTable[], moov: Box, size: number, growth: number): Patch[] {
  return tables.map(({ from, bytes, width }) => {
    for (let at = 0; at < bytes.length; at += width) {
      const place = width === 4 ? bytes.readUInt32BE(at) : Number(bytes.readBigUInt64BE(at))
      if (place < moov.from) continue
      if (place < moov.to || place >= size) throw new Refused('malformed')
      if (place + growth > (width === 4 ? 0xffffffff : Number.MAX_SAFE_INTEGER)) throw new Refused('too-large')
      if (width === 4) bytes.writeUInt32BE(place + growth, at)
      else bytes.writeBigUInt64BE(BigInt(place + growth), at)
    }
    return { from, to: from + bytes.length, bytes }
  })
}
