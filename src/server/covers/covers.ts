import { createLanes } from '../outbound/lanes'
import { type Clock, DAY, HOUR, SECOND } from '../platform/clock'
import type { Listeners, Publish } from '../platform/events'
import { type Log, logFailure } from '../platform/log'
import {
  asPicture,
  type CoverFile,
  type CoverFolder,
  type CoverFormat,
  type CoverSize,
  createCoverFolder,
  createSizes,
  MAX_PIXELS,
} from './sizes'
import { type BegunWork, setAsideMessage } from '../begun-work'
import { feedAccess } from '../feeds/fetch/address'
import { fetchBytes, type Outbound } from '../outbound/request'
import type { Secret } from '../platform/secret'
import type { Store } from '../store'

export type Covers = ReturnType<typeof createCovers>

type Needs = Omit<FetchNeeds, 'colors' | 'removeUnused'> & { folder: string; log: Log }

const STALE_MS = 7 * DAY
/** Some hosts give a picture another address at each check. */
const FORMER_MS = 30 * DAY

/** Covers of podcasts and episodes: fetched once, kept by the digest of their bytes, served in a few sizes as WebP. */
export function createCovers(needs: Needs) {
  const { store, now } = needs
  const folder = createCoverFolder(needs.folder)
  const sizes = createSizes(folder)
  let isStopping = false
  /** Removes the files of covers that nothing points to any more. */
  const removeUnused = (digests: readonly string[]) =>
    folder.remove(digests.filter(digest => !store.covers.isUsed(digest)).flatMap(sizes.pathsOf))
  const colors = createColors(store, needs.begun, folder, () => isStopping)
  const fetching = { ...needs, colors, removeUnused }
  const { fetchOnce, fetchDue } = createFetching(fetching, folder, () => isStopping)

  /** Fetches a cover unless it is stored or failed recently; settles when that is decided. */
  async function ensure(podcastId: number, url: string): Promise<CoverFile | null> {
    const file = fileOf(podcastId, url)
    if (file || (store.covers.find(podcastId, url)?.retry_at ?? 0) > now()) return file
    await fetchOnce(podcastId, url)
    return fileOf(podcastId, url)
  }

  function fileOf(podcastId: number, url: string): CoverFile | null {
    const cover = store.covers.find(podcastId, url)
    if (!cover?.digest || !cover.type || !folder.has(cover.digest, '')) return null
    return { path: folder.pathOf(cover.digest, ''), type: cover.type, digest: cover.digest }
  }

  return {
    ensure,
    /** Returns a picture as received; null while it is not stored. */
    stored: fileOf,
    /** Returns a stored picture in a size; null while it is not stored, or if it cannot be scaled. Fetches nothing. */
    async storedAs(podcastId: number, url: string, size: CoverSize | null, format?: CoverFormat) {
      const original = fileOf(podcastId, url)
      return original && size !== null ? sizes.of(original, size, format) : original
    },
    /** Stores a cover from a local file, under an address that is never fetched. Throws for anything but a picture. */
    keep: (podcastId: number, url: string, bytes: Uint8Array) =>
      storeCover(fetching, folder, { podcastId, url }, bytes, () => isStopping),
    /** Returns the cover of a podcast as received, with its bytes; null while it is not stored. */
    async pictureOf(podcastId: number): Promise<{ type: string; bytes: Uint8Array } | null> {
      const url = store.podcasts.find(podcastId)?.image_url
      const file = url ? fileOf(podcastId, url) : null
      return file && { type: file.type, bytes: await Bun.file(file.path).bytes() }
    },
    fetchDue,
    /** Finds the colours of pictures that an older version stored. */
    findColors: colors.catchUp,
    listeners: { feedApplied: fetchDue } satisfies Listeners,
    recover: folder.recover,
    /** Returns the picture in a size, made at the first request; null when there is no usable cover. */
    async find(podcastId: number, url: string, size: CoverSize | null): Promise<CoverFile | null> {
      const original = await ensure(podcastId, url)
      return original && size !== null ? sizes.of(original, size) : original
    },
    /** Returns our own picture as artwork. It belongs to no podcast: the dot distinguishes its name from digests. */
    artworkOf(path: string, type: string): Promise<CoverFile | null> {
      const digest = `.own-${Bun.hash(`${path} ${Bun.file(path).size}`).toString(36)}`
      return sizes.of({ path, type, digest }, 'artwork')
    },
    /**
     * Removes some covers of a removed podcast, files first: a killed process finds them again. False = none was left.
     */
    async removeOf(podcastId: number, most: number): Promise<boolean> {
      const rows = store.covers.someOf(podcastId, most)
      const ids = rows.map(({ id }) => id)
      const unused = rows.flatMap(({ digest }) => (digest && !store.covers.isUsedBeyond(digest, ids) ? digest : []))
      await folder.remove(unused.flatMap(sizes.pathsOf))
      store.inTransaction(() => ids.forEach(store.covers.remove))
      return rows.length > 0
    },
    removeUnused,
    async stop() {
      isStopping = true
    },
  }
}

type FetchNeeds = {
  store: Store
  outbound: Outbound
  secret: Secret
  publish: Publish
  now: Clock
  colors: Colors
  begun: BegunWork
  /** Removes the files of covers that nothing points to any more. */
  removeUnused: (digests: readonly string[]) => Promise<void>
}

