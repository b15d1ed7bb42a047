import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { streamOf } from '../platform/stream-of'

const READ_BYTES = 256 * 1024

/** Creates a file and removes its name, so that it is gone with the last process that has it open. */
export async function openNameless(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, crypto.randomUUID())
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return file
}

type Needs = {
  file: FileHandle
  type: string
  /** The length by the host's word; null = unknown. */
  total: number | null
  idleMs: number
  /** Ends what fills the file. */
  stop: () => void
  /** Called when nobody has read it for `idleMs`. */
  onUnused: () => void
}

export type SpooledFile = ReturnType<typeof createSpooledFile>

/** A file that is read while it is still being received. Readers wait for the bytes that have not arrived. */
export function createSpooledFile({ file, type, total, stop, ...needs }: Needs) {
  const received = createReceived(file)
  let { idleMs, onUnused } = needs
  let idle: Timer | undefined

  function waitIdle() {
    clearTimeout(idle)
    if (received.isRead() || received.isClosed()) return
    idle = setTimeout(() => onUnused(), idleMs)
    idle.unref()
  }
  function close(failure?: unknown) {
    clearTimeout(idle)
    received.close(failure)
    stop()
  }
  async function* read(from: number, to: number | null) {
    try {
      yield* received.read(from, to)
    } finally {
      waitIdle()
    }
  }
  waitIdle()
  return {
    type,
    etag: `"spool-${crypto.randomUUID()}"`,
    isRead: received.isRead,
    isClosed: received.isClosed,
    write: received.write,
    /** Bytes of the whole file; null = not known yet. */
    size: () => (received.isWhole() ? received.bytes() : total),
    neededBytes: () => Math.max(received.bytes(), total ?? 0),
    /** Waits until the file is whole or given up, at most so long. */
    whenWhole: (ms: number) => Promise.race([received.whole, pause(ms)]),
    /** The bytes from `from` to before `to`; null = to the end. */
    stream: (from: number, to: number | null) => streamOf(read(from, to)),
    end() {
      if (total !== null && received.bytes() !== total)
        throw new Error(`Received ${received.bytes()} of ${total} bytes`)
      received.end()
    },
    /** Gives the file up once nobody reads it. */
    retire() {
      if (!received.isRead()) return close()
      onUnused = close
      idleMs = 0
    },
    /** Gives the file up; its readers get the failure. */
    close,
  }
}

/** The bytes that have arrived. The file is closed only while nothing uses it: the next one gets its number. */
function createReceived(file: FileHandle) {
  let bytes = 0
  let readers = 0
  let isWriting = false
  let state: 'filling' | 'whole' | 'closed' = 'filling'
  let reason: unknown = new Error('The spooled file was given up')
  let more = Promise.withResolvers<void>()
  const whole = Promise.withResolvers<void>()

  function become(next: typeof state) {
    state = next
    whole.resolve()
    announce()
    closeUnused()
  }
  function announce() {
    more.resolve()
    more = Promise.withResolvers()
  }
  function closeUnused() {
    if (state === 'closed' && readers === 0 && !isWriting) void file.close().catch(() => undefined)
  }
  return {
    whole: whole.promise,
    bytes: () => bytes,
    isRead: () => readers > 0,
    isWhole: () => state === 'whole',
    isClosed: () => state === 'closed',
    async *read(from: number, to: number | null): AsyncGenerator<Uint8Array> {
      readers++
      try {
        for (let at = from; to === null || at < to;) {
          if (state === 'closed') throw reason
          if (at < bytes) {
            const length = Math.min(READ_BYTES, bytes - at, (to ?? bytes) - at)
            const { bytesRead, buffer } = await file.read(Buffer.allocUnsafeSlow(length), 0, length, at)
            at += bytesRead
            yield buffer.subarray(0, bytesRead)
          } else if (state === 'whole') return
          else await more.promise
        }
      } finally {
        readers--
        closeUnused()
      }
    },
    async write(chunk: Uint8Array) {
      if (state === 'closed') return
      isWriting = true
      try {
        for (let done = 0; done < chunk.byteLength;)
          done += (await file.write(chunk, done, chunk.byteLength - done, bytes + done)).bytesWritten
        bytes += chunk.byteLength
      } finally {
        isWriting = false
        closeUnused()
      }
      announce()
    },
    end: () => become('whole'),
    close(failure = reason) {
      if (state === 'closed') return
      reason = failure
      become('closed')
    },
  }
}

/** Keeps no process alive. */
const pause = (ms: number) => new Promise<void>(resolve => void setTimeout(resolve, ms).unref())
