import type { FeedPreview, ItunesResult, PodindexFeed } from '../../../../../shared/api/directory'
import type { CataloguePodcast } from '../../../../store/catalogue'
import type { EpisodeOut } from './episode'
import { presentMetadata } from './library'

/** A podcast that a directory found. */
export const presentItunes = (found: Omit<ItunesResult, 'subscribed' | 'podcastId'>) => ({
  id: found.collectionId,
  artistId: null,
  title: found.trackName,
  artistName: found.artistName,
  description: '',
  descriptionPlain: '',
  releaseDate: found.releaseDate ?? '',
  genres: found.genres,
  cover: found.artworkUrl600 ?? found.artworkUrl100 ?? null,
  trackCount: found.trackCount ?? 0,
  feedUrl: found.feedUrl ?? null,
  pageUrl: found.trackViewUrl ?? null,
  explicit: false,
})

export const presentPodindex = (found: Omit<PodindexFeed, 'subscribed' | 'podcastId'>) => ({
  id: found.id,
  artistId: null,
  title: found.title,
  artistName: found.author ?? '',
  description: found.description ?? '',
  descriptionPlain: found.description ?? '',
  releaseDate: '',
  genres: Object.values(found.categories),
  cover: found.artwork ?? found.image ?? null,
  trackCount: 0,
  feedUrl: found.url,
  pageUrl: found.link ?? null,
  explicit: found.explicit,
})

/** The description of a feed; whether it is explicit is a text here. */
const metadataOf = (said: Said) => ({
  title: said.title,
  author: said.author ?? '',
  description: said.description ?? '',
  descriptionPlain: said.description ?? '',
  image: said.image ?? '',
  categories: said.categories,
  feedUrl: said.feedUrl,
  language: said.language ?? '',
  explicit: String(said.explicit),
  type: said.type,
  pubDate: said.pubDate,
  link: '',
})
type Said = {
  title: string
  author: string | null
  description: string | null
  image: string | null
  categories: readonly string[]
  feedUrl: string | null
  language: string | null
  explicit: boolean
  type: string
  pubDate: string
}

/** A feed that was read to be looked at, with the newest episode alone. */
export const presentPreview = (seen: Omit<FeedPreview, 'downloads'>) => ({
  metadata: metadataOf({
    ...seen,
    description: seen.summary,
    image: seen.imageUrl,
    categories: [],
    type: 'episodic',
    pubDate: seen.newest?.publishedAt ?? '',
  }),
  episodes: seen.newest ? [presentNewest(seen.newest)] : [],
  numEpisodes: seen.episodes,
})

const presentNewest = ({ name, publishedAt, duration }: NonNullable<FeedPreview['newest']>) => ({
  title: name,
  subtitle: '',
  description: '',
  descriptionPlain: '',
  pubDate: publishedAt === null ? '' : new Date(publishedAt).toUTCString(),
  episodeType: 'full',
  season: '',
  episode: '',
  author: '',
  duration: clock(duration ?? 0),
  durationSeconds: duration ?? 0,
  explicit: 'false',
  publishedAt: publishedAt === null ? null : Date.parse(publishedAt),
  enclosure: { url: '', length: '0', type: '' },
  guid: '',
  chapters: [],
})

/** The feed of a podcast in the library, with some of its episodes. */
export function presentKnownFeed(row: CataloguePodcast, episodes: readonly EpisodeOut[]) {
  const { genres, imageUrl, releaseDate, ...metadata } = presentMetadata(row)
  return {
    metadata: metadataOf({ ...metadata, image: imageUrl, categories: genres, pubDate: releaseDate ?? '' }),
    episodes: episodes.map(presentFeedEpisode),
    numEpisodes: row.visible_count,
  }
}

/** An episode as its feed lists it. */
export const presentFeedEpisode = (episode: EpisodeOut) => ({
  title: episode.title,
  subtitle: episode.subtitle,
  description: episode.description,
  descriptionPlain: episode.subtitle,
  pubDate: episode.pubDate,
  episodeType: episode.episodeType,
  season: episode.season,
  episode: episode.episode,
  author: '',
  duration: clock(episode.audioFile.duration),
  durationSeconds: Math.round(episode.audioFile.duration),
  explicit: 'false',
  publishedAt: episode.publishedAt,
  enclosure: episode.enclosure ?? { url: '', length: '0', type: episode.audioFile.mimeType },
  guid: episode.guid,
  chapters: episode.chapters,
})

/** Seconds as hours, minutes and seconds. */
function clock(seconds: number): string {
  const whole = Math.round(seconds)
  return [whole / 3600, (whole / 60) % 60, whole % 60].map(part => String(Math.floor(part)).padStart(2, '0')).join(':')
}
