import { keepSmall } from '../../platform/engine'
import { parseAddress } from './values'
import { attribute, children, text, textOf, type XmlNode } from './xml-node'

/** The picture of an item if iTunes names none: of the podcast namespace, of Media RSS, or a plain `image`. */
export const pictureOf = (item: XmlNode, base: string): string | null =>
  namespacePicture(item, base) ?? mediaPicture(item, base) ?? plainPicture(item, base)

/**
 * `podcast:image`, or one of `podcast:images`:
 * https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/tags/image.md
 */
export function namespacePicture(node: XmlNode, base: string): string | null {
  const images = children(node, 'podcast:image')
  const artwork = images.find(image => /artwork|^$/i.test(attribute(image, 'purpose') ?? '')) ?? images[0]
  const address = parseAddress(attribute(artwork, 'href'), base)
  return address ?? parseAddress(fitting(attribute(children(node, 'podcast:images')[0], 'srcset')), base)
}

/** The width that directories ask for: larger ones are scaled down, smaller ones look blurred on a television. */
const WANTED = 1400

/** The narrowest of `a.jpg 3000w, b.jpg 1500w` that is wide enough, else the widest. */
function fitting(srcset: string | null): string | null {
  let found: { address: string; width: number } | null = null
  for (const candidate of srcset?.slice(0, 20_000).split(/,(?=\s|https?:)/) ?? []) {
    const [address = '', size = ''] = candidate.trim().split(/\s+/)
    const width = Number.parseFloat(size) || 0
    if (address === '') continue
    const isBetter = !found || (found.width < WANTED ? width > found.width : width >= WANTED && width < found.width)
    if (isBetter) found = { address, width }
  }
  return found?.address ?? null
}

/** A thumbnail, else a picture among the contents, but not the portrait of the author that WordPress puts there. */
function mediaPicture(item: XmlNode, base: string): string | null {
  const groups = children(item, 'media:group')
  const contents = [item, ...groups].flatMap(node => children(node, 'media:content'))
  const thumbnails = [item, ...groups, ...contents].flatMap(node => children(node, 'media:thumbnail'))
  const pictures = contents.filter(
    node => attribute(node, 'medium')?.toLowerCase() === 'image' || /^image\//i.test(attribute(node, 'type') ?? ''),
  )
  for (const node of [...thumbnails, ...pictures]) {
    const address = parseAddress(attribute(node, 'url'), base)
    if (address && !/^https?:\/\/[\w.]*gravatar\.com\//.test(address)) return address
  }
  return null
}

/** An `image` as RSS gives it to channels, and some feeds to items. */
export function plainPicture(node: XmlNode, base: string): string | null {
  for (const image of children(node, 'image')) {
    const address = parseAddress(
      text(image, 'url') ??
        attribute(image, 'href') ??
        attribute(image, 'url') ??
        attribute(image, 'rdf:resource') ??
        writtenAddress(textOf(image)),
      base,
    )
    if (address) return address
  }
  return null
}

/** The text of an `image` if it is an address, not words. */
const writtenAddress = (text: string | null) => (text && /^(?:https?:|\/)/i.test(text) ? text : null)

keepSmall(pictureOf, namespacePicture, mediaPicture, plainPicture)
