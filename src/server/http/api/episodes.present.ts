import type { Episode, EpisodeWrapper, SharedEpisode } from '../../../shared/api/episode'
import { type EpisodeForUser, type EpisodeRow, hasTranscript } from '../../store/episodes'
import { isFolderAddress } from '../../store/feeds'
import { mediaExtension } from '../../sync/addresses'
import { writeInstant, writeInstantOrNull } from '../core/instants'
import { coverLink, type Links, mediaLink, withoutUserInfo } from '../core/links'
import type { EpisodeHistory, History } from '../../../shared/api/history'
import type { PlaybackRow } from '../../store/playback'
import type { DownloadRow } from '../../store/downloads'
import type { TranscriptionRow } from '../../store/transcriptions'
import type { EpisodeForm, LiveItem, LiveStream, Trailer } from '../../../shared/api/playables'
import { MAIN_FORM } from '../../../shared/forms'
import type { ParsedForm, ParsedLiveItem, ParsedTrailer } from '../../feeds/parse/parsed-feed'

/** An episode without the fields that differ per user, and without its notes. */
export function presentSharedEpisode(row: EpisodeRow, links: Links): SharedEpisode {
  const type = row.file_type ?? row.enclosure_type
  const image = row.image_url ?? row.podcast_image ?? ''
  const localImage = row.image_url
    ? coverLink(links, 'episodes', row.uuid, row.cover)
    : coverLink(links, 'podcasts', row.podcast_uuid, row.podcast_cover)
  return {
    id: row.uuid,
    legacyId: null,
    episode_id: row.eid,
    podcast_id: row.podcast_uuid,
    name: row.title,
    url: withoutUserInfo(row.enclosure_url),
    date_of_recording: writeInstant(row.published_at),
    undated: row.dated === 0,
    image_url: isFolderAddress(image) ? localImage : image,
    local_image_url: localImage,
    coverColor: row.cover_color || row.podcast_cover_color || null,
    total_time: row.duration,
    local_url: mediaLink(links, `media/${row.eid}.${mediaExtension(type)}`),
    status: row.file_path !== null,
    download_time: writeInstantOrNull(row.downloaded_at),
    guid: row.guid,
    deleted: row.removed === 1,
    episode_numbering_processed: row.numbered === 1,
    link: row.link,
    season: row.season,
    episode_number: row.number,
    episode_type: row.type,
    explicit: row.explicit === 1,
    mime_type: type,
    file_size: row.file_size ?? row.enclosure_size,
    has_chapters: row.has_own_chapters === 1 || row.chapters_url !== null,
    chapters_unread: row.chapters_unread,
    has_transcript: hasTranscript(row),
    download_state: row.download_state === 'done' ? null : row.download_state,
    superseded: row.superseded === 1,
    first_published: writeInstantOrNull(row.first_published_at),
    newer_recording: row.newer_recording === 1,
  }
}

/** An episode with its notes, and whether the user likes it. */
export const presentEpisode = (row: EpisodeForUser, links: Links): Episode => ({
  ...presentSharedEpisode(row, links),
  description: row.notes,
  favored: row.liked === 1,
  is_new: row.is_new === 1,
})

/** An episode with the user's position in it. */
export const presentEpisodeWithHistory = (row: EpisodeForUser, links: Links): EpisodeWrapper => ({
  podcastEpisode: presentEpisode(row, links),
  podcastHistoryItem: presentJoinedHistory(row),
})

/** A user's position in an episode. */
export function presentHistory(
  episode: EpisodeRow,
  played: Pick<PlaybackRow, 'started' | 'position' | 'total' | 'finished' | 'device' | 'updated_at'>,
): History {
  return {
    podcast: episode.podcast_feed,
    episode: withoutUserInfo(episode.enclosure_url),
    timestamp: writeInstant(played.updated_at),
    guid: episode.guid,
    action: 'play',
    started: played.started,
    position: played.position,
    total: played.total ?? (episode.duration || null),
    device: played.device,
    finished: played.finished === 1,
  }
}

/** The position that the query joined to an episode; null if the user never played it. */
export function presentJoinedHistory(row: EpisodeForUser): History | null {
  if (row.playback_at === null || row.playback_position === null) return null
  return presentHistory(row, {
    started: row.playback_started,
    position: row.playback_position,
    total: row.playback_total,
    finished: row.playback_finished ?? 0,
    device: row.playback_device ?? '',
    updated_at: row.playback_at,
  })
}

/** The beginning of an episode that the user never played. */
export const presentUnplayed = (episode: EpisodeRow): EpisodeHistory => ({
  podcast: episode.podcast_feed,
  episode: withoutUserInfo(episode.enclosure_url),
  timestamp: null,
  guid: episode.guid,
  action: 'new',
  started: null,
  position: 0,
  total: episode.duration || null,
  device: '',
  finished: false,
})

