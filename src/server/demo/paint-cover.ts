import { crc32, deflateSync } from 'node:zlib'

const SIZE = 640

type Colour = readonly [number, number, number]
type Shape = (x: number, y: number) => boolean

const shapes: readonly Shape[] = [
  (x, y) => Math.hypot(x - 0.5, y - 0.55) < 0.28,
  (x, y) => Math.abs(x - 0.5) + Math.abs(y - 0.5) < 0.34,
  (x, y) => y > 0.62 + 0.08 * Math.sin(x * 9) || Math.hypot(x - 0.7, y - 0.3) < 0.12,
  (x, y) => Math.floor(x * 6) % 2 === 0 && y > 0.2 + 0.5 * Math.abs(x - 0.5),
  (x, y) => Math.abs(Math.hypot(x - 0.5, y - 0.5) % 0.16) < 0.06,
  (x, y) => x + y > 1.05 && x + y < 1.45,
  (x, y) => Math.hypot(x - 0.32, y - 0.5) < 0.2 || Math.hypot(x - 0.68, y - 0.5) < 0.2,
  (x, y) => y > 0.5 - 0.3 * Math.sin(x * Math.PI) && y < 0.75,
]

/** A plain, bright picture: a ground that darkens downwards, and one shape on it. PNG. */
export function paintCover(index: number, ground: Colour, ink: Colour): Uint8Array {
  const shape = shapes[index % shapes.length]!
  const rows = Buffer.alloc(SIZE * (1 + SIZE * 3))
  for (let row = 0; row < SIZE; row++) {
    for (let column = 0; column < SIZE; column++) {
      const isInk = shape(column / SIZE, row / SIZE)
      const shade = isInk ? 1 : 1.05 - (0.3 * row) / SIZE
      const colour = isInk ? ink : ground
      const at = row * (1 + SIZE * 3) + 1 + column * 3
      for (let channel = 0; channel < 3; channel++) rows[at + channel] = Math.min(255, colour[channel]! * shade)
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(SIZE, 0)
  header.writeUInt32BE(SIZE, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  framed.set(body, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
