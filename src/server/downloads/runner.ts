import { readFileSync } from 'node:fs'
import { SECOND, type Clock } from '../platform/clock'
import { feedAccess } from '../feeds/access'
import { describeError } from '../platform/log'
import type { Outbound } from '../outbound/request'
import type { Secret } from '../platform/secret'
import type { DownloadRow } from '../store/downloads'
import { receive, type DownloadLimits } from './download'
import { findHere, place, type FinishNeeds } from './finish'
import { Interrupted, settle, type SettleNeeds } from './settle'

export type RunnerNeeds = Omit<FinishNeeds, 'announce'> &
  SettleNeeds & {
    outbound: Outbound
    secret: Secret
    parallel: number
    reserveBytes: number
    limits?: DownloadLimits
    /** A clock that never goes back. */
    elapsed: Clock
  }

const PROGRESS_MS = 500

type Running = {
  abort: AbortController
  host: string
  received: number
  total: number | null
  speed: number
  announced: number
  ended: Promise<void>
}

/** Runs what may run: so many downloads at once, one for each host. The database holds the queue. */
export function createRunner(needs: RunnerNeeds) {
  const { store, files, log } = needs
  const running = new Map<number, Running>()
  const bootId = findBootId()
  let isStopping = false
  let wasPresent = true

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

  /** Starts what may start now. Cheap when there is nothing to do; called after every change and by a job. */
  function pump() {
    if (isStopping) return
    store.downloads.requeueLost([...running.keys()])
    if (store.settings.downloadsPaused() || running.size >= needs.parallel || !isThere()) return
    const busy = new Set([...running.values()].map(entry => entry.host))
    const chosen: { id: number; host: string }[] = []
    for (const { id, enclosure_url } of store.downloads.ready(needs.now())) {
      const host = URL.parse(enclosure_url)?.host ?? ''
      if (running.has(id) || busy.has(host)) continue
      busy.add(host)
      chosen.push({ id, host })
      if (running.size + chosen.length >= needs.parallel) break
    }
    for (const { id, host } of chosen) start(store.downloads.find(id)!, host)
  }

  function start(row: DownloadRow, host: string) {
    const entry: Running = {
      abort: new AbortController(),
      host,
      received: row.received_bytes,
      total: row.total_bytes,
      speed: 0,
      announced: row.received_bytes,
      ended: Promise.resolve(),
    }
    running.set(row.id, entry)
    store.downloads.start(row.id, needs.now(), bootId)
    const ticker = setInterval(() => tick(row.id, entry), PROGRESS_MS)
    entry.ended = run(row, entry)
      .catch(async error => {
        await settle(needs, row, error)
        if (!isStopping) announce(row.id)
      })
      .catch(error => log.error('download could not be settled', { error: describeError(error) }))
      .finally(() => {
        clearInterval(ticker)
        running.delete(row.id)
        pump()
      })
    announce(row.id)
  }

  async function run(row: DownloadRow, entry: Running) {
    const { signal } = entry.abort
    if (await findHere({ ...needs, announce }, row, signal)) return
    const podcast = store.podcasts.find(row.podcast_id)!
    const received = await receive(
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
      signal,
    )
    // Cancelled, or its podcast deleted, just as the last byte came.
    if (!store.downloads.find(row.id)) throw new Interrupted('cancelled')
    await place({ ...needs, announce }, row, received, signal)
  }

  /** Twice a second: how far it is, and how fast, smoothed. */
  function tick(id: number, entry: Running) {
    const speed = ((entry.received - entry.announced) / PROGRESS_MS) * SECOND
    entry.speed = Math.round(entry.speed === 0 ? speed : entry.speed * 0.6 + speed * 0.4)
    if (entry.received === entry.announced) return
    entry.announced = entry.received
    announce(id)
  }

  /** Publishes where a download stands; from memory while it runs. */
  function announce(id: number) {
    const row = store.downloads.find(id)
    if (!row) return
    const live = row.state === 'running' ? running.get(id) : undefined
    needs.publish({
      type: 'downloadProgress',
      id: row.uuid,
      eid: row.eid,
      state: row.state,
      receivedBytes: live?.received ?? row.received_bytes,
      totalBytes: live?.total ?? row.total_bytes,
      bytesPerSecond: live?.speed ?? 0,
    })
  }

  /** Answers when it has stopped. */
  async function interrupt(id: number, becomes: Interrupted['becomes']) {
    const entry = running.get(id)
    if (!entry) return
    entry.abort.abort(new Interrupted(becomes))
    await entry.ended
  }
  const requeueAll = async () => void (await Promise.all([...running.keys()].map(id => interrupt(id, 'queued'))))

  return {
    isThere,
    pump,
    announce,
    interrupt,
    requeueAll,
    /** The live figures of a download that runs. */
    live: (id: number) => running.get(id) ?? null,
    /** When nothing runs any more. */
    async settled() {
      while (running.size > 0) await Promise.all([...running.values()].map(entry => entry.ended))
    },
    /** Ends what is on the way; it goes on at the next start. */
    async stop() {
      isStopping = true
      await requeueAll()
    },
  }
}

/** Differs after every start of the machine; null where the system does not tell. */
function findBootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return null
  }
}
