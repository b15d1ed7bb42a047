import type { Listeners, Publish } from '../platform/events'
import { logFailure } from '../platform/log'
import type { FilePlace, MediaFiles } from '../storage'
import type { Store } from '../store'
import type { DownloadRow } from '../store/downloads'
import type { EpisodeRow } from '../store/episodes'
import { placeOf, targetOf } from '../store/file-place'
import { storageAbsent } from './attempt'
import type { ForgottenFiles } from './forgotten'
import type { Renaming } from './rename'
import { pause, request, requestAll, resume } from './requests'
import { createRunner, type RunnerNeeds } from './runner'

export type Downloads = ReturnType<typeof createDownloads>

type DownloadNeeds = RunnerNeeds & {
  rename: Renaming
  /** Removes what an interrupted move between two storages left behind. */
  clearCopies: () => Promise<void>
}

/**
 * The queue of downloads, and what people do with it. Each row says in which state its download is and, when it waits,
 * why and until when.
 */
export function createDownloads(needs: DownloadNeeds) {
  const { store, keptFiles } = needs
  const runner = createRunner(needs)
  const parts = { ...needs, runner }
  let tidying = Promise.resolve()
  let isStopped = false
  async function tidyStorage() {
    await needs.forgotten.recover('s3', true)
    await needs.clearCopies()
    needs.rename.resume()
    await keptFiles.resume()
  }
  return {
    pump: runner.pump,
    live: runner.live,
    async settled() {
      await tidying
      await runner.settled()
    },

    /** Once at the start: deletes files that belong to nothing. Interrupted downloads are queued again by `pump`. */
    async recover() {
      if (needs.files.folder.isPresent()) await removeStrays(needs)
      // A bucket is tidied once it answers: the start waits for no network.
      if (!needs.files.bucket) await needs.clearCopies()
    },
    /** Called when a storage in the network answers, for the first time or again: continues with what waited for it. */
    async storageReturned(): Promise<void> {
      if (isStopped) return tidying
      await store.whenWritable()
      store.downloads.retryNow(storageAbsent, needs.now())
      runner.pump()
      tidying = tidying.then(tidyStorage).catch(logFailure(needs.log, 'Media storage could not be tidied'))
      return tidying
    },
    listeners: {
      /** Gives new episodes the files that were kept for them, and starts the downloads of the others. */
      async feedApplied({ addedIds }) {
        await keptFiles.adoptAfterRefresh(addedIds)
        runner.pump()
      },
    } satisfies Listeners,

    async request(episode: EpisodeRow, userId: number, form: string | null = null) {
      const earlier = store.downloads.findOfEpisode(episode.id)
      // The bytes received of one form are not part of another.
      if (form !== null && earlier && earlier.state !== 'done' && earlier.form !== form)
        await cancel(parts, earlier, false)
      return request(parts, episode, userId, form)
    },
    requestAll: (episodeIds: readonly number[], userId: number) => requestAll(parts, episodeIds, userId),
    pause: (row: DownloadRow) => pause(parts, row),
    resume: (row: DownloadRow, userId: number) => resume(parts, row, userId),
    async pauseAll() {
      store.settings.pauseDownloads(true)
      await runner.requeueAll()
    },
    resumeAll() {
      store.settings.pauseDownloads(false)
      runner.pump()
    },

    cancel: (row: DownloadRow, byHand = true) => cancel(parts, row, byHand),
    cancelAll: (userId: number, podcastId: number | null, askedAt: number) =>
      cancelAll(parts, userId, podcastId, askedAt),
    cancelBegunOf: (podcastId: number) => cancelBegunOf(parts, podcastId),
    remove: (episode: EpisodeRow) => removeFile(parts, episode),

    async stop() {
      isStopped = true
      await Promise.all([keptFiles.stop(), runner.stop(), tidying])
    },
  }
}

