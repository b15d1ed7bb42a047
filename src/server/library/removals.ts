import type { BegunWork } from '../begun-work'
import type { Clips } from '../clips/clips'
import type { Covers } from '../covers/covers'
import type { ForgottenFiles } from '../downloads/forgotten'
import type { KeptFiles } from '../downloads/kept-files'
import type { Downloads } from '../downloads/queue'
import type { Renaming } from '../downloads/rename'
import type { Publish, Source } from '../platform/events'
import { describeError, type Log } from '../platform/log'
import type { MediaFiles } from '../storage'
import type { Store } from '../store'
import type { PodcastRow } from '../store/podcasts'
import type { Removal } from '../store/removals'
import { type Thread, ThreadLost } from '../thread'

export type Removing = { confirm?: () => boolean; source?: Source }
export type RemovalNeeds = {
  store: Store
  downloads: Downloads
  rename: Renaming
  files: MediaFiles
  removals: Removals
  publish: Publish
}

/** The number of episodes up to which a podcast is gone with its files when the removal returns. */
const FEW = 500

/**
 * Removes a podcast from the library, with its files if `withFiles`. When the promise settles, nothing finds it any
 * more, and it can be added again; what is left of a large one is deleted after that. Files that stay are described, so
 * that the same podcast finds them again. `confirm` is asked within the transaction, and changes what belongs to the
 * removal. Throws `media-folder-absent` and `media-storage-absent`.
 */
export const createRemovePodcast =
  ({ store, downloads, rename, files, removals, publish }: RemovalNeeds) =>
  async (podcast: PodcastRow, withFiles: boolean, { confirm = () => true, source = 'library' }: Removing = {}) => {
    if (withFiles) files.requireAll(store.episodes.storagesInUse(podcast.id))
    await rename.finished(id => store.episodes.find(id)?.podcast_id === podcast.id)
    // Last, so that none begins before the podcast is out of sight.
    await downloads.cancelBegunOf(podcast.id)
    const isRemoved = store.inRemoval(() => {
      if (!confirm()) return false
      store.removals.remove('podcast', podcast.id, podcast.title, withFiles ? null : podcast.feed_url)
      return true
    })
    if (!isRemoved) return
    const { uuid, title } = podcast
    publish({ type: 'podcastRemoved', uuid, title, explicit: podcast.explicit === 1, source })
    const removal = store.removals.find('podcast', podcast.id)
    if (removal === null) return
    const finished = removals.finish(removal)
    if (podcast.episode_count <= FEW) await finished
  }

// Why: docs/internals/decisions/0060

/** Task of the second thread: deletes some of the rows that a removal left. Returns whether all of them are gone. */
export type RemovalTasks = { deleteRemoved: { request: Removal; result: boolean } }

type Removals = ReturnType<typeof createRemovals>

type Needs = {
  store: Store
  thread: Thread<RemovalTasks>
  rename: Pick<Renaming, 'finished'>
  forgotten: ForgottenFiles
  keptFiles: KeptFiles
  covers: Pick<Covers, 'removeOf'>
  clips: Pick<Clips, 'removeOf'>
  log: Log
  begun: BegunWork
}

const TURNS = 32
const FILES_AT_ONCE = 20
/** A removal of more rows is logged, since it takes a while. */
const MANY = 5000

/** Deletes some of the rows. Returns whether all of them are gone. */
export const deleteRemoved = (store: Store, removal: Removal): Promise<boolean> =>
  store.inPieces(most => store.removals.deleteSome(removal, most), TURNS)

/**
 * Finishes removals. What is removed disappears at once; its rows, files and covers are deleted here, in pieces and
 * mostly in the second thread. After a kill, the next start finishes this.
 */
export function createRemovals(needs: Needs) {
  const { store, log } = needs
  const running = new Map<string, Promise<void>>()
  let isStopped = false

  async function deleteAll(removal: Removal) {
    const remaining = store.removals.remaining(removal)
    const facts = { kind: removal.of_table, title: removal.title }
    if (remaining > MANY) log.info('Deleting what a removal left', { ...facts, remaining })
    if (removal.of_table === 'podcast') await deleteFiles(needs, removal, () => isStopped)
    if (!isStopped) await needs.clips.removeOf(removal)
    while (!isStopped && !(await inThread(needs, removal)));
    if (remaining > MANY && !isStopped) log.info('Deleted what a removal left', facts)
  }

  /** Settles when everything is deleted, or the server stops. Never rejects. */
  function finish(removal: Removal): Promise<void> {
    const key = `${removal.of_table} ${removal.row_id}`
    const already = running.get(key)
    if (already) return already
    const work = needs.begun
      .run(
        { kind: 'removal', key, label: removal.title },
        () => deleteAll(removal),
        () => {},
      )
      .catch(error =>
        log.warn('A removal is not finished; it will be tried again', {
          title: removal.title,
          error: describeError(error),
        }),
      )
      .finally(() => running.delete(key))
    running.set(key, work)
    return work
  }

  return {
    finish,
    /** Finishes one removal after the other, at the start and for what the command line began. */
    async run() {
      for (const removal of store.removals.list()) if (!isStopped) await finish(removal)
    },
    async stop() {
      isStopped = true
      await Promise.all(running.values())
    },
  }
}

async function inThread({ thread }: Needs, removal: Removal): Promise<boolean> {
  try {
    return await thread.run('deleteRemoved', removal)
  } catch (error) {
    // Another task ended the thread; each piece was its own transaction.
    if (error instanceof ThreadLost) return false
    throw error
  }
}

/** Deletes the files and covers of a podcast, or describes the files that stay. */
async function deleteFiles(needs: Needs, removal: Removal, isStopped: () => boolean) {
  const { store, rename, keptFiles, covers } = needs
  while (!isStopped()) {
    const filed = store.episodes.filesOf(removal.row_id, FILES_AT_ONCE)
    if (filed.length === 0) break
    const ids = new Set(filed.map(({ id }) => id))
    await rename.finished(id => ids.has(id))
    if (removal.kept_feed === null) await forgetFiles(needs, [...ids])
    else await keptFiles.keepOfRemoved(filed.map(file => ({ ...file, feed_url: removal.kept_feed! })))
  }
  if (removal.kept_feed !== null && !isStopped()) await keptFiles.resume()
  while (!isStopped() && (await covers.removeOf(removal.row_id, FILES_AT_ONCE)));
}

/**
 * Notes the files in the transaction that detaches them from their episodes, so that a crash leaves none behind, and
 * deletes them.
 */
async function forgetFiles({ store, forgotten, log }: Needs, episodeIds: readonly number[]) {
  const places = store.inTransaction(() => {
    const found = episodeIds.map(store.removals.takeFile).filter(place => place !== null)
    found.forEach(forgotten.note)
    return found
  })
  for (const place of places)
    await forgotten
      .remove(place)
      .catch(error => log.warn('File could not be deleted', { ...place, error: describeError(error) }))
}
