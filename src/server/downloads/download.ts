import { open, type FileHandle } from 'node:fs/promises'
import { HOUR, MINUTE, SECOND, type Clock } from '../platform/clock'
import { chunksOf } from '../outbound/body'
import type { Credentials } from '../outbound/credentials'
import { OutboundError } from '../outbound/error'
import type { Reach } from '../outbound/reach'
import type { Incoming, Outbound } from '../outbound/request'
import type { ErrorCode } from '../../shared/error-code'
import type { MediaFiles } from './files'
import { SNIFF_BYTES, sniffMedia, type MediaType } from './media-type'
import { createPace } from './pace'

/** What is known of an unfinished download when it begins or goes on. */
export type Source = {
  eid: string
  address: string
  reach: Reach
  credentials: Credentials | null
  /** Bytes of the `.part` file that can be trusted, if it has that many. */
  received: number
  total: number | null
  etag: string | null
  lastModified: string | null
}

export type Received = { size: number; media: MediaType }

/** `permanent` = the same request will hardly do better; `retryAfterMs` = when it makes sense to try again. */
export class DownloadFailure extends Error {
  override name = 'DownloadFailure'
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly permanent = false,
    readonly retryAfterMs: number | null = null,
  ) {
    super(message)
  }
}

export type DownloadNeeds = {
  outbound: Outbound
  files: MediaFiles
  reserveBytes: number
  limits?: DownloadLimits
  /** A clock that never goes back; for how fast bytes come in. */
  elapsed: Clock
  /** The body that a resume must match; called before its first byte is written. */
  onSource: (source: { etag: string | null; lastModified: string | null; total: number | null }) => void
  onProgress: (received: number, total: number | null) => void
  /** These bytes are on the disk: a resume goes on from here. */
  onCheckpoint: (received: number) => void
}

export type DownloadLimits = { headersMs: number; idleMs: number; maxBytes: number }
export const downloadLimits: DownloadLimits = { headersMs: 30 * SECOND, idleMs: 60 * SECOND, maxBytes: 64e9 }

const CHECKPOINT_BYTES = 8 * 1024 * 1024
const CHECKPOINT_MS = 2 * SECOND
const SPACE_CHECK_BYTES = 64 * 1024 * 1024
const OVERLAP = 64 * 1024

/**
 * Brings one enclosure into its `.part` file, going on where an earlier attempt ended. Byte for byte as the publisher
 * sent it; synced to the disk, of the announced length, and audio or video by its own bytes when this returns.
 * Throws `DownloadFailure`, or the reason of `signal`.
 */
export async function receive(source: Source, needs: DownloadNeeds, signal: AbortSignal): Promise<Received> {
  const { files, onCheckpoint } = needs
  files.open()
  const path = files.partOf(source.eid)
  const present = (await files.sizeOf(path)) ?? 0
  const from = Math.min(present, source.received)
  const part = await open(path, present > 0 ? 'r+' : 'w+')
  try {
    await part.truncate(from)
    const size = await fill(part, source, from, needs, signal)
    await part.sync()
    onCheckpoint(size)
    const media = await sniffMedia(await firstBytes(part))
    if (!media) throw new DownloadFailure('not-media', 'What came is neither audio nor video', true)
    return { size, media }
  } catch (error) {
    throw asFailure(error, signal)
  } finally {
    await part.close()
  }
}

async function fill(
  part: FileHandle,
  source: Source,
  from: number,
  needs: DownloadNeeds,
  signal: AbortSignal,
): Promise<number> {
  // The last attempt ended after the last byte, before the file was moved into place.
  if (from > 0 && from === source.total) return from
  await ensureSpace(needs, (source.total ?? 0) - from)
  const { incoming, start, overlap } = await request(source, from, needs, signal)
  const { response } = incoming
  const total = totalOf(response, start)
  if (start === 0) {
    await part.truncate(0)
    needs.onCheckpoint(0)
  }
  needs.onSource({ ...validatorsOf(response), total })
  await ensureSpace(needs, (total ?? 0) - start)

  const { maxBytes, idleMs } = needs.limits ?? downloadLimits
  const pace = createPace(needs.elapsed, total === null ? null : total - start)
  let position = start - overlap
  let saved = { at: performance.now(), position }
  let checkedSpaceAt = position
  let isSniffed = start > 0
  for await (const chunk of chunksOf(response, { maxBytes, idleMs, host: URL.parse(source.address)?.host ?? '' })) {
    signal.throwIfAborted()
    const fresh = position < start ? await withoutOverlap(part, chunk, position, start) : chunk
    if (!fresh) {
      await part.truncate(0)
      needs.onCheckpoint(0)
      throw new DownloadFailure(
        'length-mismatch',
        'The file at the host has changed; it is fetched again from the start',
      )
    }
    await part.write(fresh, 0, fresh.byteLength, position + chunk.byteLength - fresh.byteLength)
    position += chunk.byteLength
    needs.onProgress(Math.max(position, start), total)
    const verdict = position === total ? null : pace(chunk.byteLength)
    if (verdict) throw tooSlow(verdict)

    if (!isSniffed && position >= SNIFF_BYTES) {
      // A login page or an error page is known by its first bytes: nobody waits for its end.
      if (!(await sniffMedia(await firstBytes(part))))
        throw new DownloadFailure('not-media', 'What came is neither audio nor video', true)
      isSniffed = true
    }
    if (position - saved.position >= CHECKPOINT_BYTES || performance.now() - saved.at >= CHECKPOINT_MS) {
      await part.datasync()
      needs.onCheckpoint(position)
      saved = { at: performance.now(), position }
    }
    if (position - checkedSpaceAt >= SPACE_CHECK_BYTES) {
      await ensureSpace(needs, (total ?? 0) - position)
      checkedSpaceAt = position
    }
  }
  if (total !== null && position !== total)
    throw new DownloadFailure('length-mismatch', `Received ${position} of ${total} bytes`)
  if (position === 0) throw new DownloadFailure('not-media', 'The host sent nothing', true)
  return position
}

