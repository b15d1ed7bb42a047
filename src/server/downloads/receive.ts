import { open, type FileHandle } from 'node:fs/promises'
import type { Outbound } from '../outbound/request'
import type { Clock } from '../platform/clock'
import { isMp4 } from '../../shared/media-kinds'
import { hasMp4Index } from '../media/mp4-index'
import { asDownloadFailure, withoutIndex } from './failure'
import type { MediaType } from './media-type'
import { requestFrom, type Answer, type Source } from './source'
import { discard, requireMedia, requireSpace, writeBody, type WriteNeeds } from './write-body'

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
