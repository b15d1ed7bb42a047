import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { rename, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DAY, HOUR, SECOND, type Clock } from '../platform/clock'
import { fetchBytes } from '../outbound/fetch-bytes'
import { createLanes } from '../outbound/lanes'
import type { Outbound } from '../outbound/request'
import type { Publish } from '../platform/events'
import { describeError, type Log } from '../platform/log'
import { feedAccess } from '../feeds/access'
import type { Secret } from '../platform/secret'
import type { Store } from '../store'
import { makeArtwork } from './artwork'

export const coverSizes = [64, 128, 256, 512, 1024] as const
/** A side in pixels; or as directories and apps want it of a podcast, for private feeds. */
export type CoverSize = (typeof coverSizes)[number] | 'artwork'
export type CoverFile = { path: string; type: string; digest: string }

export type Covers = ReturnType<typeof createCovers>

const MAX_BYTES = 20 * 1024 * 1024
const MAX_PIXELS = 20_000_000
const ARTWORK = '-artwork'
const STALE_MS = 7 * DAY
const types: Record<string, string> = { jpeg: 'image/jpeg', png: 'image/png', webp: 'image/webp' }

/** Covers of podcasts and episodes: fetched once, kept by the digest of their bytes, served in a few sizes as WebP. */
export function createCovers({
  store,
  outbound,
  secret,
  publish,
  now,
  log,
  folder,
}: {
  store: Store
  outbound: Outbound
  secret: Secret
  publish: Publish
  now: Clock
  log: Log
  folder: string
}) {
  const lanes = createLanes({ total: 4, perHost: 2 })
  const fetching = new Map<string, Promise<void>>()
  const scaling = new Map<string, Promise<void>>()
  let isStopping = false

  const unfinished = join(folder, 'unfinished')
  const pathOf = (digest: string, suffix: string) => join(folder, digest.slice(0, 2), `${digest}${suffix}`)

  /** Fetches a cover unless it is here or has just failed; answers when that is settled. */
  async function ensure(podcastId: number, url: string): Promise<CoverFile | null> {
    const file = fileOf(podcastId, url)
    if (file || (store.covers.find(podcastId, url)?.retry_at ?? 0) > now()) return file
    await fetchOnce(podcastId, url)
    return fileOf(podcastId, url)
  }

  function fileOf(podcastId: number, url: string): CoverFile | null {
    const cover = store.covers.find(podcastId, url)
    if (!cover?.digest || !cover.type) return null
    const path = pathOf(cover.digest, '')
    return existsSync(path) ? { path, type: cover.type, digest: cover.digest } : null
  }

  function fetchOnce(podcastId: number, url: string): Promise<void> {
    const key = `${podcastId} ${url}`
    const already = fetching.get(key)
    if (already) return already
    const work = lanes
      .run(URL.parse(url)?.host ?? '', () => fetchCover(podcastId, url))
      .catch(error => log.error('cover could not be kept', { error: describeError(error) }))
      .then(() => void fetching.delete(key))
    fetching.set(key, work)
    return work
  }

  async function fetchCover(podcastId: number, url: string) {
    const podcast = store.podcasts.find(podcastId)
    if (!podcast || isStopping) return
    try {
      const body = await fetchBytes(outbound, url, {
        ...feedAccess({ store, secret }, podcast, url),
        headers: { Accept: 'image/webp, image/jpeg, image/png, image/*;q=0.5', 'Accept-Encoding': 'identity' },
        timeoutMs: 20 * SECOND,
        maxBytes: MAX_BYTES,
      })
      const { bytes, type } = await asPicture(body)
      const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 40)
      await write(pathOf(digest, ''), bytes)
      if (isStopping || !store.podcasts.find(podcastId)) return
      store.covers.keep(podcastId, url, { digest, type, now: now() })
      if (url === podcast.image_url)
        publish({
          type: 'refreshedPodcast',
          podcastId,
          result: 'updated',
          added: 0,
          updated: 0,
          explicit: { added: 0, updated: 0 },
        })
    } catch {
      if (isStopping) return
      // Whatever it was (unreachable, no picture, too large), the podcast goes without for a while.
      if (store.podcasts.find(podcastId)) {
        const failures = (store.covers.find(podcastId, url)?.failures ?? 0) + 1
        store.covers.fail(podcastId, url, now() + Math.min(HOUR * 2 ** failures, 7 * DAY))
      }
    }
  }

  /** Whole or not at all, whenever the process ends. */
  async function write(path: string, bytes: Uint8Array) {
    mkdirSync(dirname(path), { recursive: true })
    const temporary = join(unfinished, crypto.randomUUID())
    await Bun.write(temporary, bytes)
    await rename(temporary, path)
  }

  async function scale(original: string, path: string, size: CoverSize) {
    const bytes = await Bun.file(original).bytes()
    // What is right as it is is kept twice: the next request finds it without looking.
    if (size === 'artwork') return write(path, (await makeArtwork(bytes, { maxPixels: MAX_PIXELS })) ?? bytes)
    const picture = new Bun.Image(bytes, { maxPixels: MAX_PIXELS })
    const scaled = picture.resize(size, size, { fit: 'inside', withoutEnlargement: true }).webp({ quality: 82 })
    await write(path, await scaled.bytes())
  }

  async function scaled(original: CoverFile, size: CoverSize): Promise<CoverFile | null> {
    const path = pathOf(original.digest, size === 'artwork' ? ARTWORK : `-${size}.webp`)
    if (!existsSync(path)) {
      const work = scaling.get(path) ?? scale(original.path, path, size)
      scaling.set(path, work)
      const isMade = await work.then(
        () => true,
        () => false,
      )
      scaling.delete(path)
      if (!isMade) return null
    }
    if (size !== 'artwork') return { path, type: 'image/webp', digest: original.digest }
    return { path, type: await typeOf(path), digest: `${original.digest}-artwork` }
  }

  return {
    ensure,
    /** Once at the start: what a process that was killed had not finished. */
    recover: () => rmSync(unfinished, { recursive: true, force: true }),

    /** The picture in a size, made at the first request; null when there is no usable cover. */
    async find(podcastId: number, url: string, size: CoverSize | null): Promise<CoverFile | null> {
      const original = await ensure(podcastId, url)
      return original && size !== null ? scaled(original, size) : original
    },
    /** A picture of our own as artwork. It is no podcast's, hence hidden. */
    artworkOf(path: string, type: string): Promise<CoverFile | null> {
      const digest = `.own-${Bun.hash(`${path} ${Bun.file(path).size}`).toString(36)}`
      return scaled({ path, type, digest }, 'artwork')
    },

    /** Fetches what is missing or may have changed at its address. */
    async fetchDue() {
      const due = store.covers.due(now(), now() - STALE_MS, 200)
      await Promise.all(due.map(({ podcast_id, url }) => fetchOnce(podcast_id, url)))
    },

    stop() {
      isStopping = true
    },

    /** Files that no cover points to any more, after a podcast was deleted. */
    async removeUnused(digests: readonly string[]) {
      const unused = digests.filter(digest => !store.covers.isUsed(digest))
      const paths = unused.flatMap(digest => [
        pathOf(digest, ''),
        pathOf(digest, ARTWORK),
        ...coverSizes.map(size => pathOf(digest, `-${size}.webp`)),
      ])
      await Promise.all(paths.map(path => unlink(path).catch(() => undefined)))
    },
  }
}

/** Of a file of ours: JPEG or PNG. */
const typeOf = async (path: string) =>
  (await Bun.file(path).slice(0, 1).bytes())[0] === 0x89 ? 'image/png' : 'image/jpeg'

/** Only pictures that every browser shows, told by their bytes: others (GIF, BMP) become WebP, SVG and HTML are none. */
async function asPicture(body: Uint8Array): Promise<{ bytes: Uint8Array; type: string }> {
  const picture = new Bun.Image(body, { maxPixels: MAX_PIXELS })
  const { format, width, height } = await picture.metadata()
  if (width * height > MAX_PIXELS) throw new Error('too many pixels')
  const type = types[format]
  if (type) return { bytes: body, type }
  return {
    bytes: await picture.resize(1024, 1024, { fit: 'inside', withoutEnlargement: true }).webp({ quality: 85 }).bytes(),
    type: 'image/webp',
  }
}
