import { encode } from 'fast-png'

const SIDE = 60

/** A square picture as a PNG; `pixelAt` gives the channels at a place, counted from 0 to 1. */
export function paintSquare(pixelAt: (x: number, y: number) => readonly number[]): Uint8Array<ArrayBuffer> {
  const pixels = Array.from({ length: SIDE * SIDE }, (_, place) =>
    pixelAt((place % SIDE) / SIDE, Math.floor(place / SIDE) / SIDE),
  )
  return Uint8Array.from(
    encode({
      width: SIDE,
      height: SIDE,
      channels: pixels[0]!.length as 1 | 2 | 3 | 4,
      data: Uint8Array.from(pixels.flat()),
    }),
  )
}
