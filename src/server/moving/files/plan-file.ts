import { realpath } from 'node:fs/promises'
import { relative, sep } from 'node:path'
import { findEpisode, leftOut, present, type Batch, type Outcome } from '../apply/batch'
import { findOrMake } from '../apply/make-episode'
import type { FileItem } from '../item'
import type { MovingNeeds } from '../needs'
import { isBelow, type FoundFile } from './inspect-file'

/** The place of a file: below the media folder, by a name of ours or, if it is there already, by its own. */
export type Plan = { episodeId: number; eid: string; path: string; isThere: boolean }

/** The outcome of a file that need not be looked for. */
export function outcomeBefore(batch: Batch, { episode }: FileItem): Outcome | null {
  const found = findEpisode(batch, episode)
  if ('reason' in found) return found.reason === 'not-in-the-feed' ? null : leftOut(found.reason)
  const { file_path, removed } = batch.store.episodes.find(found.episodeId)!
  if (file_path !== null) return present
  // A folder is brought by hand, and its files come from nowhere else.
  return removed === 1 && batch.move.source !== 'folder' ? leftOut('deleted-here') : null
}

/** The path of a file that is in the media folder already; null elsewhere. */
export async function pathInMedia({ disk: { files } }: MovingNeeds, { path }: FoundFile) {
  const root = await realpath(files.root).catch(() => null)
  if (root === null || !isBelow(root, path)) return null
  const own = relative(root, path).split(sep)
  return { path: own.join('/'), isHidden: own.some(part => part.startsWith('.')) }
}

/** Finds or makes the episode, and chooses the name of its file. */
export function makePlan(
  { disk: { names, files, forgotten } }: MovingNeeds,
  batch: Batch,
  item: FileItem,
  { media }: FoundFile,
  own: string | null,
): Plan | { outcome: Outcome } {
  const { store } = batch
  const isUsed = (path: string) => store.episodes.isFileTaken(path) || store.downloads.isTarget(path)
  if (own !== null && isUsed(own)) return { outcome: leftOut('of-another-episode') }
  const found = findOrMake(batch, item.episode)
  if ('reason' in found) return { outcome: leftOut(found.reason) }
  const episode = store.episodes.find(found.episodeId)!
  const { id: episodeId, eid } = episode
  if (own !== null) return { episodeId, eid, path: own, isThere: true }
  const podcast = store.podcasts.find(found.podcastId)!
  const path = names.pathFor(
    episode,
    podcast,
    media.extension,
    name => isUsed(name) || store.keptFiles.has(name) || files.exists(name),
  )
  forgotten.note({ storage: 'folder', path })
  return { episodeId, eid, path, isThere: false }
}
