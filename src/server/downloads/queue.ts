import { readFileSync } from 'node:fs'
import { HOUR, MINUTE, SECOND, type Clock } from '../clock'
import type { Publish } from '../events'
import { describeError, type Log } from '../log'
import type { Outbound } from '../outbound/request'
import { Problem } from '../problem'
import type { Secret } from '../secret'
import type { Store } from '../store'
import type { DownloadRow } from '../store/downloads'
import type { EpisodeRow } from '../store/episodes'
import type { PodcastRow } from '../store/podcasts'
import { DownloadFailure, receive, type DownloadLimits } from './download'
import type { MediaFiles } from './files'
import type { ForgottenFiles } from './forgotten'
import { SNIFF_BYTES, sniffMedia } from './media-type'
import { feedAccess } from '../feeds/access'
import { measureDuration } from './measure'
import type { Names } from './names'

export type Downloads = ReturnType<typeof createDownloads>

export type DownloadsNeeds = {
  store: Store
  outbound: Outbound
  files: MediaFiles
  forgotten: ForgottenFiles
  names: Names
  secret: Secret
  publish: Publish
  now: Clock
  log: Log
  parallel: number
  reserveBytes: number
  limits?: DownloadLimits
  /** Until the file of an episode is not on the move. */
  atRest: (episodeId: number) => Promise<void>
  /** Does with a file that has just come what the settings want done with it. */
  finishing: (episodeId: number) => Promise<void>
  /** Fetches the feed again: the address of an enclosure may have expired. */
  refreshFeed: (podcastId: number) => Promise<unknown>
}

const MAX_ATTEMPTS = 8
const MAX_PERMANENT = 3
const PROGRESS_MS = 500

type Running = {
  abort: AbortController
  host: string
  received: number
  total: number | null
  speed: number
  toldBytes: number
  ended: Promise<void>
}

class Interrupted extends Error {
  override name = 'Interrupted'
  constructor(readonly becomes: 'paused' | 'queued' | 'cancelled') {
    super(becomes)
  }
}

/**
 * The queue of downloads. The database holds it; this runs what may run: so many at once, one for each host.
 * Every row says in which state it is and, when it waits, why and until when.
 */
