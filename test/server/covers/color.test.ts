import { expect, test } from 'bun:test'
import { findColor } from '../../../src/server/covers/artwork'
import { paintSquare } from '../../support/paint-square'

const options = { maxPixels: 20_000_000 }
const red = [200, 30, 30]
const blue = [30, 60, 190]
const white = [255, 255, 255]
const black = [0, 0, 0]

/** Red, green and blue of the colour that is found. */
const colorOf = async (pixelAt: (x: number, y: number) => readonly number[]) =>
  Buffer.from((await findColor(paintSquare(pixelAt), options)).slice(1), 'hex')

const expectNear = (found: Iterable<number>, wanted: readonly number[]) => {
  const channels = [...found]
  expect(channels).toHaveLength(3)
  for (const [part, channel] of channels.entries()) expect(Math.abs(channel - wanted[part]!)).toBeLessThan(16)
}

test.each([
  ['red on white', red, white],
  ['red on black', red, black],
  ['blue on white', blue, white],
])('a cover in %s lends what is neither black nor white', async (_, ink, ground) => {
  expectNear(await colorOf((x, y) => (Math.hypot(x - 0.5, y - 0.5) < 0.3 ? ink : ground)), ink)
})

test('the colour that fills more of a cover stands for it', async () => {
  expectNear(await colorOf(x => (x < 0.7 ? blue : red)), blue)
  expectNear(await colorOf(x => (x < 0.3 ? blue : red)), red)
})

test('a strong colour outweighs more grey, and a little of it does not', async () => {
  const grey = [120, 120, 120]
  expectNear(await colorOf(x => (x < 0.35 ? red : grey)), red)
  expectNear(await colorOf(x => (x < 0.05 ? red : grey)), grey)
})

test('a cover in greys lends a grey, in one channel as in three', async () => {
  for (const channels of [1, 3])
    expectNear(await colorOf(x => Array.from({ length: channels }, () => (x < 0.5 ? 90 : 110))), [100, 100, 100])
})

test('the transparent part of a picture does not count', async () => {
  expectNear(await colorOf(x => (x < 0.2 ? [...blue, 255] : [...red, 0])), blue)
  expect(
    await findColor(
      paintSquare(() => [...red, 0]),
      options,
    ),
  ).toBe('')
})

test('a white or black picture lends no colour', async () => {
  expect(
    await findColor(
      paintSquare(() => white),
      options,
    ),
  ).toBe('')
  expect(
    await findColor(
      paintSquare(() => black),
      options,
    ),
  ).toBe('')
})

test('a picture with too many pixels, or none, is refused', async () => {
  const picture = paintSquare(() => red)
  await expect(findColor(picture, { maxPixels: 100 })).rejects.toThrow()
  await expect(findColor(picture.slice(0, 60), options)).rejects.toThrow()
})
