import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { chunksOf } from '../outbound/body'
import { OutboundError } from '../outbound/error'
import { type Clock, HOUR, MINUTE, SECOND } from '../platform/clock'
import { describeError, type Log } from '../platform/log'
import { type MeasureFree, measureRoom } from '../platform/room'
import { createSpooledFile, openNameless, type SpooledFile } from './spooled-file'

export type SpoolLimits = {
  /** Bytes of one file, and of all together. */
  fileBytes: number
  allBytes: number
  files: number
  /** How long a file is kept that nobody reads, and one that is read: its host may have a newer one by then. */
  idleMs: number
  ageMs: number
  /** The longest wait between two chunks of its host. */
  silenceMs: number
}

const spoolLimits: SpoolLimits = {
  fileBytes: 512 * 1024 * 1024,
  allBytes: 1024 * 1024 * 1024,
  files: 32,
  idleMs: 15 * MINUTE,
  ageMs: 6 * HOUR,
  silenceMs: 60 * SECOND,
}

/** A file was not worth its room: it is relayed without a spool for this long. */
const REFUSED_MS = 30 * MINUTE
const MAX_REFUSED = 1000
/** Free space is measured again after this many bytes. */
const MEASURE_BYTES = 8 * 1024 * 1024

/** A body that a host sends only from its start. `total`: its length by the host's word; null = unknown. */
type Source = { body: ReadableStream<Uint8Array>; type: string; total: number | null; host: string; stop: () => void }

type Needs = {
  dataFolder: string
  isServer: boolean
  reserveBytes: number
  elapsed: Clock
  log: Log
  measureFree?: MeasureFree | undefined
  limits?: Partial<SpoolLimits> | undefined
}

/**
 * Keeps what is relayed from hosts that answer no ranges, for as long as somebody listens and a little longer, so that
 * any second of it can be entered. Listeners share a file, and it is received whole even if they leave. Files have
 * no name while they are used: a process that is killed leaves none. Bounded in bytes and time; `DISK_RESERVE` stays
 * free.
 */
export function createSpool(needs: Needs) {
  const { elapsed } = needs
  const limits = { ...spoolLimits, ...needs.limits }
  const folder = join(needs.dataFolder, 'spool')
  const shelf = createShelf(needs, limits)
  const { kept } = shelf
  let isStopped = false
  // A process may have been killed between creating a file and removing its name.
  if (needs.isServer) rmSync(folder, { recursive: true, force: true })

  return {
    /** The spooled file of a source; null if there is none. */
    find(key: string): SpooledFile | null {
      const known = kept.get(key)
      if (!known) return null
      if (elapsed() < known.endsAt) return known.file
      kept.delete(key)
      known.file.retire()
      return null
    },
    /**
     * Receives a body into a file until it ends. Null if there is no room for it. If another request for the same
     * source was faster, its file is shared and this body is given up.
     */
    async keep(key: string, source: Source): Promise<SpooledFile | null> {
      if (isStopped || shelf.isRefused(key) || (source.total ?? 0) > limits.fileBytes) return null
      const hasRoom = kept.has(key) || shelf.makeRoom(source.total ?? MEASURE_BYTES)
      const opened = hasRoom ? await openNameless(folder).catch(() => null) : null
      const faster = kept.get(key)?.file
      if (faster || !opened || isStopped) {
        await opened?.close()
        if (!faster) return null
        await source.body.cancel()
        source.stop()
        return faster
      }
      const { idleMs, ageMs } = limits
      const file = createSpooledFile({ ...source, file: opened, idleMs, onUnused: () => shelf.remove(key, file) })
      kept.set(key, { file, endsAt: elapsed() + ageMs })
      void fill(needs, limits, { shelf, key, file, source })
      return file
    },
    /** Bytes of all files. */
    usedBytes: shelf.usedBytes,
    stop() {
      isStopped = true
      for (const [key, { file }] of kept) shelf.remove(key, file)
    },
  }
}

/** The files by their source, their room, and the sources that were refused. */
function createShelf({ dataFolder, reserveBytes, measureFree, elapsed }: Needs, limits: SpoolLimits) {
  const kept = new Map<string, { file: SpooledFile; endsAt: number }>()
  const refused = new Map<string, number>()
  const usedBytes = () => [...kept.values()].reduce((sum, { file }) => sum + file.neededBytes(), 0)
  const freeBytes = () => (measureRoom(dataFolder, measureFree).free ?? 0) - reserveBytes
  const isWithinLimits = (more: number) => usedBytes() + more <= limits.allBytes && kept.size < limits.files

  function remove(key: string, file: SpooledFile, failure?: unknown) {
    if (kept.get(key)?.file === file) kept.delete(key)
    file.close(failure)
  }
  return {
    kept,
    usedBytes,
    remove,
    /** Whether there is room for `bytes` more. To make room, removes what nobody reads, the oldest first. */
    makeRoom(bytes: number): boolean {
      for (const [key, { file }] of kept) {
        if (isWithinLimits(bytes)) break
        if (!file.isRead()) remove(key, file)
      }
      return isWithinLimits(bytes) && freeBytes() > bytes
    },
    isOverfull: () => freeBytes() <= 0 || usedBytes() > limits.allBytes,
    refuse(key: string) {
      if (refused.size >= MAX_REFUSED) refused.clear()
      refused.set(key, elapsed() + REFUSED_MS)
    },
    isRefused: (key: string) => elapsed() < (refused.get(key) ?? 0),
  }
}

type Filling = { shelf: ReturnType<typeof createShelf>; key: string; file: SpooledFile; source: Source }

async function fill({ log }: Needs, limits: SpoolLimits, { shelf, key, file, source }: Filling) {
  const { body, host, stop } = source
  let unmeasured = 0
  try {
    const bounds = { maxBytes: limits.fileBytes, idleMs: limits.silenceMs, host }
    for await (const chunk of chunksOf(new Response(body), bounds)) {
      await file.write(chunk)
      if (file.isClosed()) return
      unmeasured += chunk.byteLength
      if (unmeasured < MEASURE_BYTES) continue
      unmeasured = 0
      if (shelf.isOverfull()) throw new Error('There is no room for more of the spool')
    }
    file.end()
  } catch (error) {
    log.debug('A relayed file could not be spooled', { host, reason: describeError(error) })
    // A host that broke off may send all of it the next time.
    if (!(error instanceof OutboundError) || error.code === 'too-large') shelf.refuse(key)
    shelf.remove(key, file, error)
  } finally {
    stop()
  }
}