export function createDownloads(needs: DownloadsNeeds) {
  const { store, files, forgotten, publish, now, log } = needs
  const running = new Map<number, Running>()
  const bootId = findBootId()
  let isStopping = false
  let wasPresent = true

  /** Starts what may start now. Cheap when there is nothing to do; called after every change and by a job. */
  /** Whatever waits goes on when the media folder is back. */
  function isThere(): boolean {
    const isPresent = files.isPresent()
    if (isPresent !== wasPresent)
      log[isPresent ? 'info' : 'error'](isPresent ? 'the media folder is back' : 'the media folder is not there', {
        folder: files.root,
      })
    wasPresent = isPresent
    return isPresent
  }

  function pump() {
    if (isStopping) return
    store.downloads.requeueLost([...running.keys()])
    if (store.settings.downloadsPaused() || running.size >= needs.parallel || !isThere()) return
    const busy = new Set([...running.values()].map(entry => entry.host))
    const chosen: { id: number; host: string }[] = []
    for (const { id, enclosure_url } of store.downloads.ready(now())) {
      const host = URL.parse(enclosure_url)?.host ?? ''
      if (running.has(id) || busy.has(host)) continue
      busy.add(host)
      chosen.push({ id, host })
      if (running.size + chosen.length >= needs.parallel) break
    }
    for (const { id, host } of chosen) start(store.downloads.find(id)!, host)
  }

  function start(row: DownloadRow, host: string) {
    const abort = new AbortController()
    const entry: Running = {
      abort,
      host,
      received: row.received_bytes,
      total: row.total_bytes,
      speed: 0,
      toldBytes: row.received_bytes,
      ended: Promise.resolve(),
    }
    running.set(row.id, entry)
    store.downloads.start(row.id, now(), bootId)
    const ticker = setInterval(() => tick(row.id, entry), PROGRESS_MS)
    entry.ended = run(row, entry)
      .catch(error => settleFailure(row, error))
      .catch(error => log.error('download could not be settled', { error: describeError(error) }))
      .finally(() => {
        clearInterval(ticker)
        running.delete(row.id)
        pump()
      })
    announce(row.id)
  }

  async function run(row: DownloadRow, entry: Running) {
    if (await adoptMoved(row)) return
    const podcast = store.podcasts.find(row.podcast_id)!
    const { size, media } = await receive(
      {
        eid: row.eid,
        address: row.enclosure_url,
        ...feedAccess(needs, podcast, row.enclosure_url),
        // A killed process loses nothing that it wrote; only after a power cut the last synced byte is what counts.
        received: bootId !== null && row.boot_id === bootId ? Number.MAX_SAFE_INTEGER : row.received_bytes,
        total: row.total_bytes,
        etag: row.etag,
        lastModified: row.last_modified,
      },
      {
        ...needs,
        onSource: source => store.downloads.describeSource(row.id, source),
        onCheckpoint: received => store.downloads.checkpoint(row.id, received),
        onProgress: (received, total) => Object.assign(entry, { received, total }),
      },
      entry.abort.signal,
    )
    // Cancelled, or its podcast deleted, just as the last byte came.
    if (!store.downloads.find(row.id)) throw new Interrupted('cancelled')
    const target = targetFor(podcast, row.episode_id, media.extension)
    store.downloads.aimAt(row.id, target)
    await files.moveInto(files.partOf(row.eid), target)
    await finish(row, target, size, media.type)
  }

  /** Twice a second: how far it is, and how fast, smoothed. */
  function tick(id: number, entry: Running) {
    const speed = ((entry.received - entry.toldBytes) / PROGRESS_MS) * SECOND
    entry.speed = Math.round(entry.speed === 0 ? speed : entry.speed * 0.6 + speed * 0.4)
    if (entry.received === entry.toldBytes) return
    entry.toldBytes = entry.received
    announce(id)
  }

  /** The crash came between the move and the record of it. */
  async function adoptMoved(row: DownloadRow): Promise<boolean> {
    if (!row.target_path) return false
    const path = files.pathOf(row.target_path)
    const size = await files.sizeOf(path)
    const part = await files.sizeOf(files.partOf(row.eid))
    if (size === null || part !== null || size !== row.received_bytes) return false
    const media = await sniffMedia(new Uint8Array(await Bun.file(path).slice(0, SNIFF_BYTES).arrayBuffer()))
    if (!media) return false
    await finish(row, row.target_path, size, media.type)
    return true
  }

  async function finish(row: DownloadRow, path: string, size: number, type: string) {
    const duration = await measureDuration(files.pathOf(path), type)
    const isWanted = store.inTransaction(() => {
      if (!store.downloads.find(row.id)) {
        forgotten.note(path)
        return false
      }
      store.episodes.keepFile(row.episode_id, { path, size, type, duration, now: now() })
      store.downloads.finish(row.id, size, now())
      return true
    })
    if (!isWanted) {
      await forgotten.remove(path)
      return
    }
    await needs.finishing(row.episode_id)
    log.info('downloaded', { podcast: row.podcast_title, episode: row.episode_title, bytes: size })
    announce(row.id)
    publish({ type: 'offlineAvailable', episodeId: row.episode_id })
  }

  function targetFor(podcast: PodcastRow, episodeId: number, extension: string): string {
    const isTaken = (path: string) =>
      store.episodes.fileTaken(path) || store.downloads.isAimedAt(path) || files.exists(path)
    return needs.names.pathFor(store.episodes.find(episodeId)!, podcast, extension, isTaken)
  }

  async function settleFailure(row: DownloadRow, error: unknown) {
    if (error instanceof Interrupted) return settleInterrupted(row, error)
    const current = store.downloads.find(row.id)
    if (!current) {
      // The podcast went while its episode was on the way.
      await files.removePart(row.eid)
      return
    }
    const failure =
      error instanceof DownloadFailure
        ? error
        : new DownloadFailure('unexpected', 'Something went wrong here; the log knows more')
    if (!(error instanceof DownloadFailure))
      log.error('download failed', { episode: row.episode_title, error: describeError(error) })

    const hasProgressed = current.received_bytes > row.received_bytes
    const attempts = hasProgressed ? 1 : row.attempts + 1
    // A full disk is nobody's failure: it waits for room as long as it takes.
    const mayRetry = failure.code === 'disk-full' || attempts < (failure.permanent ? MAX_PERMANENT : MAX_ATTEMPTS)
    const detail = { code: failure.code, message: failure.message }
    if (failure.code === 'not-media' || failure.code === 'too-large-upstream') {
      await files.removePart(row.eid)
      store.downloads.checkpoint(row.id, 0)
    }
    if (mayRetry) {
      const delay = failure.retryAfterMs ?? Math.min(MINUTE * 2 ** (attempts - 1), 6 * HOUR)
      store.downloads.wait(row.id, failure.code === 'disk-full' ? row.attempts : attempts, now() + delay, detail)
      if (failure.code === 'media-unreachable' && failure.permanent) void needs.refreshFeed(row.podcast_id)
    } else {
      store.downloads.giveUp(row.id, attempts, detail, now())
      log.warn('download given up', { podcast: row.podcast_title, episode: row.episode_title, reason: failure.message })
    }
    announce(row.id)
  }

  async function settleInterrupted(row: DownloadRow, { becomes }: Interrupted) {
    if (becomes === 'cancelled') {
      await files.removePart(row.eid)
      return
    }
    store.downloads.setState(row.id, becomes)
    if (!isStopping) announce(row.id)
  }

  /** Tells where a download stands; from memory while it runs. */
  function announce(id: number) {
    const row = store.downloads.find(id)
    if (!row) return
    const live = row.state === 'running' ? running.get(id) : undefined
    publish({
      type: 'downloadProgress',
      id: row.uuid,
      eid: row.eid,
      state: row.state,
      receivedBytes: live?.received ?? row.received_bytes,
      totalBytes: live?.total ?? row.total_bytes,
      bytesPerSecond: live?.speed ?? 0,
    })
  }

  async function interrupt(id: number, becomes: Interrupted['becomes']) {
    const entry = running.get(id)
    if (!entry) return false
    entry.abort.abort(new Interrupted(becomes))
    await entry.ended
    return true
  }

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
    await interrupt(row.id, 'cancelled')
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

  return {
    pump,

    /** Once at the start: files that belong to nothing are removed. What was interrupted, `pump` queues again. */
    async recover() {
      if (!isThere()) return
      files.open()
      const strays = files.strayParts(new Set(store.downloads.unfinishedEids()))
      await Promise.all(strays.map(eid => files.removePart(eid)))
      await forgotten.recover()
    },

    /** A person asks for an episode; lifts an earlier removal. Throws `disk-full` when there is no room at all. */
    async request(episode: EpisodeRow, userId: number): Promise<DownloadRow> {
      await this.ensureRoom()
      store.inTransaction(() => {
        store.episodes.markRemoved(episode.id, false)
        store.downloads.enqueue(episode.id, { automatic: false, userId, now: now() })
      })
      const row = store.downloads.findOfEpisode(episode.id)!
      announce(row.id)
      pump()
      return store.downloads.find(row.id) ?? row
    },

    async requestAll(episodeIds: readonly number[], userId: number): Promise<number> {
      await this.ensureRoom()
      const wanted = episodeIds.filter(id => !store.episodes.find(id)?.file_path)
      const askedAt = now()
      for (let at = 0; at < wanted.length; at += 200) {
        store.inTransaction(() => {
          for (const id of wanted.slice(at, at + 200)) {
            store.episodes.markRemoved(id, false)
            store.downloads.enqueue(id, { automatic: false, userId, now: askedAt })
          }
        })
        await Bun.sleep(0)
      }
      pump()
      return wanted.length
    },

    async ensureRoom() {
      const free = await files.freeBytes()
      if (free > needs.reserveBytes) return
      throw new Problem('disk-full', 'There is no room for downloads on the disk', {
        needed: String(needs.reserveBytes),
        free: String(free),
      })
    },

    async pause(row: DownloadRow): Promise<DownloadRow> {
      if (row.state === 'done' || row.state === 'failed') throw wrongState(row)
      await interrupt(row.id, 'paused')
      // It may have come to its end, or had just failed, when it was interrupted.
      const { state } = store.downloads.find(row.id) ?? row
      if (state !== 'done' && state !== 'paused') {
        store.downloads.setState(row.id, 'paused')
        announce(row.id)
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
      announce(row.id)
      pump()
      return store.downloads.find(row.id) ?? row
    },
    cancel,

    async pauseAll() {
      store.settings.pauseDownloads(true)
      await Promise.all([...running.keys()].map(id => interrupt(id, 'queued')))
    },
    resumeAll() {
      store.settings.pauseDownloads(false)
      pump()
    },

    /** Removes an episode's file, or stops it on its way here; no rule fetches it again. */
    async remove(episode: EpisodeRow) {
      if (episode.file_path !== null) files.requirePresent()
      const row = store.downloads.findOfEpisode(episode.id)
      if (row && row.state !== 'done') await cancel(row)
      await needs.atRest(episode.id)
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
      publish({ type: 'deletedPodcastEpisodeLocally', episodeId: episode.id })
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

    /** The live figures of a download that runs. */
    live: (id: number) => running.get(id) ?? null,
    /** When nothing runs any more. */
    async settled() {
      while (running.size > 0) await Promise.all([...running.values()].map(entry => entry.ended))
    },
    /** Ends what is on the way; it goes on at the next start. */
    async stop() {
      isStopping = true
      await Promise.all([...running.keys()].map(id => interrupt(id, 'queued')))
    },
  }
}

const wrongState = ({ state }: DownloadRow) =>
  new Problem('download-state', `A download that is ${state} cannot do that`, { state })

/** Differs after every start of the machine; null where the system does not tell. */
function findBootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return null
  }
}
