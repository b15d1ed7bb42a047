import { type FileHandle, open } from 'node:fs/promises'
import { isMp4 } from '../../shared/forms'
import { hasMp4Index } from '../media/mp4-index'
import { chunksOf, release } from '../outbound/body'
import { OutboundError } from '../outbound/error'
import type { Outbound } from '../outbound/request'
import type { Clock } from '../platform/clock'
import type { MediaFiles } from '../storage'
import { asDownloadFailure, diskFull, DownloadFailure, notMedia, withoutIndex } from './failure'
import { type MediaType, SNIFF_BYTES, sniffMedia } from './media-type'
import { createPace, type DownloadLimits } from './pace'
import { type Answer, requestFrom, type Source } from './source'

// Why: docs/internals/decisions/0003

type ReceiveNeeds = WriteNeeds & {
  outbound: Outbound
  now: Clock
  isPatient?: boolean
  /** Called before the first byte is written. A later attempt resumes only if the host still sends the same values. */
  onSource: (source: Pick<Answer, 'host' | 'etag' | 'lastModified' | 'total'>) => Promise<void>
}

export type Received = { size: number; media: MediaType }

/**
 * Fetches one enclosure into its `.part` file, resuming an earlier attempt. When it returns, the file is complete, byte
 * for byte as the host sent it, synced to the disk, and audio or video by its own bytes. Throws `DownloadFailure`, or
 * the reason of `signal`.
 */
export async function receive(source: Source, needs: ReceiveNeeds, signal: AbortSignal): Promise<Received> {
  const { limits, onCheckpoint } = needs
  const { folder } = needs.files
  folder.open()
  const path = folder.partOf(source.eid)
  const present = (await folder.sizeOfPart(source.eid)) ?? 0
  const from = Math.min(present, source.received)
  const part = await open(path, present > 0 ? 'r+' : 'w+')
  try {
    await part.truncate(from)
    const size = await complete(part, source, from, needs, signal)
    await part.sync()
    onCheckpoint(size)
    const media = await requireMedia(part)
    if (isMp4(media.type) && !(await hasMp4Index(part, size))) throw withoutIndex()
    return { size, media }
  } catch (error) {
    throw signal.aborted ? signal.reason : asDownloadFailure(error, limits.maxBytes)
  } finally {
    await part.close()
  }
}

/** Fetches the bytes from `from` to the end, and returns the size of the whole file. */
async function complete(
  part: FileHandle,
  source: Source,
  from: number,
  needs: ReceiveNeeds,
  signal: AbortSignal,
): Promise<number> {
  // An earlier attempt received the last byte, but ended before the file was moved into place.
  if (from > 0 && from === source.total) return from
  await requireSpace(needs, (source.total ?? 0) - from)
  const answer = await requestFrom(source, from, needs, signal)
  const { host, start, total, etag, lastModified } = answer
  if (start === 0) await discard(part, needs)
  await needs.onSource({ host, etag, lastModified, total })
  await requireSpace(needs, (total ?? 0) - start)
  return writeBody(part, answer, needs, signal)
}

type WriteNeeds = {
  files: MediaFiles
  /** Disk space that downloads leave free. */
  reserveBytes: number
  limits: DownloadLimits
  /** A clock that never runs backwards; it measures the speed. */
  elapsed: Clock
  onProgress: (received: number, total: number | null) => void
  /** Called after a sync: a later attempt can resume after these bytes. */
  onCheckpoint: (received: number) => void
  /**
   * Called with the size of a file that ended before its announced length; returns whether to accept it as complete.
   */
  isEnd: (size: number) => Promise<boolean>
  /** The received bytes are of no use. */
  onDiscard: () => Promise<void>
}

type Writing = {
  part: FileHandle
  answer: Answer
  needs: WriteNeeds
  /** Bytes of the file up to the end of the last chunk. */
  position: number
  checkpoint: { at: number; position: number }
  spaceCheckedAt: number
  isSniffed: boolean
}

/** Writes the body of a response into the `.part` file, and returns the size of the file. */
async function writeBody(part: FileHandle, answer: Answer, needs: WriteNeeds, signal: AbortSignal): Promise<number> {
  const { response, host, start, overlap, total } = answer
  const { elapsed, limits } = needs
  const position = start - overlap
  const checkpoint = { at: elapsed(), position }
  const writing: Writing = { part, answer, needs, position, checkpoint, spaceCheckedAt: position, isSniffed: start > 0 }
  const requirePace = createPace(elapsed, total === null ? null : total - start)
  const { maxBytes, idleMs } = limits
  const chunks = chunksOf(response, { maxBytes, idleMs, host })
  let cut: OutboundError | null = null
  for await (const chunk of untilCut(chunks, error => (cut = error))) {
    signal.throwIfAborted()
    await writeChunk(writing, chunk)
    needs.onProgress(Math.max(writing.position, start), total)
    if (writing.position !== total) requirePace(chunk.byteLength)
    await sniffEarly(writing)
    await saveIfDue(writing)
    await checkSpaceIfDue(writing)
    release(chunk)
  }
  signal.throwIfAborted()
  const size = Math.max(writing.position, start)
  await requireWhole(size, total, cut, needs)
  return size
}

