import { deflateSync } from 'node:zlib'
import { MB, type WorstInput } from './input'

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.byteLength)
  check.writeUInt32BE(Bun.hash.crc32(body))
  return Buffer.concat([length, body, check])
}

/** A picture of one colour: a few kilobytes that unfold to four bytes for every point. */
function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const data = deflateSync(new Uint8Array((3 * width + 1) * height), { level: 9 })
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', new Uint8Array()),
  ])
}

const headers = { 'Content-Type': 'image/png' }

/** Covers that take the most memory or time, as far as anybody knows. */
export const pictures: WorstInput[] = [
  { name: 'PNG of 20 million points', body: () => png(4400, 4500), headers },
  { name: 'PNG of 20 million points in a strip', body: () => png(50_000, 390), headers },
  { name: 'PNG of 64 million points', body: () => png(8000, 8000), headers },
  { name: 'PNG of four billion points, cut', body: () => png(60_000, 200).fill(0xff, 16, 24), headers },
  {
    name: 'PNG of 19 MB of nothing',
    body: () => Buffer.concat([png(3000, 3000), Buffer.alloc(19 * MB)]),
    headers,
  },
]
