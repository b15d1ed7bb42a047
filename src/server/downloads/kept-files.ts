import { open } from 'node:fs/promises'
import type { Clock } from '../platform/clock'
import type { Publish } from '../platform/events'
import { describeError, type Log } from '../platform/log'
import type { MediaReader } from '../media/reader'
import type { Store } from '../store'
import type { KeptFile, KeptFileOf } from '../store/kept-files'
import type { MediaFiles } from './files'
import { keepFacts } from './keep-facts'

export type KeptFiles = ReturnType<typeof createKeptFiles>

type Needs = { store: Store; files: MediaFiles; media: MediaReader; publish: Publish; now: Clock; log: Log }

const SAMPLES = 16
const SAMPLE_BYTES = 32 * 1024

/**
 * Files that outlive their podcast: which episode each belonged to is noted when the podcast is deleted, and when it is
 * added again its episodes find them. By what was noted, and only as long as the file is what it was; never by its name.
 */
export function createKeptFiles({ store, files, media, publish, now, log }: Needs) {
  const working = new Set<Promise<unknown>>()
  let isStopping = false

  async function isUnchanged({ path, size, digest }: KeptFile): Promise<boolean> {
    const here = await files.sizeOf(files.pathOf(path))
    return here === size && (await digestOf(files.pathOf(path), size)) === digest
  }

  async function takeUpOne(kept: KeptFileOf): Promise<boolean> {
    if (!files.isPresent()) return false
    if (!(await isUnchanged(kept))) {
      store.keptFiles.forget(kept.path)
      return false
    }
    const { path, size, type, numbered, episode_id: episodeId } = kept
    const facts = await media.factsOf(files.pathOf(path), type)
    const isTaken = store.inTransaction(() => {
      const episode = store.episodes.find(episodeId)
      // The feed may have said something else meanwhile, or somebody else have been faster.
      const isStill = episode && store.keptFiles.ofEpisode(episode.podcast_id, episodeId).some(one => one.path === path)
      if (!isStill || store.episodes.isFileTaken(path)) return false
      store.episodes.keepFile(episodeId, { path, size, type, numbered, duration: facts.duration, now: now() })
      keepFacts(store, episodeId, facts)
      store.keptFiles.forget(path)
      return true
    })
    if (isTaken) publish({ type: 'downloadFinished', episodeId })
    return isTaken
  }

  async function takeUpSome(found: readonly KeptFileOf[]) {
    for (const kept of found) {
      if (isStopping) return
      await takeUpOne(kept).catch(error =>
        log.warn('a file could not be taken up', { path: kept.path, error: describeError(error) }),
      )
    }
  }

  function takeUpAllOf(podcastId: number): Promise<void> {
    const work: Promise<void> = takeUpSome(store.keptFiles.ofPodcast(podcastId)).finally(() => working.delete(work))
    working.add(work)
    return work
  }

  return {
    /** What is to be noted in the transaction that deletes a podcast without its files. */
    async describe(podcastId: number): Promise<KeptFile[]> {
      const podcast = store.podcasts.find(podcastId)
      if (!podcast) return []
      const described: KeptFile[] = []
      for (const { id: _, file_path: path, file_type, ...episode } of store.episodes.filesOf(podcastId)) {
        const size = await files.sizeOf(files.pathOf(path))
        const digest = size === null ? null : await digestOf(files.pathOf(path), size).catch(() => null)
        // One that is gone, or cannot be read, is not looked for later.
        if (size === null || digest === null) continue
        described.push({ ...episode, path, size, digest, type: file_type ?? 'audio/mpeg', feed_url: podcast.feed_url })
      }
      return described
    },
    /** For an episode that is about to be fetched. */
    takeUp: (podcastId: number, episodeId: number) => takeUpSome(store.keptFiles.ofEpisode(podcastId, episodeId)),
    /** After a refresh: for the podcast of the episodes that it brought. */
    async takeUpFor(addedIds: readonly number[]) {
      const podcastId = addedIds[0] === undefined ? undefined : store.episodes.find(addedIds[0])?.podcast_id
      if (podcastId !== undefined) await takeUpAllOf(podcastId)
    },
    /** Once at the start: what was interrupted. */
    async resume() {
      for (const podcastId of store.keptFiles.podcasts()) await takeUpAllOf(podcastId)
    },
    async stop() {
      isStopping = true
      await Promise.all(working)
    },
  }
}

/** Of samples at even distances, both ends among them: enough to notice that somebody has written into a file. */
async function digestOf(path: string, size: number): Promise<string> {
  const file = await open(path, 'r')
  try {
    const hasher = new Bun.CryptoHasher('sha256')
    const buffer = Buffer.alloc(SAMPLE_BYTES)
    const last = Math.max(0, size - SAMPLE_BYTES)
    for (let sample = 0; sample < SAMPLES; sample++) {
      const at = Math.floor((last * sample) / (SAMPLES - 1))
      const { bytesRead } = await file.read(buffer, 0, SAMPLE_BYTES, at)
      hasher.update(buffer.subarray(0, bytesRead))
    }
    return hasher.digest('hex')
  } finally {
    await file.close()
  }
}
