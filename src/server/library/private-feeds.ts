import type { ParsedFeed } from '../feeds/parse/parsed-feed'
import type { Store } from '../store'
import type { DocumentRow } from '../store/documents'
import { hasTranscript, type EpisodeForUser } from '../store/episodes'
import type { PlaylistRow } from '../store/playlists'
import type { ListedPodcast } from '../store/podcasts'
import type { TagRow } from '../store/tags'
import type { Viewer } from '../store/visibility'

import type { Playlists } from './playlists'

/** The longest page that is read from the timeline. */
const MAX_EPISODES = 5000
/** Podcast directories don't read more categories. */
const MAX_CATEGORIES = 3

/** The episodes that an app asks for; `top` limits them to the newest of each podcast. */
export type FeedQuery = { limit?: number | undefined; top?: number | undefined; downloadedOnly: boolean }

export type FeedEpisode = {
  row: EpisodeForUser
  /** Unique within the feed. */
  guid: string
  transcripts: readonly DocumentRow[]
  podcast: ListedPodcast | null
}

/** Episodes of several podcasts, newest first, or in the order of a playlist. */
export type CombinedFeed = {
  episodes: FeedEpisode[]
  categories: string[][]
  /** As most of its podcasts name it; null = none does. */
  language: string | null
  isExplicit: boolean
}

/** The contents of private feeds, with which any podcast app can play the library. */
export const createPrivateFeeds = ({
  store,
  playlists,
}: {
  store: Store
  playlists: Pick<Playlists, 'episodesOf'>
}) => ({
  everything(viewer: Viewer, { limit = 500, top, downloadedOnly }: FeedQuery): CombinedFeed {
    const filter = { ...noFilter, downloadedOnly }
    // The newest episodes of busy podcasts crowd out those of others, so more are read.
    const newest = store.timeline.pageFor(viewer, filter, top ? MAX_EPISODES : Math.min(limit, MAX_EPISODES))
    return combine(store, viewer, top ? newestPerPodcast(newest, top).slice(0, limit) : newest)
  },

  favourites(viewer: Viewer, { limit = 500, downloadedOnly }: FeedQuery): CombinedFeed {
    const filter = { ...noFilter, favouritesOnly: true, downloadedOnly }
    return combine(store, viewer, store.timeline.pageFor(viewer, filter, Math.min(limit, MAX_EPISODES)))
  },

  ofTag(viewer: Viewer, tag: TagRow, { limit = 500, downloadedOnly }: FeedQuery): CombinedFeed {
    const filter = { ...noFilter, tagId: tag.id, downloadedOnly }
    return combine(store, viewer, store.timeline.pageFor(viewer, filter, Math.min(limit, MAX_EPISODES)))
  },

  ofPlaylist(viewer: Viewer, playlist: PlaylistRow, { limit, downloadedOnly }: FeedQuery): CombinedFeed {
    const rows = playlists.episodesOf(viewer, playlist)
    return combine(store, viewer, rows.filter(row => !downloadedOnly || row.file_path !== null).slice(0, limit))
  },

  ofPodcast(viewer: Viewer, podcast: ListedPodcast, { limit = 1000, downloadedOnly }: FeedQuery): FeedEpisode[] {
    const rows = store.episodes.pageFor(viewer, podcast.id, { downloaded: downloadedOnly }, limit)
    return withTranscripts(store, rows).map(found => ({ ...found, guid: found.row.guid, podcast }))
  },
})

const noFilter = { favouritesOnly: false, likedOnly: false, unplayedOnly: false }

/** Facts from the publisher's feed that have no column. */
export const extrasOf = ({ extras }: Pick<ListedPodcast, 'extras'>) =>
  JSON.parse(extras) as Partial<ParsedFeed['extras']>

/** Joins episodes of several podcasts. A guid that several of them use is prefixed with that of its podcast. */
function combine(store: Store, viewer: Viewer, rows: readonly EpisodeForUser[]): CombinedFeed {
  const ids = [...new Set(rows.map(row => row.podcast_id))]
  const podcasts = new Map(store.podcasts.listed(viewer, ids).map(row => [row.id, row]))
  const uses = new Map<string, number>()
  for (const { guid } of rows) uses.set(guid, (uses.get(guid) ?? 0) + 1)
  return {
    episodes: withTranscripts(store, rows).map(found => {
      const { guid, podcast_id, podcast_uuid } = found.row
      const podcast = podcasts.get(podcast_id) ?? null
      return { ...found, podcast, guid: uses.get(guid)! > 1 ? `${podcast?.guid ?? podcast_uuid}:${guid}` : guid }
    }),
    categories: topCategories(ids.flatMap(id => podcasts.get(id) ?? [])),
    language: mostCommon(ids.flatMap(id => languageOf(podcasts.get(id)?.language ?? null) ?? [])),
    isExplicit: rows.some(row => row.explicit === 1),
  }
}

/** Leaves out episodes that can no longer be fetched: an app would try them again and again. */
function withTranscripts(store: Store, all: readonly EpisodeForUser[]) {
  const rows = all.filter(row => row.superseded === 0 || row.file_path !== null)
  const transcripts = store.documents.transcriptsOf(rows.filter(hasTranscript).map(row => row.id))
  return rows.map(row => ({ row, transcripts: transcripts.get(row.id) ?? [] }))
}

/** The language that a publisher names, as RFC 5646 has it, such as de or pt-BR; null for `English` and the like. */
export function languageOf(published: string | null): string | null {
  const code = published?.trim().replaceAll('_', '-') ?? ''
  return /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(code) ? code : null
}

function mostCommon(names: readonly string[]): string | null {
  const groups = [...Map.groupBy(names, name => name.toLowerCase()).values()]
  return groups.toSorted((a, b) => b.length - a.length)[0]?.[0] ?? null
}

function topCategories(podcasts: readonly ListedPodcast[]): string[][] {
  const names = podcasts.flatMap(podcast => (extrasOf(podcast).categories ?? []).flatMap(([name]) => name ?? []))
  return [...new Set(names)].slice(0, MAX_CATEGORIES).map(name => [name])
}

function newestPerPodcast(rows: readonly EpisodeForUser[], most: number): EpisodeForUser[] {
  const counts = new Map<number, number>()
  return rows.filter(({ podcast_id }) => {
    const count = (counts.get(podcast_id) ?? 0) + 1
    counts.set(podcast_id, count)
    return count <= most
  })
}
