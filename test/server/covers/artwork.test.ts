import { expect, test } from 'bun:test'
import { decode, encode } from 'fast-png'
import { makeArtwork } from '../../../src/server/covers/artwork'

const WIDTH = 300
const HEIGHT = 100

/** A wide picture of one colour, as a PNG of so many channels. */
const pictureOf = (...pixel: number[]) =>
  encode({
    width: WIDTH,
    height: HEIGHT,
    channels: pixel.length as 1 | 2 | 3 | 4,
    data: Uint8Array.from({ length: WIDTH * HEIGHT * pixel.length }, (_, at) => pixel[at % pixel.length]!),
  })

/** Tells red, green and blue of an artwork at a height, from 0 to 1, in the middle of its width. */
async function coloursOf(artwork: Uint8Array) {
  const { width, height, channels, data } = decode(await new Bun.Image(artwork).png().bytes())
  return (y: number) => {
    const at = (Math.floor(y * (height - 1)) * width + (width >> 1)) * channels
    return [0, 1, 2].map(part => Number(data[at + (channels < 3 ? 0 : part)]))
  }
}

test.each([
  ['colour', [200, 80, 20], [200, 80, 20]],
  ['colour, half transparent', [200, 80, 20, 128], [227, 167, 137]],
  ['grey', [90], [90, 90, 90]],
  ['grey, half transparent', [90, 128], [172, 172, 172]],
])('a wide picture in %s keeps its colours on a white square', async (_, pixel, expected) => {
  const artwork = await makeArtwork(pictureOf(...pixel), { maxPixels: 20_000_000 })
  const colourAt = await coloursOf(artwork!)
  for (const [part, value] of colourAt(0.5).entries()) expect(Math.abs(value - expected[part]!)).toBeLessThan(8)
  for (const y of [0, 0.2, 0.8, 1]) for (const part of colourAt(y)) expect(part).toBeGreaterThan(247)
})