/** The answer, and from which byte on it goes. An answer that does not fit what is here starts again from the first byte. */
async function request(source: Source, from: number, needs: DownloadNeeds, signal: AbortSignal) {
  if (from > 0) {
    const validator = strong(source.etag) ?? source.lastModified
    // Without a validator only the bytes can tell whether it is the same file: some are asked for a second time.
    const overlap = validator ? 0 : Math.min(OVERLAP, from)
    const incoming = await get(source, needs, signal, {
      Range: `bytes=${from - overlap}-`,
      ...(validator && { 'If-Range': validator }),
    })
    if (continues(incoming.response, source, from - overlap)) return { incoming, start: from, overlap }
    if (incoming.response.status === 200) return { incoming, start: 0, overlap: 0 }
    await incoming.response.body?.cancel()
  }
  return { incoming: await get(source, needs, signal, {}), start: 0, overlap: 0 }
}

async function get(
  source: Source,
  { outbound, limits = downloadLimits }: DownloadNeeds,
  signal: AbortSignal,
  headers: Record<string, string>,
): Promise<Incoming> {
  const incoming = await outbound.get(source.address, {
    reach: source.reach,
    credentials: source.credentials,
    signal,
    timeoutMs: limits.headersMs,
    headers: { ...headers, Accept: 'audio/*, video/*, */*;q=0.5', 'Accept-Encoding': 'identity' },
  })
  const { response } = incoming
  if (response.status === 200 || response.status === 206 || (response.status === 416 && headers.Range)) {
    const type = response.headers.get('content-type') ?? ''
    if (response.status !== 416 && /^(text\/html|image\/|application\/(json|xhtml|pdf))/i.test(type)) {
      await response.body?.cancel()
      throw new DownloadFailure('not-media', `The host sent ${type.split(';')[0]}`, true)
    }
    return incoming
  }
  await response.body?.cancel()
  throw statusFailure(response)
}

function statusFailure(response: Response): DownloadFailure {
  const retryAfter = Number(response.headers.get('retry-after'))
  const isPermanent = [400, 401, 403, 404, 405, 406, 410, 451].includes(response.status)
  return new DownloadFailure(
    'media-unreachable',
    `The host answered ${response.status}`,
    isPermanent,
    retryAfter > 0 ? Math.min(retryAfter * SECOND, 24 * HOUR) : null,
  )
}

function continues(response: Response, source: Source, from: number): boolean {
  const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(response.headers.get('content-range') ?? '')
  if (response.status !== 206 || !range || Number(range[1]) !== from) return false
  const sameLength = source.total === null || range[2] === '*' || Number(range[2]) === source.total
  const etag = response.headers.get('etag')
  // A host that ignores If-Range still tells by its ETag that this is another file.
  return sameLength && (!source.etag || !etag || etag === source.etag)
}

/** The part of a chunk that is new; null when the rest differs from what is here, which is of no use then. */
async function withoutOverlap(
  part: FileHandle,
  chunk: Uint8Array,
  position: number,
  start: number,
): Promise<Uint8Array | null> {
  const length = Math.min(chunk.byteLength, start - position)
  const here = Buffer.alloc(length)
  await part.read(here, 0, length, position)
  return here.equals(chunk.subarray(0, length)) ? chunk.subarray(length) : null
}

function totalOf(response: Response, start: number): number | null {
  const whole = Number(/\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1] ?? Number.NaN)
  if (response.status === 206 && start > 0) return Number.isFinite(whole) ? whole : null
  const length = response.headers.get('content-length')
  return length !== null && /^\d+$/.test(length) && !response.headers.get('content-encoding') ? Number(length) : null
}

const validatorsOf = (response: Response) => ({
  etag: response.headers.get('etag')?.trim() || null,
  lastModified: response.headers.get('last-modified')?.trim() || null,
})

const strong = (etag: string | null) => (etag && !etag.startsWith('W/') ? etag : null)

async function firstBytes(part: FileHandle): Promise<Uint8Array> {
  const buffer = Buffer.alloc(SNIFF_BYTES)
  const { bytesRead } = await part.read(buffer, 0, SNIFF_BYTES, 0)
  return buffer.subarray(0, bytesRead)
}

async function ensureSpace({ files, reserveBytes }: DownloadNeeds, more: number) {
  const free = await files.freeBytes()
  if (free - Math.max(0, more) >= reserveBytes) return
  throw diskFull(`${Math.max(0, more)} bytes are needed and ${reserveBytes} kept free, ${free} are there`)
}

/** What came stays; it goes on from there at the end of the queue. */
const tooSlow = ({ reason, isTooSlow }: { reason: string; isTooSlow: boolean }) =>
  new DownloadFailure('upstream-too-slow', reason, false, isTooSlow ? null : 0)

const diskFull = (message: string) => new DownloadFailure('disk-full', message, false, 10 * MINUTE)

function asFailure(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  if (error instanceof DownloadFailure) return error
  if (error instanceof OutboundError) {
    if (error.code === 'address-not-allowed')
      return new DownloadFailure('address-not-allowed', 'This address may not be reached from here', true)
    if (error.code === 'timeout') return new DownloadFailure('upstream-timeout', 'The host stopped sending')
    if (error.code === 'too-large')
      return new DownloadFailure('too-large-upstream', 'The file is larger than any episode', true)
    return new DownloadFailure('media-unreachable', 'The connection to the host failed')
  }
  if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return diskFull('The disk is full')
  return error
}
