import type { FeedCheck, Podcast, PodcastBrief, SharedPodcast } from '../../../shared/api/podcast'
import type { BriefPodcast, CheckRow, ListedPodcast, ListedRow } from '../../store/podcasts'
import { feedStateOf } from '../../library/podcasts'
import { isFolderAddress } from '../../store/feeds'
import { writeInstant, writeInstantOrNull } from '../core/instants'
import { coverLink, feedLink, type Links } from '../core/links'
import { presentTag, type TagFacts } from './tags'

/** A podcast without the fields that differ per user. */
export function presentSharedPodcast(row: ListedRow, links: Links): SharedPodcast {
  const cover = coverLink(links, 'podcasts', row.uuid, row.cover)
  return {
    ...presentShown(row),
    legacyId: null,
    directory_id: row.uuid,
    directory_name: row.folder,
    podfetch_feed: feedLink(links, row.uuid),
    rssfeed: isFolderAddress(row.feed_url) ? '' : row.feed_url,
    image_url: cover,
    original_image_url: isFolderAddress(row.image_url ?? '') ? cover : (row.image_url ?? ''),
    summary: row.summary,
    keywords: row.keywords,
    explicit: row.explicit ? 'true' : 'false',
    last_build_date: writeInstantOrNull(row.built_at),
    guid: row.guid,
    link: row.link,
    medium: row.medium,
    has_warnings: row.warnings === 1,
    has_credentials: row.has_credentials === 1,
    feed_items: row.feed_items,
    feed_unplayable: row.feed_unplayable,
  }
}

/** When the feed was checked, and when it will be; a feed that is no longer checked has no next time. */
export const presentCheck = (row: CheckRow): FeedCheck => ({
  id: row.uuid,
  last_checked_at: writeInstantOrNull(row.checked_at),
  next_check_at: row.active && !row.gone ? writeInstant(row.next_check_at) : null,
})

function presentLastError(
  row: Pick<ListedRow, 'error_code' | 'error_message' | 'error_since' | 'checked_at'>,
): SharedPodcast['last_error'] {
  if (row.error_code === null) return null
  return {
    errorCode: row.error_code,
    message: row.error_message ?? '',
    since: writeInstant(row.error_since ?? row.checked_at ?? 0),
  }
}

/** A podcast as one user has it: favourite, tags, number of unplayed episodes. */
export const presentPodcast = (row: ListedPodcast, links: Links): Podcast => ({
  ...presentSharedPodcast(row, links),
  ...presentOwn(row),
})

const presentOwn = (
  row: Pick<BriefPodcast, 'favourite' | 'tags' | 'visible_count' | 'finished_count' | 'new_count' | 'played_at'>,
) => ({
  favorites: row.favourite === 1,
  tags: (JSON.parse(row.tags) as (TagFacts & { user: string })[]).map(tag => presentTag(tag, tag.user)),
  unlistened_count: row.visible_count - row.finished_count,
  new_count: row.new_count,
  last_played_at: writeInstantOrNull(row.played_at),
})

/** A podcast as grids show it. */
export const presentBriefly = (row: BriefPodcast, links: Links): PodcastBrief => ({
  ...presentShown(row),
  image_url: row.image_url ? coverLink(links, 'podcasts', row.uuid, row.cover) : '',
  ...presentOwn(row),
})

/** The fields that grids and all other lists show. */
const presentShown = (
  row: Omit<BriefPodcast, 'favourite' | 'tags' | 'finished_count' | 'new_count' | 'played_at'>,
) => ({
  id: row.uuid,
  name: row.title,
  coverColor: row.cover_color || null,
  author: row.author,
  language: row.language,
  serial: row.serial === 1,
  active: row.active === 1,
  episode_count: row.visible_count,
  added_at: writeInstant(row.added_at),
  last_episode_at: writeInstantOrNull(row.visible_last_at),
  newest_episode_name: row.newest_title,
  downloaded_count: row.visible_files,
  downloaded_bytes: row.visible_bytes,
  feed_state: feedStateOf(row),
  feed_failures: row.failures,
  last_error: presentLastError(row),
})
