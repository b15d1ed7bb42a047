import { decode } from 'fast-png'

// Podcast directories and apps want artwork that is square, 1400 to 3000 pixels wide, JPEG or PNG:
// https://podcasters.apple.com/support/896
const MIN_SIZE = 1400
const MAX_SIZE = 3000
/** JPEG quality, of 100. */
const QUALITY = 88

type Options = { maxPixels: number }

/**
 * Turns a picture into artwork: a square JPEG of an allowed size, with white edges if the picture is not square.
 * Returns null for a picture that is already artwork; throws if it cannot be decoded.
 */
export async function makeArtwork(bytes: Uint8Array, { maxPixels }: Options): Promise<Uint8Array | null> {
  const { width, height, format } = await new Bun.Image(bytes, { maxPixels }).metadata()
  const picture = new Bun.Image(bytes, { maxPixels })
  if (width !== height) {
    const scaled = await picture.resize(MIN_SIZE, MIN_SIZE, { fit: 'inside' }).png().bytes()
    return new Bun.Image(placeOnSquare(scaled)).jpeg({ quality: QUALITY }).bytes()
  }
  const side = Math.min(Math.max(width, MIN_SIZE), MAX_SIZE)
  if (side === width && (format === 'jpeg' || format === 'png')) return null
  return picture.resize(side, side).jpeg({ quality: QUALITY }).bytes()
}

/**
 * Places a PNG in the middle of a white square. Returns a BMP, which needs no encoder: a header, then the rows from
 * bottom to top, each padded to a multiple of four bytes, with pixels as blue, green and red.
 */
function placeOnSquare(png: Uint8Array): Uint8Array {
  const { width, height, data, channels } = decode(png)
  const side = Math.max(width, height)
  const left = (side - width) >> 1
  const top = (side - height) >> 1
  const rowBytes = Math.ceil((side * 3) / 4) * 4
  const bmp = Buffer.alloc(HEADER_BYTES + rowBytes * side, 255)
  writeHeader(bmp, side)
  for (let y = 0; y < height; y++) {
    let to = HEADER_BYTES + (side - 1 - top - y) * rowBytes + left * 3
    let from = y * width * channels
    for (let x = 0; x < width; x++, from += channels, to += 3) {
      // Channels are grey (1), grey and opacity (2), red, green and blue (3), or those and opacity (4).
      const isGrey = channels < 3
      const alpha = channels % 2 === 0 ? data[from + channels - 1]! / 255 : 1
      for (let colour = 0; colour < 3; colour++)
        bmp[to + 2 - colour] = 255 - (255 - data[from + (isGrey ? 0 : colour)]!) * alpha
    }
  }
  return bmp
}

const HEADER_BYTES = 54

/** Writes the header of a BMP (`BITMAPFILEHEADER`, then `BITMAPINFOHEADER`) with 24 bits per pixel. */
function writeHeader(bmp: Buffer, side: number) {
  bmp.fill(0, 0, HEADER_BYTES)
  bmp.write('BM', 0, 'latin1')
  bmp.writeUInt32LE(bmp.length, 2)
  // Offset of the pixels, and size of the second header.
  bmp.writeUInt32LE(HEADER_BYTES, 10)
  bmp.writeUInt32LE(40, 14)
  bmp.writeInt32LE(side, 18)
  bmp.writeInt32LE(side, 22)
  // One plane of 24 bits per pixel.
  bmp.writeUInt16LE(1, 26)
  bmp.writeUInt16LE(24, 28)
}

const SIDE = 32
const HUES = 24
/** Nearly black and nearly white pixels are ignored. Lightness of OKLab, from 0 to 1. */
const DARKEST = 0.15
const LIGHTEST = 0.92
/** Below this chroma a hue is noise: such pixels count together as grey. */
const GREY = 0.02

/** The sum of the pixels of one hue, in red, green and blue. */
type Bin = { weight: number; pixels: number; sums: [number, number, number] }

/**
 * Finds the colour that stands for a picture, as `#rrggbb`: the mean of the hue with the most pixels, with strong
 * pixels counting more. Returns an empty text for a picture without any, such as a white or an empty one. Throws if it
 * cannot be decoded.
 */
export async function findColor(bytes: Uint8Array, { maxPixels }: { maxPixels: number }): Promise<string> {
  const { data, channels } = decode(
    await new Bun.Image(bytes, { maxPixels }).resize(SIDE, SIDE, { fit: 'fill' }).png().bytes(),
  )
  const bins = new Map<number, Bin>()
  for (let at = 0; at < data.length; at += channels) {
    const isOpaque = channels % 2 === 1 || data[at + channels - 1]! >= 128
    const isGrey = channels < 3
    if (isOpaque) count(bins, data[at]!, data[at + (isGrey ? 0 : 1)]!, data[at + (isGrey ? 0 : 2)]!)
  }
  const heaviest = [...bins.values()].reduce<Bin | null>(
    (best, bin) => (best && best.weight >= bin.weight ? best : bin),
    null,
  )
  return heaviest ? writeHex(heaviest.sums.map(sum => sum / heaviest.pixels)) : ''
}

function count(bins: Map<number, Bin>, red: number, green: number, blue: number) {
  const [lightness, a, b] = toOklab(red, green, blue)
  if (lightness < DARKEST || lightness > LIGHTEST) return
  const chroma = Math.hypot(a, b)
  const hue = chroma < GREY ? HUES : Math.floor((Math.atan2(b, a) / (2 * Math.PI) + 1) * HUES) % HUES
  const bin = bins.get(hue) ?? { weight: 0, pixels: 0, sums: [0, 0, 0] }
  bin.weight += 0.3 + chroma / 0.2
  bin.pixels++
  bin.sums[0] += red
  bin.sums[1] += green
  bin.sums[2] += blue
  bins.set(hue, bin)
}

/** Converts sRGB of 0 to 255 to OKLab, https://bottosson.github.io/posts/oklab/ */
function toOklab(red: number, green: number, blue: number): [lightness: number, a: number, b: number] {
  const r = toLinear(red)
  const g = toLinear(green)
  const b = toLinear(blue)
  const long = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const medium = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const short = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
  ]
}

function toLinear(channel: number): number {
  const part = channel / 255
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
}

const writeHex = (channels: readonly number[]) =>
  `#${channels.map(channel => Math.round(channel).toString(16).padStart(2, '0')).join('')}`
