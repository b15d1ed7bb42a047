import type { BegunWork } from '../begun-work'
import type { MediaFacts } from '../media/read'
import type { MediaReader } from '../media/reader'
import type { Clock } from '../platform/clock'
import type { Publish } from '../platform/events'
import { describeError, type Log } from '../platform/log'
import type { MediaFiles, MediaStorage } from '../storage'
import type { Store } from '../store'
import type { FileOfRemoved, KeptFile, KeptFileOf } from '../store/kept-files'

export type KeptFiles = ReturnType<typeof createKeptFiles>

type Needs = {
  store: Store
  files: MediaFiles
  media: MediaReader
  publish: Publish
  now: Clock
  log: Log
  begun: BegunWork
}

type State = { needs: Needs; working: Set<Promise<void>>; isStopping: boolean }

/**
 * Files that outlive their podcast. When it is deleted, the episode of each file is recorded; when it is added again,
 * its episodes adopt the files: by that record, only if the file is unchanged, and never by name.
 */
export function createKeptFiles(needs: Needs) {
  const state: State = { needs, working: new Set(), isStopping: false }
  const { store } = needs
  return {
    /** Records files of a removed podcast, and detaches them from their episodes. */
    keepOfRemoved: (files: readonly FileOfRemoved[]) => keepOfRemoved(needs, files),
    /** Adopts the kept file of an episode that is about to be downloaded. */
    async adoptFor(podcastId: number, episodeId: number) {
      // The podcast may have just been removed, and this file not recorded yet.
      await keepOfRemoved(needs, store.keptFiles.unrecordedOf(podcastId, episodeId))
      await adoptEach(state, store.keptFiles.ofEpisode(podcastId, episodeId))
    },
    /** Adopts the kept files of the podcast to which a refresh added these episodes. */
    async adoptAfterRefresh(addedIds: readonly number[]) {
      const podcastId = addedIds[0] === undefined ? undefined : store.episodes.find(addedIds[0])?.podcast_id
      if (podcastId !== undefined) await adoptAllOf(state, podcastId)
    },
    /** Once at the start: adopts what an earlier process left undone. */
    async resume() {
      for (const podcastId of store.keptFiles.podcasts()) await adoptAllOf(state, podcastId)
    },
    async stop() {
      state.isStopping = true
      await Promise.all(state.working)
    },
  }
}

/** Records files with what identifies their episodes, in the transaction that detaches them. */
async function keepOfRemoved({ store, files }: Needs, removed: readonly FileOfRemoved[]) {
  for (const { id, file_path: path, file_storage, file_type, ...episode } of removed) {
    const storage = files.storageOf(file_storage)
    const size = await storage.sizeOf(path).catch(() => null)
    const digest = size === null ? null : await sampleDigest(storage, path, size).catch(() => null)
    store.inTransaction(() => {
      const place = store.removals.takeFile(id)
      // A file that is missing or unreadable now is not looked for later; one that was renamed or replaced since counts
      // as another.
      if (size === null || digest === null || place?.path !== path || place.storage !== file_storage) return
      store.keptFiles.add({
        ...episode,
        path,
        storage: file_storage,
        size,
        digest,
        type: file_type ?? 'audio/mpeg',
      })
    })
  }
}

function adoptAllOf(state: State, podcastId: number): Promise<void> {
  const found = state.needs.store.keptFiles.ofPodcast(podcastId)
  const work: Promise<void> = adoptEach(state, found).finally(() => state.working.delete(work))
  state.working.add(work)
  return work
}

async function adoptEach(state: State, found: readonly KeptFileOf[]) {
  const { log } = state.needs
  for (const kept of found) {
    if (state.isStopping) return
    const item = { kind: 'kept-file', key: kept.path, label: kept.path } as const
    const work = state.needs.begun.run(
      item,
      () => adopt(state.needs, kept),
      () => {},
    )
    await work.catch(error =>
      log.warn('Kept file could not be adopted', { path: kept.path, error: describeError(error) }),
    )
  }
}

/** Gives a kept file to its episode, if neither has changed. */
async function adopt(needs: Needs, kept: KeptFileOf) {
  const { store, files, media, publish } = needs
  if (!files.storageOf(kept.storage).isPresent()) return
  const isSame = await isUnchanged(files, kept)
  await store.whenWritable()
  if (!isSame) return store.keptFiles.forget(kept.path)
  const facts = await files.withLocal(kept, path => media.factsOf(path, kept.type))
  await store.whenWritable()
  const isAdopted = store.inTransaction(() => {
    // The feed may have changed the episode in the meantime, or another task may have adopted the file.
    if (!isStillOffered(store, kept) || store.episodes.isFileTaken(kept.path)) return false
    const { path, storage, size, type, numbered, episode_id: episodeId } = kept
    store.episodes.keepFile(episodeId, {
      path,
      storage,
      size,
      type,
      numbered,
      duration: facts.duration,
      isEstimate: facts.isEstimate,
      now: needs.now(),
    })
    keepFacts(store, episodeId, facts)
    store.keptFiles.forget(path)
    return true
  })
  if (isAdopted) publish({ type: 'downloadFinished', episodeId: kept.episode_id })
}

async function isUnchanged(files: MediaFiles, { storage: name, path, size, digest }: KeptFile): Promise<boolean> {
  const storage = files.storageOf(name)
  const present = await storage.sizeOf(path)
  return present === size && (await sampleDigest(storage, path, size)) === digest
}

function isStillOffered(store: Store, { path, episode_id: episodeId }: KeptFileOf): boolean {
  const episode = store.episodes.find(episodeId)
  if (!episode) return false
  return store.keptFiles.ofEpisode(episode.podcast_id, episodeId).some(offered => offered.path === path)
}

/**
 * Stores the chapters of an episode's media file, or the reason why they were not read, and marks the episode for
 * indexing. Call in a transaction. The duration is stored by the caller, together with the size.
 */
export function keepFacts(store: Store, episodeId: number, { chapters, unread }: MediaFacts) {
  store.episodes.noteUnread(episodeId, unread)
  store.chapters.replace(episodeId, 'file', chapters)
  store.search.drop(episodeId)
}

const SAMPLES = 16
const SAMPLE_BYTES = 32 * 1024

/** Digests evenly spaced samples of a file, its first and last bytes included: enough to notice another file. */
export async function sampleDigest(
  storage: Pick<MediaStorage, 'readBytes'>,
  path: string,
  size: number,
  signal?: AbortSignal,
): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256')
  const last = Math.max(0, size - SAMPLE_BYTES)
  for (let sample = 0; sample < SAMPLES; sample++) {
    const at = Math.floor((last * sample) / (SAMPLES - 1))
    hasher.update(await storage.readBytes(path, { from: at, to: Math.min(size, at + SAMPLE_BYTES) }, signal))
  }
  return hasher.digest('hex')
}
