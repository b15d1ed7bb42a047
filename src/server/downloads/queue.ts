import type { Listeners } from '../platform/events'
import { logFailure } from '../platform/log'
import type { DownloadRow } from '../store/downloads'
import type { EpisodeRow } from '../store/episodes'
import { cancel, cancelAll, cancelBegunOf, removeFile } from './remove'
import type { Renaming } from './rename'
import { pause, request, requestAll, resume } from './requests'
import { createRunner, type RunnerNeeds } from './runner'
import { storageAbsent } from './settle'

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
    /** When a storage in the network answers, for the first time or again: continues with what waited for it. */
    async storageReturned(): Promise<void> {
      if (isStopped) return tidying
      await store.whenWritable()
      store.downloads.retryNow(storageAbsent, needs.now())
      runner.pump()
      tidying = tidying.then(tidyStorage).catch(logFailure(needs.log, 'Media storage could not be tidied'))
      return tidying
    },
    listeners: {
      /** New episodes may have kept files; the others may be downloaded. */
      async feedApplied({ addedIds }) {
        await keptFiles.adoptAfterRefresh(addedIds)
        runner.pump()
      },
    } satisfies Listeners,

    request: (episode: EpisodeRow, userId: number, form: string | null = null) => request(parts, episode, userId, form),
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
