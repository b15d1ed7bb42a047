import { decode } from 'fast-png'

// Podcast directories and apps want artwork that is square, 1400 to 3000 pixels wide, JPEG or PNG:
// https://podcasters.apple.com/support/896
const MIN_SIZE = 1400
const MAX_SIZE = 3000
/** JPEG quality, of 100. */
const QUALITY = 88

type Options = { maxPixels: number }

/**
 * Turns a picture into artwork: a square JPEG of an allowed size, with white edges where the picture is not square.
 * Returns null for a picture that is artwork already; throws where it cannot be decoded.
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