type WorkRow = Pick<DownloadRow & TranscriptionRow, keyof DownloadRow & keyof TranscriptionRow>

/** Converts to the API's form what the rows of downloads and transcriptions have in common. */
export const presentEpisodeWork = (row: Omit<WorkRow, 'state'>) => ({
  id: row.uuid,
  // Two ids of one episode: `episodeId` is its uuid, `episode_id` its eid, as in the wire form of an episode.
  episodeId: row.episode_uuid,
  episode_id: row.eid,
  podcastId: row.podcast_uuid,
  episodeName: row.episode_title,
  podcastName: row.podcast_title,
  attempts: row.attempts,
  errorCode: row.error_code,
  nextAttemptAt: writeInstantOrNull(row.next_attempt_at),
  createdAt: writeInstant(row.created_at),
  startedAt: writeInstantOrNull(row.started_at),
  automatic: row.automatic === 1,
})

/** The other forms of an episode, as listeners choose among them; absent if there are none. */
export function presentForms(row: EpisodeRow, forms: readonly ParsedForm[], links: Links): { forms?: EpisodeForm[] } {
  if (forms.length === 0) return {}
  return {
    forms: forms.map(form => ({
      ...factsOf(form),
      id: form.id,
      isDefault: form.isDefault,
      ...(form.rel && { rel: form.rel }),
      ...(form.size && { size: form.size }),
      ...(form.codecs && { codecs: form.codecs }),
      ...(form.integrity && { integrity: form.integrity.type }),
      local_url: formLink(row.eid, form, links),
      isFile: row.file_path !== null && row.file_form === form.id,
    })),
  }
}

/** The address that plays a form of an episode through this server. */
export const formLink = (eid: string, { id, type }: ParsedForm, links: Links): string =>
  mediaLink(links, `media/${eid}.${mediaExtension(type)}?form=${id}`)

const factsOf = ({ type, title, language, bitrate, height }: ParsedForm) => ({
  type,
  ...(title && { title }),
  ...(language && { language }),
  ...(bitrate && { bitrate }),
  ...(height && { height }),
})

/** The trailers of a podcast; `eids`: its episodes by their address. */
export const presentTrailers = (
  trailers: readonly ParsedTrailer[] | undefined,
  eids: ReadonlyMap<string, string>,
): { trailers?: Trailer[] } =>
  trailers
    ? {
        trailers: trailers.map(trailer => ({
          ...trailer,
          url: withoutUserInfo(trailer.url),
          episode: eids.get(trailer.url) ?? null,
        })),
      }
    : {}

/** The live items of a podcast, with the addresses of their streams on this server. */
export const presentLiveItems = (
  items: readonly ParsedLiveItem[] | undefined,
  podcastId: string,
  links: Links,
): { live?: LiveItem[] } =>
  items
    ? {
        live: items.map((item, index) => ({
          ...withoutPasswords(item),
          streams: streamsOf(items[index]!, podcastId, links),
        })),
      }
    : {}

/** A live item without its streams, and without passwords in the addresses of its pages. */
function withoutPasswords({ enclosure: _, forms: __, url, contentLinks, ...item }: ParsedLiveItem) {
  return {
    ...item,
    ...(url && { url: withoutUserInfo(url) }),
    ...(contentLinks && { contentLinks: linksOf(contentLinks) }),
  }
}

export const linksOf = (links: NonNullable<ParsedLiveItem['contentLinks']>) =>
  links.map(({ href, ...link }) => ({ ...link, href: withoutUserInfo(href) }))

/** A playlist of HLS or DASH names further addresses, which would not go through this server: it is only linked. */
const isStream = (type: string) => /^(audio|video)\/(?!.*mpegurl)/.test(type)

/** The streams of a live item that this server relays, by the `form` that their address has. */
export function liveStreams({ enclosure, forms = [] }: ParsedLiveItem): { form: string; url: string; type: string }[] {
  const main = enclosure ? [{ form: MAIN_FORM, ...enclosure }] : []
  const others = forms.map(({ id, type, sources }) => ({ form: id, url: sources[0]!.url, type }))
  const seen = new Set<string>()
  return [...main, ...others].filter(({ url, type }) => isStream(type) && !seen.has(url) && seen.add(url))
}

function streamsOf(item: ParsedLiveItem, podcastId: string, links: Links): LiveStream[] {
  return liveStreams(item).map(({ form, type }) => {
    const facts = item.forms?.find(({ id }) => id === form)
    return {
      ...(facts && factsOf(facts)),
      type,
      local_url: mediaLink(links, `media/live/${podcastId}/${item.id}?form=${form}`),
    }
  })
}
