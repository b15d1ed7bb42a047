import { MINUTE } from '../platform/clock'
import type { Listeners } from '../platform/events'
import { Problem } from '../platform/problem'
import type { DownloadRow } from '../store/downloads'
import type { EpisodeRow } from '../store/episodes'
import { supersededFailure } from '../feeds/superseded'
import type { Renaming } from './rename'
import { createRunner, type RunnerNeeds } from './runner'

export type Downloads = ReturnType<typeof createDownloads>

export type DownloadsNeeds = RunnerNeeds & { rename: Renaming }

const CHUNK = 200
const NO_ROOM_MS = 10 * MINUTE
const noRoom = { code: 'disk-full', message: 'There is no room for downloads on the disk' }

/**
 * The queue of downloads, and what people want done with it. Every row says in which state it is and, when it waits,
 * why and until when.
 */
export function createDownloads(needs: DownloadsNeeds) {
  const { store, files, forgotten, keptFiles, publish, now } = needs
  const runner = createRunner(needs)

  async function cancel(row: DownloadRow) {
    // The row goes first: a process killed right here finds a stray .part at its next start and removes it, or the file
    // that had just been moved into place.
    const moved = store.inTransaction(() => {
      const current = store.downloads.find(row.id)
      const target = current?.state === 'running' ? current.target_path : null
      if (target !== null) forgotten.note(target)
      store.downloads.remove(row.id)
      return target
    })
    await runner.interrupt(row.id, 'cancelled')
    if (moved !== null) await forgotten.removeUnlessTaken(moved)
    await files.removePart(row.eid)
    publish({
      type: 'downloadProgress',
      id: row.uuid,
      eid: row.eid,
      state: 'cancelled',
      receivedBytes: 0,
      totalBytes: null,
      bytesPerSecond: 0,
    })
  }

  /** A folder that cannot be asked is another matter: what wants to be written there finds out. */
  const hasRoom = () =>
    files.freeBytes().then(
      free => free > needs.reserveBytes,
      () => true,
    )

  /** In a transaction; lifts an earlier removal. */
  function enqueue(episodeId: number, userId: number, askedAt = now()) {
    store.episodes.markRemoved(episodeId, false)
    store.downloads.enqueue(episodeId, { automatic: false, userId, now: askedAt })
  }

  return {
    pump: runner.pump,

    /** Once at the start: files that belong to nothing are removed. What was interrupted, `pump` queues again. */
    async recover() {
      if (!runner.isThere()) return
      files.open()
      const strays = files.strayParts(new Set(store.downloads.unfinishedEids()))
      await Promise.all(strays.map(eid => files.removePart(eid)))
      await forgotten.recover()
      // Not awaited: there may be thousands.
      void keptFiles.resume()
    },

    listeners: {
      /** Files of new episodes may be here already; the others may be fetched. */
      async feedApplied({ addedIds }) {
        await keptFiles.takeUpFor(addedIds)
        runner.pump()
      },
    } satisfies Listeners,

    /**
     * A person asks for an episode; lifts an earlier removal. Without room on the disk it waits, and says so. Throws
     * `media-superseded` when its address has gone to a newer episode.
     */
    async request(episode: EpisodeRow, userId: number): Promise<DownloadRow> {
      if (episode.superseded) throw new Problem(supersededFailure.code, supersededFailure.message)
      const mayStart = await hasRoom()
      const row = store.inTransaction(() => {
        enqueue(episode.id, userId)
        const row = store.downloads.findOfEpisode(episode.id)!
        if (!mayStart && row.state === 'queued') store.downloads.wait(row.id, 0, now() + NO_ROOM_MS, noRoom)
        return row
      })
      runner.announce(row.id)
      runner.pump()
      return store.downloads.find(row.id) ?? row
    },

    /** Each that finds no room waits, when it is its turn. */
    async requestAll(episodeIds: readonly number[], userId: number): Promise<number> {
      const wanted = episodeIds.filter(id => {
        const episode = store.episodes.find(id)
        return episode && !episode.file_path && !episode.superseded
      })
      const askedAt = now()
      for (let at = 0; at < wanted.length; at += CHUNK) {
        store.inTransaction(() => {
          for (const id of wanted.slice(at, at + CHUNK)) enqueue(id, userId, askedAt)
        })
        await Bun.sleep(0)
      }
      runner.pump()
      return wanted.length
    },

    async pause(row: DownloadRow): Promise<DownloadRow> {
      if (row.state === 'done' || row.state === 'failed') throw wrongState(row)
      await runner.interrupt(row.id, 'paused')
      // It may have come to its end, or had just failed, when it was interrupted.
      const { state } = store.downloads.find(row.id) ?? row
      if (state !== 'done' && state !== 'paused') {
        store.downloads.setState(row.id, 'paused')
        runner.announce(row.id)
      }
      return store.downloads.find(row.id) ?? row
    },
    /** Whoever tries again what was given up is notified when it ends, as if they had asked for it. */
    resume(row: DownloadRow, userId: number): DownloadRow {
      if (row.state === 'done' || row.state === 'running') throw wrongState(row)
      store.inTransaction(() => {
        if (row.state === 'failed') store.downloads.noteRequest(row.episode_id, userId, now())
        store.downloads.setState(row.id, 'queued')
      })
      runner.announce(row.id)
      runner.pump()
      return store.downloads.find(row.id) ?? row
    },
    cancel,

    async pauseAll() {
      store.settings.pauseDownloads(true)
      await runner.requeueAll()
    },
    resumeAll() {
      store.settings.pauseDownloads(false)
      runner.pump()
    },

    /** Removes an episode's file, or stops it on its way here; no rule fetches it again. */
    async remove(episode: EpisodeRow) {
      if (episode.file_path !== null) files.requirePresent()
      const row = store.downloads.findOfEpisode(episode.id)
      if (row && row.state !== 'done') await cancel(row)
      await needs.rename.finished(id => id === episode.id)
      // Read again: it may have come to its end meanwhile.
      const path = store.episodes.find(episode.id)?.file_path ?? null
      store.inTransaction(() => {
        store.episodes.dropFile(episode.id)
        if (path !== null) forgotten.note(path)
        store.episodes.markRemoved(episode.id, true)
        if (row?.state === 'done') store.downloads.remove(row.id)
      })
      if (path === null) return
      await forgotten.remove(path)
      publish({ type: 'fileRemoved', episodeId: episode.id })
    },

    /** Ends what is on the way for a podcast that is about to be deleted. */
    async cancelOf(podcastId: number) {
      for (
        let rows = store.downloads.unfinishedOf(podcastId);
        rows.length > 0;
        rows = store.downloads.unfinishedOf(podcastId)
      )
        for (const row of rows) await cancel(row)
    },

    live: runner.live,
    settled: runner.settled,
    async stop() {
      await Promise.all([keptFiles.stop(), runner.stop()])
    },
  }
}

const wrongState = ({ state }: DownloadRow) =>
  new Problem('download-state', `A download that is ${state} cannot do that`, { state })
