import type { ParsedForm, ParsedLiveItem } from '../../../feeds/parsed-feed'
import type { EpisodeForUser } from '../../../store/episodes'
import { formsOfEpisode } from '../../../feeds/stored-forms'
import { privateMedia } from '../../../sync/private-addresses'
import { formLink, liveStreams } from '../../api/playables.present'
import { mediaLink, type Links } from '../../core/links'
import type { FormOut, LiveItemOut, TrailerOut } from './write-playables'

/** The other forms of an episode, by addresses on this server that carry a key. */
export const presentForms = (row: EpisodeForUser, links: Links): FormOut[] =>
  formsOfEpisode(row).map(form => ({ ...formFacts(form), source: formLink(row.eid, form, links) }))

const formFacts = ({ id: _, sources: __, ...form }: ParsedForm) => form

/** A trailer as an element of the channel: it is an item, too. */
export function presentTrailer(row: EpisodeForUser, links: Links): TrailerOut {
  const type = row.file_type ?? row.enclosure_type ?? 'audio/mpeg'
  return {
    url: privateMedia(links.base, links.feedKey, row.eid, type),
    title: row.title,
    publishedAt: row.published_at,
    type,
    length: row.file_size ?? row.enclosure_size ?? 0,
    season: row.season,
  }
}

/** A live item; streams that this server doesn't relay keep their address. */
export function presentLiveItem(item: ParsedLiveItem, podcastId: string, links: Links): LiveItemOut {
  const { guid, title, status, start, end, enclosure, forms = [] } = item
  const relayed = new Set(liveStreams(item).map(({ form }) => form))
  const address = (form: string) => mediaLink(links, `media/live/${podcastId}/${item.id}?form=${form}`)
  return {
    guid,
    title,
    status,
    start,
    ...(end && { end }),
    enclosure: enclosure ? { url: relayed.has('main') ? address('main') : enclosure.url, type: enclosure.type } : null,
    forms: forms.map(form => ({
      ...formFacts(form),
      source: relayed.has(form.id) ? address(form.id) : form.sources[0]!.url,
    })),
    contentLinks: item.contentLinks ?? [],
    link: item.url ?? null,
    chat: item.chat ?? [],
  }
}
