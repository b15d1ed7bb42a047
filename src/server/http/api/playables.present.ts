import type { EpisodeForm, LiveItem, LiveStream, Trailer } from '../../../shared/api/playables'
import { MAIN_FORM } from '../../../shared/forms'
import type { ParsedForm, ParsedLiveItem, ParsedTrailer } from '../../feeds/parse/parsed-feed'
import type { EpisodeRow } from '../../store/episodes'
import { mediaExtension } from '../../sync/addresses'
import { mediaLink, withoutUserInfo, type Links } from '../core/links'

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
