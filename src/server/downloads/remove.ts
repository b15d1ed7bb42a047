import type { Publish } from '../platform/events'
import type { Store } from '../store'
import type { DownloadRow } from '../store/downloads'
import type { EpisodeRow } from '../store/episodes'
import type { FilePlace, MediaFiles } from '../storage'
import type { ForgottenFiles } from './forgotten'
import { placeOf, targetOf } from './places'
import type { Renaming } from './rename'
import type { createRunner } from './runner'

type Needs = {
  store: Store
  files: MediaFiles
  forgotten: ForgottenFiles
  publish: Publish
  rename: Pick<Renaming, 'finished'>
  runner: Pick<ReturnType<typeof createRunner>, 'interrupt'>
}

/**
 * Removes a download from the queue, with what it has received. No rule asks again for one that a person cancels by
 * itself, or that a rule had asked for.
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
 * Removes a row before anything on the disk, so that a process killed right after it deletes the rest at its next
 * start: a stray `.part`, or the file that had just been moved into place. Returns the path of such a file, noted as
 * forgotten.
 */
function removeRow({ store, forgotten }: Needs, id: number, byHand: boolean): FilePlace | null {
  return store.inTransaction(() => {
    const current = store.downloads.find(id)
    // The file may be in place without a record of it: its process was killed, or a bucket's answer never came.
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

/** Cancels the downloads of a podcast that have begun: it is about to be removed, and the others with it. */
export async function cancelBegunOf(needs: Needs, podcastId: number) {
  const list = () => needs.store.downloads.begunOf(podcastId)
  // Others may begin while these are being cancelled.
  for (let rows = list(); rows.length > 0; rows = list()) for (const row of rows) await cancel(needs, row, false)
}

/** Takes a request for many episodes back: cancels what it brought into the queue, the last first; returns how many. */
export async function cancelAll(
  needs: Needs,
  userId: number,
  podcastId: number | null,
  askedAt: number,
): Promise<number> {
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
export async function removeFile(needs: Needs, episode: EpisodeRow) {
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