/** Yields chunks up to the end of the connection, and reports one that ended too early. */
async function* untilCut(chunks: AsyncIterable<Uint8Array>, onCut: (error: OutboundError) => void) {
  try {
    yield* chunks
  } catch (error) {
    if (!(error instanceof OutboundError) || error.code !== 'unreachable') throw error
    onCut(error)
  }
}

async function writeChunk(writing: Writing, chunk: Uint8Array) {
  const { part, answer, needs, position } = writing
  const fresh = position < answer.start ? await withoutOverlap(writing, chunk) : chunk
  if (!fresh) {
    await discard(part, needs)
    throw new DownloadFailure(
      'length-mismatch',
      'The file on the host has changed. It is fetched again from the start.',
    )
  }
  await part.write(fresh, 0, fresh.byteLength, position + chunk.byteLength - fresh.byteLength)
  writing.position += chunk.byteLength
}

/** The new bytes of a chunk that begins before `start`; null when the repeated ones differ from those in the file. */
async function withoutOverlap({ part, answer, position }: Writing, chunk: Uint8Array): Promise<Uint8Array | null> {
  const length = Math.min(chunk.byteLength, answer.start - position)
  const existing = Buffer.alloc(length)
  await part.read(existing, 0, length, position)
  return existing.equals(chunk.subarray(0, length)) ? chunk.subarray(length) : null
}

/** Ends the download of a login or error page as soon as its first bytes are here. */
async function sniffEarly(writing: Writing) {
  if (writing.isSniffed || writing.position < SNIFF_BYTES) return
  await requireMedia(writing.part)
  writing.isSniffed = true
}

async function saveIfDue(writing: Writing) {
  const { part, needs, position, checkpoint } = writing
  const { checkpointBytes, checkpointMs } = needs.limits
  const isDue = position - checkpoint.position >= checkpointBytes || needs.elapsed() - checkpoint.at >= checkpointMs
  if (!isDue) return
  await part.datasync()
  needs.onCheckpoint(position)
  writing.checkpoint = { at: needs.elapsed(), position }
}

async function checkSpaceIfDue(writing: Writing) {
  const { answer, needs, position, spaceCheckedAt } = writing
  if (position - spaceCheckedAt < needs.limits.spaceCheckBytes) return
  await requireSpace(needs, (answer.total ?? 0) - position)
  writing.spaceCheckedAt = position
}

async function requireWhole(size: number, total: number | null, cut: OutboundError | null, { isEnd }: WriteNeeds) {
  const isShort = total === null ? cut !== null : size < total
  if (size > 0 && isShort && (await isEnd(size))) return
  if (cut && total === null) throw cut
  if (total !== null && size !== total)
    throw new DownloadFailure('length-mismatch', `Received ${size} of ${total} bytes`)
  if (size === 0) throw notMedia('an empty file')
}

/** Throws `disk-full` if `bytes` more would use up the reserve; a negative number counts as 0. */
async function requireSpace({ files, reserveBytes }: WriteNeeds, bytes: number) {
  const missing = Math.max(0, bytes)
  const free = await files.folder.freeBytes()
  if (free - missing >= reserveBytes) return
  throw diskFull(
    `The download needs ${megabytes(missing)} and a reserve of ${megabytes(reserveBytes)}, but ${megabytes(free)} are free. ` +
      'It resumes once there is space.',
  )
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

/** Empties the `.part` file: its bytes belong to another version of the file. */
async function discard(part: FileHandle, { onDiscard }: WriteNeeds) {
  await part.truncate(0)
  await onDiscard()
}

/** The type of the file by its first bytes. Throws `not-media`. */
async function requireMedia(part: FileHandle): Promise<MediaType> {
  const buffer = Buffer.alloc(SNIFF_BYTES)
  const { bytesRead } = await part.read(buffer, 0, SNIFF_BYTES, 0)
  const media = await sniffMedia(buffer.subarray(0, bytesRead))
  if (!media) throw notMedia('other data')
  return media
}
