import type { Naming } from '../../shared/api/settings'
import type { Store } from '../store'
import type { EpisodeRow } from '../store/episodes'
import { isAscii, withoutCase } from '../store/file-place'
import { effectiveNaming } from '../store/podcast-settings'
import type { PodcastRow } from '../store/podcasts'
import { episodeValues, fill, podcastValues } from './formats'
import { firstFree, safeSegment } from './naming'

type NewPodcast = Parameters<typeof podcastValues>[0]
type Named = Pick<
  EpisodeRow,
  'id' | 'eid' | 'podcast_id' | 'title' | 'notes' | 'published_at' | 'duration' | 'guid' | 'enclosure_url'
>

/**
 * Names the folders of podcasts and the files of episodes by the settings; every path is relative to the media folder.
 */
export function createNames({ store }: { store: Store }) {
  const namingOf = (podcastId: number): Naming =>
    effectiveNaming(store.podcastSettings.of(podcastId), store.settings.current())

  /** The folder that the format gives a podcast, with a number where another podcast has that name. */
  const folderFor = (podcast: NewPodcast, naming: Naming, isTaken: (folder: string) => boolean) =>
    firstFree(
      safeSegment(fill(naming.podcastFormat, 'podcast', podcastValues(podcast)), 'podcast', naming),
      '',
      isTaken,
    )

  function nameOf(episode: Named, naming: Naming): string {
    const existing = naming.useExistingFilename ? fileNameOf(episode.enclosure_url) : ''
    if (existing !== '') return safeSegment(existing, episode.eid, naming)
    const place = naming.episodeFormat.includes('episodeNumber')
      ? store.episodes.placeOf(episode.podcast_id, episode)
      : { number: 1, count: 1 }
    return safeSegment(fill(naming.episodeFormat, 'episode', episodeValues(episode, place)), episode.eid, naming)
  }

  /** The first free path for a file name; each episode gets its own folder unless the paths are direct. */
  function freePath(
    folder: string,
    name: string,
    extension: string,
    isDirect: boolean,
    isTaken: (path: string) => boolean,
  ) {
    const pathOf = (file: string) =>
      isDirect ? `${folder}/${file}` : `${folder}/${file.slice(0, -extension.length)}/${file}`
    return pathOf(firstFree(name, extension, candidate => isTaken(pathOf(candidate))))
  }

  return {
    namingOf,
    folderFor,
    /** A folder for a podcast that is about to be added, which no other podcast has. */
    newFolderFor: (podcast: NewPodcast) =>
      folderFor(podcast, store.settings.current(), folder => isFolderTaken(store, folder)),
    /** The path where an episode's file belongs; `isTaken`: whether another file has a path. */
    pathFor(
      episode: Named,
      { folder }: Pick<PodcastRow, 'folder'>,
      extension: string,
      isTaken: (path: string) => boolean,
      naming = namingOf(episode.podcast_id),
    ): string {
      return freePath(folder, nameOf(episode, naming), extension, naming.directPaths, isTaken)
    },
  }
}
export type Names = ReturnType<typeof createNames>

function isFolderTaken({ podcasts }: Store, folder: string): boolean {
  if (podcasts.isFolderTaken(folder)) return true
  return !isAscii(folder) && podcasts.allWithFolders().some(other => withoutCase(other.folder) === withoutCase(folder))
}

/** The last segment of an address, decoded, without its extension; empty when there is none. */
function fileNameOf(address: string): string {
  const last = URL.parse(address)?.pathname.split('/').pop() ?? ''
  try {
    return decodeURIComponent(last).replace(/\.\w{1,5}$/, '')
  } catch {
    return last.replace(/\.\w{1,5}$/, '')
  }
}
