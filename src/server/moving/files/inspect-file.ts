import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { sep } from 'node:path'
import { SNIFF_BYTES, sniffMedia, type MediaType } from '../../downloads/media-type'

/** A file that may be taken: its real path, and what shows later whether it is still the same one. */
export type FoundFile = { path: string; size: number; dev: number; ino: number; media: MediaType }

/** Why a file of the source is not taken. */
export type Unfit = {
  reason: 'no-file' | 'outside-folder' | 'incomplete' | 'not-media' | 'unreadable' | 'several-files'
}

/** A pipe must not keep us waiting, nor a link lead away after the check. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * Accepts a regular file below the folder `root`, which is a real path, that has at least `size` bytes (null = unknown)
 * and begins as audio or video.
 */
export async function inspectFile(root: string, path: string, size: number | null): Promise<FoundFile | Unfit> {
  const real = await realpath(path).catch(() => null)
  if (real === null) return { reason: 'no-file' }
  if (!isBelow(root, real)) return { reason: 'outside-folder' }
  return read(real, size).catch(() => ({ reason: 'unreadable' }))
}

export const isBelow = (root: string, path: string) => path.startsWith(root.endsWith(sep) ? root : root + sep)

async function read(path: string, size: number | null): Promise<FoundFile | Unfit> {
  const file = await open(path, FLAGS)
  try {
    const found = await file.stat()
    if (!found.isFile()) return { reason: 'no-file' }
    if (size !== null && found.size < size) return { reason: 'incomplete' }
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0)
    const media = await sniffMedia(buffer.subarray(0, bytesRead))
    if (!media) return { reason: 'not-media' }
    return { path, size: found.size, dev: found.dev, ino: found.ino, media }
  } finally {
    await file.close()
  }
}
