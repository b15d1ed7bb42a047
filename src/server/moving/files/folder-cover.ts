import { open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isFolderAddress } from '../../store/feeds'
import type { MovingNeeds } from '../needs'
import type { FoundFile } from './inspect-file'

const named = /^(cover|folder|front)\.(jpe?g|png|webp)$/i
const MOST_BYTES = 20 * 1024 * 1024

/**
 * Stores the cover of a podcast without a feed: the picture next to one of its files, else the one in the tags of the
 * first one, and returns its address. `here`: its absolute path in the media folder. What is no picture is left
 * out.
 */
export async function keepFolderCover(
  { store, disk }: MovingNeeds,
  episodeId: number,
  { path, media }: FoundFile,
  here: string,
): Promise<{ podcastId: number; address: string } | null> {
  const podcastId = store.episodes.find(episodeId)?.podcast_id
  const podcast = podcastId === undefined ? null : store.podcasts.find(podcastId)
  if (!podcast || !isFolderAddress(podcast.feed_url) || podcast.image_url !== null) return null
  const isFirst = store.episodes.withFilesOf(podcast.id).length === 1
  const bytes = (await readBeside(path)) ?? (isFirst ? await disk.media.pictureOf(here, media.type) : null)
  if (!bytes || bytes.byteLength > MOST_BYTES) return null
  const address = `${podcast.feed_url}/cover`
  return disk.keepCover(podcast.id, address, bytes).then(
    () => ({ podcastId: podcast.id, address }),
    () => null,
  )
}

/** Reads the picture next to a file; null where there is none. */
async function readBeside(path: string): Promise<Uint8Array | null> {
  const entries = await readdir(dirname(path), { withFileTypes: true }).catch(() => [])
  const name = entries.filter(entry => entry.isFile() && named.test(entry.name)).map(entry => entry.name)
  return name.length === 0 ? null : readWhole(join(dirname(path), name.toSorted()[0]!)).catch(() => null)
}

async function readWhole(path: string): Promise<Uint8Array | null> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    return size > MOST_BYTES ? null : await file.readFile()
  } finally {
    await file.close()
  }
}
