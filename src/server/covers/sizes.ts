import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { rename, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'

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

  /** Makes a size, once for all concurrent requests; returns whether that succeeded. */
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
    /** Returns the cover in a size; null if it cannot be scaled or stored. */
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

const types: Record<string, string> = { jpeg: 'image/jpeg', png: 'image/png', webp: 'image/webp' }

/** The largest picture that is decoded; its pixels take 80 MB of memory. */
export const MAX_PIXELS = 20_000_000

/**
 * Recognises a picture by its bytes. JPEG, PNG and WebP stay as they are; other formats that can be decoded (GIF, BMP)
 * become WebP, at most 1024 pixels wide and high. Throws for anything else (SVG and HTML included) and for more than 20
 * million pixels.
 */
export async function asPicture(body: Uint8Array): Promise<{ bytes: Uint8Array; type: string }> {
  const picture = new Bun.Image(body, { maxPixels: MAX_PIXELS })
  const { format, width, height } = await picture.metadata()
  if (width * height > MAX_PIXELS) throw new Error(`the picture has ${width * height} pixels`)
  const type = types[format]
  if (type) return { bytes: body, type }
  const scaled = picture.resize(1024, 1024, { fit: 'inside', withoutEnlargement: true }).webp({ quality: 85 })
  return { bytes: await scaled.bytes(), type: 'image/webp' }
}

export type CoverFolder = ReturnType<typeof createCoverFolder>

/** Opens the folder of covers. A file is named by the digest of the original, and a suffix for each scaled size. */
export function createCoverFolder(folder: string) {
  const unfinished = join(folder, 'unfinished')
  const pathOf = (digest: string, suffix: string) => join(folder, digest.slice(0, 2), `${digest}${suffix}`)

  return {
    pathOf,
    has: (digest: string, suffix: string) => existsSync(pathOf(digest, suffix)),
    /** Writes a file completely or not at all, even if the process is killed. */
    async write(path: string, bytes: Uint8Array) {
      mkdirSync(dirname(path), { recursive: true })
      const temporary = join(unfinished, crypto.randomUUID())
      await Bun.write(temporary, bytes)
      await rename(temporary, path)
    },
    /** Removes, at start-up, the unfinished files of a killed process. */
    recover: () => rmSync(unfinished, { recursive: true, force: true }),
    /** Removes files if possible. Failures are ignored: a file that stays takes only space, and `doctor` finds it. */
    remove: async (paths: readonly string[]) =>
      void (await Promise.all(paths.map(path => unlink(path).catch(() => undefined)))),
  }
}