async function removeStrays({ store, files, forgotten, keptFiles }: DownloadNeeds) {
  const { folder } = files
  folder.open()
  const strays = folder.strayParts(new Set(store.downloads.unfinishedEids()))
  await Promise.all(strays.map(eid => folder.removePart(eid)))
  await forgotten.recover('folder')
  // Not awaited: there may be thousands.
  void keptFiles.resume()
}

type Needs = {
  store: Store
  files: MediaFiles
  forgotten: ForgottenFiles
  publish: Publish
  rename: Pick<Renaming, 'finished'>
  runner: Pick<ReturnType<typeof createRunner>, 'interrupt'>
}

/**
 * Removes a download from the queue, with what it has received. If a person cancels it individually, or a rule had
 * queued it, no rule queues it again.
 */
export async function cancel(needs: Needs, row: DownloadRow, byHand: boolean) {
  const { files, forgotten, publish, runner } = needs
  const moved = removeRow(needs, row.id, byHand)
  await runner.interrupt(row.id, 'cancelled')
  if (moved !== null) await forgotten.removeUnlessTaken(moved)
  await files.folder.removePart(row.eid)
  publish({
    type: 'downloadProgress',
    id: row.uuid,
    eid: row.eid,
    state: 'cancelled',
    receivedBytes: 0,
    totalBytes: null,
    bytesPerSecond: 0,
    errorCode: null,
    status: null,
    nextAttemptAt: null,
  })
}

/**
 * Removes a row before anything on the disk, so that if the process is killed right after it, the next start deletes
 * the rest: a stray `.part`, or the file that had just been moved into place. Returns the path of such a file, noted as
 * forgotten.
 */
function removeRow({ store, forgotten }: Needs, id: number, byHand: boolean): FilePlace | null {
  return store.inTransaction(() => {
    const current = store.downloads.find(id)
    // The file may be in place without a record: its process was killed, or a bucket's answer was lost.
    const target = current && current.state !== 'done' ? targetOf(current) : null
    if (target !== null) forgotten.note(target)
    // A download that would replace a file leaves that as it is.
    const hasFile = current && store.episodes.find(current.episode_id)?.file_path
    if (current && !hasFile && (byHand || current.automatic) && current.state !== 'done')
      store.episodes.markRemoved(current.episode_id, true)
    store.downloads.remove(id)
    return target
  })
}

/** Cancels the downloads of a podcast that have begun. Its removal, which follows, deletes those that have not. */
async function cancelBegunOf(needs: Needs, podcastId: number) {
  const list = () => needs.store.downloads.begunOf(podcastId)
  // Others may begin while these are being cancelled.
  for (let rows = list(); rows.length > 0; rows = list()) for (const row of rows) await cancel(needs, row, false)
}

/** Undoes a request for many episodes: cancels what it queued, the last first; returns how many. */
async function cancelAll(needs: Needs, userId: number, podcastId: number | null, askedAt: number): Promise<number> {
  const { downloads } = needs.store
  let cancelled = 0
  for (const id of downloads.queuedBy(userId, podcastId, askedAt)) {
    const row = downloads.find(id)
    if (!row || row.state === 'done') continue
    await cancel(needs, row, false)
    cancelled++
  }
  return cancelled
}

/** Removes an episode's file, or cancels its download; no rule downloads it again. */
async function removeFile(needs: Needs, episode: EpisodeRow) {
  const { store, files, forgotten, publish, rename } = needs
  if (episode.file_path !== null) files.storageOf(episode.file_storage).requirePresent()
  const row = store.downloads.findOfEpisode(episode.id)
  if (row && row.state !== 'done') await cancel(needs, row, true)
  await rename.finished(id => id === episode.id)
  // Read again: the file may have arrived, or got another name, in the meantime.
  const current = store.episodes.find(episode.id)
  const place = current ? placeOf(current) : null
  store.inTransaction(() => {
    store.episodes.dropFile(episode.id)
    if (place !== null) forgotten.note(place)
    store.episodes.markRemoved(episode.id, true)
    if (row?.state === 'done') store.downloads.remove(row.id)
  })
  if (place === null) return
  await forgotten.remove(place)
  publish({ type: 'fileRemoved', episodeId: episode.id })
}