/** Fetches covers a few at a time, each once, however often it is asked for in the meantime. */
function createFetching(needs: FetchNeeds & { log: Log }, folder: CoverFolder, isStopping: () => boolean) {
  const { store, now } = needs
  const lanes = createLanes({ total: 4, perHost: 2 })
  const running = new Map<string, Promise<void>>()

  function fetchOnce(podcastId: number, url: string): Promise<void> {
    const key = `${podcastId} ${url}`
    const already = running.get(key)
    if (already) return already
    const work = lanes
      .run(URL.parse(url)?.host ?? '', () => fetchCover(needs, folder, { podcastId, url }, isStopping))
      .catch(logFailure(needs.log, 'A cover could not be stored'))
      .finally(() => running.delete(key))
    running.set(key, work)
    return work
  }

  return {
    fetchOnce,
    /** Fetches covers that are missing, or of which the address may have a newer version. */
    async fetchDue() {
      const due = store.covers.due(now(), now() - STALE_MS, 200)
      await Promise.all(due.map(({ podcast_id, url }) => fetchOnce(podcast_id, url)))
    },
  }
}

const limits = { maxBytes: 20 * 1024 * 1024, timeoutMs: 20 * SECOND }
const headers = { Accept: 'image/webp, image/jpeg, image/png, image/*;q=0.5', 'Accept-Encoding': 'identity' }

/**
 * Fetches the cover of a podcast or episode and stores it by its digest. A failure is stored with the time of the next
 * attempt: 2 hours later, then twice as long after each failure, 7 days at most.
 */
async function fetchCover(
  needs: FetchNeeds,
  folder: CoverFolder,
  { podcastId, url }: { podcastId: number; url: string },
  isStopping: () => boolean,
) {
  const { store, now } = needs
  const podcast = store.podcasts.find(podcastId)
  if (!podcast || isStopping()) return
  try {
    const body = await fetchBytes(needs.outbound, url, { ...feedAccess(needs, podcast), ...limits, headers })
    await needs.begun.run(
      { kind: 'cover', key: `${podcastId} ${url}`, label: podcast.title },
      () => storeCover(needs, folder, { podcastId, url }, body, isStopping),
      () => Promise.reject(new Error(setAsideMessage)),
    )
  } catch {
    // Unreachable, not a picture or too large: all are tried again later, and the reason is not stored.
    await store.whenWritable()
    if (isStopping() || !store.podcasts.find(podcastId)) return
    const failures = (store.covers.find(podcastId, url)?.failures ?? 0) + 1
    store.covers.fail(podcastId, url, now() + Math.min(HOUR * 2 ** failures, 7 * DAY))
  }
}

/** Stores the bytes of a cover by their digest. Throws for anything but a picture. */
async function storeCover(
  { store, now, colors, publish, removeUnused }: Omit<FetchNeeds, 'outbound' | 'secret' | 'begun'>,
  folder: CoverFolder,
  { podcastId, url }: { podcastId: number; url: string },
  body: Uint8Array,
  isStopping: () => boolean,
) {
  const { bytes, type } = await asPicture(body)
  const digest = new Bun.CryptoHasher('sha256').update(bytes).digest('hex').slice(0, 40)
  await folder.write(folder.pathOf(digest, ''), bytes)
  const color = await colors.colorOf(digest, async () => bytes)
  await store.whenWritable()
  if (isStopping()) return
  const podcast = store.podcasts.find(podcastId)
  if (!podcast) return removeUnused([digest])
  const before = store.covers.find(podcastId, url)?.digest
  store.covers.keep(podcastId, url, { digest, type, color, now: now() })
  // Browsers are notified for the podcast's own cover only, not for each episode's.
  const isOwn = url === podcast.image_url
  if (isOwn) publish({ type: 'coverStored', podcastId })
  const former = isOwn ? store.covers.forgetFormer(podcastId, now() - FORMER_MS) : []
  await removeUnused([...(before ? [before] : []), ...former])
}

/** Pictures of an old library that one round of the job decodes: a small computer has other work to do. */
const AT_ONCE = 20

/** Finds the colours of pictures, one at a time: each is decoded whole, which takes memory. */
function createColors(store: Store, begun: BegunWork, folder: CoverFolder, isStopping: () => boolean) {
  const lanes = createLanes({ total: 1, perHost: 1 })

  /** Returns the colour of a picture, empty if it has none or cannot be read. Only the first to ask decodes it. */
  const colorOf = (digest: string, read: () => Promise<Uint8Array>): Promise<string> =>
    lanes.run('', async () => {
      const known = isStopping() ? '' : store.covers.findColor(digest)
      return (
        known ??
        read()
          .then(decodeAndFind)
          .catch(() => '')
      )
    })

  return {
    colorOf,
    /** Finds the colours of some pictures that were stored by a version that knew none. */
    async catchUp() {
      for (const digest of store.covers.listColorless(AT_ONCE)) {
        const color = await begun.run(
          { kind: 'color', key: digest, label: store.covers.findTitle(digest) ?? digest },
          () => colorOf(digest, () => Bun.file(folder.pathOf(digest, '')).bytes()),
          () => '',
        )
        await store.whenWritable()
        if (isStopping()) return
        store.covers.setColor(digest, color)
      }
    },
  }
}

// The decoder takes long to load: it is needed when a cover is new, not at the start.
async function decodeAndFind(bytes: Uint8Array): Promise<string> {
  const { findColor } = await import('./artwork')
  return findColor(bytes, { maxPixels: MAX_PIXELS })
}

type Colors = ReturnType<typeof createColors>
