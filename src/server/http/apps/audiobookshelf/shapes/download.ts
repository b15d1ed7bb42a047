import type { CatalogueEpisode, CataloguePodcast } from '../../../../store/catalogue'
import type { DownloadRow } from '../../../../store/downloads'

type Shown = {
  row: Pick<DownloadRow, 'uuid' | 'state' | 'started_at' | 'created_at' | 'finished_at'>
  episode: CatalogueEpisode
  podcast: CataloguePodcast
  libraryId: string
}

/** The download of an episode. */
export const presentDownload = ({ row, episode, podcast, libraryId }: Shown) => ({
  id: row.uuid,
  episodeDisplayTitle: episode.title,
  // It may be the secret of the subscriber.
  url: '',
  libraryItemId: podcast.uuid,
  libraryId,
  isFinished: row.state === 'done',
  failed: row.state === 'failed',
  startedAt: row.started_at,
  createdAt: row.created_at,
  finishedAt: row.finished_at,
  podcastTitle: podcast.title,
  podcastExplicit: podcast.explicit === 1,
  season: episode.season === null ? '' : String(episode.season),
  episode: episode.number === null ? '' : String(episode.number),
  episodeType: episode.type,
  publishedAt: episode.published_at,
})
