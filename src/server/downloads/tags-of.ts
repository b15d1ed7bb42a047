import type { Cover, Tags } from '../media/write-tags'
import type { Store } from '../store'
import type { EpisodeRow } from '../store/episodes'
import { dayOf, paddedNumber } from './formats'

/** Returns the cover of a podcast; null while it is not here. */
export type FindCover = (podcastId: number) => Promise<Cover | null>

/** The tags of an episode's file, with its number before the title where the settings ask for that. */
export async function tagsOf(
  store: Store,
  coverOf: FindCover,
  episode: EpisodeRow,
  isNumbered: boolean,
): Promise<Tags> {
  const podcast = store.podcasts.find(episode.podcast_id)!
  const place = store.episodes.placeOf(episode.podcast_id, episode)
  return {
    title: isNumbered ? `${paddedNumber(place)} ${episode.title}` : episode.title,
    album: podcast.title,
    artist: podcast.author,
    date: episode.dated ? dayOf(episode.published_at) : null,
    number: episode.number ?? place.number,
    cover: await coverOf(episode.podcast_id),
  }
}
