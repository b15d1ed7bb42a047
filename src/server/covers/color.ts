import { decode } from 'fast-png'

const SIDE = 32
const HUES = 24
/** Nearly black and nearly white pixels are ignored. Lightness of OKLab, from 0 to 1. */
const DARKEST = 0.15
const LIGHTEST = 0.92
/** Below this chroma a hue is noise: such pixels stand together as grey. */
const GREY = 0.02

/** The sum of the pixels of one hue, in red, green and blue. */
type Bin = { weight: number; pixels: number; sums: [number, number, number] }

/**
 * Finds the colour that stands for a picture, as `#rrggbb`: the mean of the hue with the most pixels, of which strong
 * ones count more. Returns an empty text for a picture without any, such as a white or an empty one. Throws where it
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
