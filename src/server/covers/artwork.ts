import { decode } from 'fast-png'

// Podcast directories and apps want artwork that is square, 1400 to 3000 pixels wide, JPEG or PNG:
// https://podcasters.apple.com/support/896
const SMALLEST = 1400
const LARGEST = 3000
const QUALITY = 88

type Options = { maxPixels: number }

/** Turns a picture into artwork of a podcast, with white edges where it is not square; null = it is artwork already. */
export async function makeArtwork(bytes: Uint8Array, { maxPixels }: Options): Promise<Uint8Array | null> {
  const { width, height, format } = await new Bun.Image(bytes, { maxPixels }).metadata()
  const picture = new Bun.Image(bytes, { maxPixels })
  if (width !== height) {
    const scaled = await picture.resize(SMALLEST, SMALLEST, { fit: 'inside' }).png().bytes()
    return new Bun.Image(onSquare(scaled)).jpeg({ quality: QUALITY }).bytes()
  }
  const side = Math.min(Math.max(width, SMALLEST), LARGEST)
  if (side === width && (format === 'jpeg' || format === 'png')) return null
  return picture.resize(side, side).jpeg({ quality: QUALITY }).bytes()
}

/** A PNG in the middle of a white square, as a BMP: that is pixels behind a header, which any decoder reads. */
function onSquare(png: Uint8Array): Uint8Array {
  const { width, height, data, channels } = decode(png)
  const side = Math.max(width, height)
  const left = (side - width) >> 1
  const top = (side - height) >> 1
  const rowBytes = Math.ceil((side * 3) / 4) * 4
  const bmp = Buffer.alloc(HEADER_BYTES + rowBytes * side, 255)
  writeHeader(bmp, side)
  for (let y = 0; y < height; y++) {
    // From the lowest row up.
    let to = HEADER_BYTES + (side - 1 - top - y) * rowBytes + left * 3
    let from = y * width * channels
    for (let x = 0; x < width; x++, from += channels, to += 3) {
      const isGrey = channels < 3
      const alpha = channels % 2 === 0 ? data[from + channels - 1]! / 255 : 1
      for (let part = 0; part < 3; part++) bmp[to + 2 - part] = 255 - (255 - data[from + (isGrey ? 0 : part)]!) * alpha
    }
  }
  return bmp
}

const HEADER_BYTES = 54

/** `BITMAPFILEHEADER` and `BITMAPINFOHEADER` of 24 bits a pixel. */
function writeHeader(bmp: Buffer, side: number) {
  bmp.fill(0, 0, HEADER_BYTES)
  bmp.write('BM', 0, 'latin1')
  bmp.writeUInt32LE(bmp.length, 2)
  bmp.writeUInt32LE(HEADER_BYTES, 10)
  bmp.writeUInt32LE(40, 14)
  bmp.writeInt32LE(side, 18)
  bmp.writeInt32LE(side, 22)
  bmp.writeUInt16LE(1, 26)
  bmp.writeUInt16LE(24, 28)
}
