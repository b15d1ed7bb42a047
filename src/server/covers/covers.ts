import { createLanes } from '../outbound/lanes'
import { DAY } from '../platform/clock'
import type { Listeners } from '../platform/events'
import { logFailure, type Log } from '../platform/log'
import { createColors } from './colors'
import { fetchCover, storeCover, type FetchNeeds } from './fetch'
import { createCoverFolder } from './folder'
import { createSizes, type CoverFile, type CoverFormat, type CoverSize } from './sizes'

export type Covers = ReturnType<typeof createCovers>

type Needs = Omit<FetchNeeds, 'colors' | 'removeUnused'> & { folder: string; log: Log }

const STALE_MS = 7 * DAY

/** Covers of podcasts and episodes: fetched once, kept by the digest of their bytes, served in a few sizes as WebP. */
export function createCovers(needs: Needs) {
  const { store, now } = needs
  const folder = createCoverFolder(needs.folder)
  const sizes = createSizes(folder)
  const lanes = createLanes({ total: 4, perHost: 2 })
  const running = new Map<string, Promise<void>>()
  let isStopping = false
  /** Removes the files of covers that nothing points to any more. */
  const removeUnused = (digests: readonly string[]) =>
    folder.remove(digests.filter(digest => !store.covers.isUsed(digest)).flatMap(sizes.pathsOf))
  const colors = createColors(store, needs.begun, folder, () => isStopping)

  /** Fetches a cover unless it is here or failed recently; settles when that is decided. */
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

  function fetchOnce(podcastId: number, url: string): Promise<void> {
    const key = `${podcastId} ${url}`
    const already = running.get(key)
    if (already) return already
    const work = lanes
      .run(URL.parse(url)?.host ?? '', () =>
        fetchCover({ ...needs, colors, removeUnused }, folder, { podcastId, url }, () => isStopping),
      )
      .catch(logFailure(needs.log, 'A cover could not be stored'))
      .finally(() => running.delete(key))
    running.set(key, work)
    return work
  }

  /** Fetches covers that are missing or whose address may have a newer one. */
  async function fetchDue() {
    const due = store.covers.due(now(), now() - STALE_MS, 200)
    await Promise.all(due.map(({ podcast_id, url }) => fetchOnce(podcast_id, url)))
  }

  return {
    ensure,
    /** Returns a picture as it came; null while it is not here. */
    stored: fileOf,
    /** Returns a stored picture in a size; null while it is not here, or where it cannot be scaled. Fetches nothing. */
    async storedAs(podcastId: number, url: string, size: CoverSize | null, format?: CoverFormat) {
      const original = fileOf(podcastId, url)
      return original && size !== null ? sizes.of(original, size, format) : original
    },
    /** Stores a cover that is here already, under an address that is never fetched. Throws for what is no picture. */
    keep: (podcastId: number, url: string, bytes: Uint8Array) =>
      storeCover({ ...needs, colors, removeUnused }, folder, { podcastId, url }, bytes, () => isStopping),
    /** Returns the cover of a podcast as it came, with its bytes; null while it is not here. */
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
    /** Returns our own picture as artwork. It belongs to no podcast: the dot keeps its name apart from digests. */
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
