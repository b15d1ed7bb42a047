import type { CoverFolder } from './folder'
import { MAX_PIXELS } from './picture'

/** The sides of the squares that a scaled cover fits inside, in pixels. */
export const coverSizes = [64, 128, 256, 512, 1024] as const
/** One of these sides, or `artwork`: the square that directories and apps expect, offered in private feeds. */
export type CoverSize = (typeof coverSizes)[number] | 'artwork'
/** The formats of scaled covers: WebP, and JPEG for programs that read nothing else. */
export type CoverFormat = 'webp' | 'jpeg'
export type CoverFile = { path: string; type: string; digest: string }

const ARTWORK = '-artwork'
const suffixOf = (size: CoverSize, format: CoverFormat) =>
  size === 'artwork' ? ARTWORK : `-${size}.${format === 'webp' ? 'webp' : 'jpg'}`

/** Makes each size of a cover when it is first requested, and keeps it as a file. */
export function createSizes(folder: CoverFolder) {
  const running = new Map<string, Promise<void>>()

  async function make(original: string, path: string, size: CoverSize, format: CoverFormat) {
    const bytes = await Bun.file(original).bytes()
    // An original that is artwork already is copied, so that the next request finds it under this name.
    if (size === 'artwork') {
      // The decoder takes long to load: it is needed when an app wants artwork, not at the start.
      const { makeArtwork } = await import('./artwork')
      return folder.write(path, (await makeArtwork(bytes, { maxPixels: MAX_PIXELS })) ?? bytes)
    }
    const picture = new Bun.Image(bytes, { maxPixels: MAX_PIXELS })
    const scaled = picture.resize(size, size, { fit: 'inside', withoutEnlargement: true })
    await folder.write(path, await scaled[format]({ quality: 82 }).bytes())
  }

  /** Makes a size, once for all who request it at that time; returns whether that succeeded. */
  async function ensure(original: CoverFile, path: string, size: CoverSize, format: CoverFormat): Promise<boolean> {
    const work = running.get(path) ?? make(original.path, path, size, format)
    running.set(path, work)
    return work
      .then(
        () => true,
        () => false,
      )
      .finally(() => running.delete(path))
  }

  return {
    /** Returns the cover in a size; null where it cannot be scaled or stored. */
    async of(original: CoverFile, size: CoverSize, format: CoverFormat = 'webp'): Promise<CoverFile | null> {
      const suffix = suffixOf(size, format)
      const path = folder.pathOf(original.digest, suffix)
      if (!folder.has(original.digest, suffix) && !(await ensure(original, path, size, format))) return null
      if (size !== 'artwork') return { path, type: `image/${format}`, digest: original.digest }
      return { path, type: await typeOfArtwork(path), digest: `${original.digest}${ARTWORK}` }
    },
    /** Lists the paths of a cover in every size, the original included. */
    pathsOf: (digest: string) => [
      folder.pathOf(digest, ''),
      folder.pathOf(digest, ARTWORK),
      ...coverSizes.flatMap(size => [
        folder.pathOf(digest, suffixOf(size, 'webp')),
        folder.pathOf(digest, suffixOf(size, 'jpeg')),
      ]),
    ],
  }
}

/** The first byte of the PNG signature; a JPEG begins with 0xff. */
const PNG_BYTE = 0x89

const typeOfArtwork = async (path: string) =>
  (await Bun.file(path).slice(0, 1).bytes())[0] === PNG_BYTE ? 'image/png' : 'image/jpeg'
