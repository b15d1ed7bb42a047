import type { Listeners } from '../platform/events'
import type { DownloadRow } from '../store/downloads'
import type { EpisodeRow } from '../store/episodes'
import { cancel, cancelAll, cancelOf, removeFile } from './remove'
import type { Renaming } from './rename'
import { pause, request, requestAll, resume } from './requests'
import { createRunner, type RunnerNeeds } from './runner'

export type Downloads = ReturnType<typeof createDownloads>

/**
 * The queue of downloads, and what people do with it. Each row says in which state its download is and, when it waits,
 * why and until when.
 */
export function createDownloads(needs: RunnerNeeds & { rename: Renaming }) {
  const { store, keptFiles } = needs
  const runner = createRunner(needs)
  const parts = { ...needs, runner }
  return {
    pump: runner.pump,
    live: runner.live,
    settled: runner.settled,

    /** Once at the start: deletes files that belong to nothing. Interrupted downloads are queued again by `pump`. */
    async recover() {
      if (runner.hasMediaFolder()) await removeStrays(needs)
    },
    listeners: {
      /** New episodes may have kept files; the others may be downloaded. */
      async feedApplied({ addedIds }) {
        await keptFiles.adoptAfterRefresh(addedIds)
        runner.pump()
      },
    } satisfies Listeners,

    request: (episode: EpisodeRow, userId: number) => request(parts, episode, userId),
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

    cancel: (row: DownloadRow) => cancel(parts, row),
    cancelAll: (userId: number, podcastId: number | null, askedAt: number) =>
      cancelAll(parts, userId, podcastId, askedAt),
    cancelOf: (podcastId: number) => cancelOf(parts, podcastId),
    remove: (episode: EpisodeRow) => removeFile(parts, episode),

    async stop() {
      await Promise.all([keptFiles.stop(), runner.stop()])
    },
  }
}

async function removeStrays({ store, files, forgotten, keptFiles }: RunnerNeeds) {
  files.open()
  const strays = files.strayParts(new Set(store.downloads.unfinishedEids()))
  await Promise.all(strays.map(eid => files.removePart(eid)))
  await forgotten.recover()
  // Not awaited: there may be thousands.
  void keptFiles.resume()
}
