import { cutTitle, MOST_NAMED, type News } from '../destinations/news'
import type { Store } from '../store'
import type { DueNotice } from '../store/announcements'

type EpisodeNews = Extract<News, { facts: { episodeCount: number } }>

/** Writes a notice as news for destinations, with the newest of its episodes by name. */
export function newsOf(store: Store, { type, isNew, podcastTitle, episodeCount, episodeIds }: DueNotice): EpisodeNews {
  const ids = (JSON.parse(episodeIds) as number[]).sort((one, other) => other - one).slice(0, MOST_NAMED)
  const rows = store.episodes.listByIds(ids).toSorted((one, other) => other.id - one.id)
  const id = rows[0]?.podcast_uuid ?? ''
  const title = cutTitle(podcastTitle)
  return {
    types: typesOf(type, isNew === 1),
    facts: {
      episodeCount,
      podcastCount: 1,
      podcasts: [{ id, title, episodeCount }],
      episodes: rows.map(row => ({ id: row.uuid, title: cutTitle(row.title), podcastId: id, podcastTitle: title })),
    },
  }
}

/** An automatic download is how a new episode arrives: those who want to hear of either hear of it once. */
function typesOf(type: DueNotice['type'], isNew: boolean): EpisodeNews['types'] {
  if (type === 'NewEpisodes') return ['newEpisodes']
  if (type === 'Download') return isNew ? ['newEpisodes', 'downloadFinished'] : ['downloadFinished']
  return isNew ? ['downloadFailed', 'newEpisodes'] : ['downloadFailed']
}
