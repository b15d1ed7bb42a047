import { extname } from 'node:path'
import type { Naming } from '../../shared/api/settings'
import type { Store } from '../store'
import type { Names } from './names'

type Needs = { store: Store; names: Names }

/** The file of an episode, and where it belongs; both relative to the media folder. */
export type Rename = { episodeId: number; from: string; to: string }
/** Files to move, and podcasts whose folder gets another name. */
type RenamePlan = { renames: Rename[]; folders: { podcastId: number; folder: string }[] }

/** Computes what a rename run would move where, by the naming settings as they are now. */
export function planRenames(needs: Needs): RenamePlan {
  const plan: RenamePlan = { renames: [], folders: [] }
  // Compared without case: on some disks, names that differ in case only are one file.
  const folders = new Set<string>()
  const paths = new Set<string>()
  for (const podcast of needs.store.podcasts.allWithFolders()) {
    const naming = needs.names.namingOf(podcast.id)
    const folder = needs.names.folderFor(podcast, naming, candidate => folders.has(candidate.toLowerCase()))
    folders.add(folder.toLowerCase())
    if (folder !== podcast.folder) plan.folders.push({ podcastId: podcast.id, folder })
    plan.renames.push(...planPodcast(needs, podcast.id, folder, naming, paths))
  }
  return plan
}

/** Adds the target of each file of a podcast to `taken`. */
function planPodcast({ store, names }: Needs, podcastId: number, folder: string, naming: Naming, taken: Set<string>) {
  const renames: Rename[] = []
  for (const episode of store.episodes.withFilesOf(podcastId)) {
    const from = episode.file_path!
    const isTaken = (path: string) => taken.has(path.toLowerCase())
    const to = names.pathFor(episode, { folder }, extname(from), isTaken, naming)
    taken.add(to.toLowerCase())
    if (to !== from) renames.push({ episodeId: episode.id, from, to })
  }
  return renames
}
