import { makeArtwork } from './artwork'
import type { CoverFolder } from './folder'
import { MAX_PIXELS } from './picture'

export const coverSizes = [64, 128, 256, 512, 1024] as const
/** A side in pixels, or the square that directories and apps want of a podcast, for private feeds. */
export type CoverSize = (typeof coverSizes)[number] | 'artwork'
export type CoverFile = { path: string; type: string; digest: string }

const ARTWORK = '-artwork'
const suffixOf = (size: CoverSize) => (size === 'artwork' ? ARTWORK : `-${size}.webp`)

/** Makes the sizes of a cover at their first request, and keeps them. */
export function createSizes(folder: CoverFolder) {
  const running = new Map<string, Promise<void>>()

  async function make(original: string, path: string, size: CoverSize) {
    const bytes = await Bun.file(original).bytes()
    // An original that is right already is copied: the next request finds it under this name.
    if (size === 'artwork') return folder.write(path, (await makeArtwork(bytes, { maxPixels: MAX_PIXELS })) ?? bytes)
    const picture = new Bun.Image(bytes, { maxPixels: MAX_PIXELS })
    const scaled = picture.resize(size, size, { fit: 'inside', withoutEnlargement: true }).webp({ quality: 82 })
    await folder.write(path, await scaled.bytes())
  }

  async function ensure(original: CoverFile, path: string, size: CoverSize): Promise<boolean> {
    const work = running.get(path) ?? make(original.path, path, size)
    running.set(path, work)
    return work
      .then(
        () => true,
        () => false,
      )
      .finally(() => running.delete(path))
  }

  return {
    /** Returns the cover in a size; null where its bytes cannot be scaled. */
    async of(original: CoverFile, size: CoverSize): Promise<CoverFile | null> {
      const path = folder.pathOf(original.digest, suffixOf(size))
      if (!folder.has(original.digest, suffixOf(size)) && !(await ensure(original, path, size))) return null
      if (size !== 'artwork') return { path, type: 'image/webp', digest: original.digest }
      return { path, type: await typeOfArtwork(path), digest: `${original.digest}${ARTWORK}` }
    },
    /** Lists the paths of a cover in every size, the original included. */
    pathsOf: (digest: string) => [
      folder.pathOf(digest, ''),
      folder.pathOf(digest, ARTWORK),
      ...coverSizes.map(size => folder.pathOf(digest, suffixOf(size))),
    ],
  }
}

const typeOfArtwork = async (path: string) =>
  (await Bun.file(path).slice(0, 1).bytes())[0] === 0x89 ? 'image/png' : 'image/jpeg'
