import type { Chat, ContentLink } from '../../../../shared/api/podcast-tags'
import { element, optional, rfc822, tag } from './write-xml'

/** A trailer of the podcast; `url` plays it through this server. */
export type TrailerOut = {
  url: string
  title: string
  publishedAt: number
  type: string
  length: number
  season: number | null
}

/** Another form of an episode; `sources` are addresses on this server. */
export type FormOut = {
  type: string
  source: string
  size?: number
  bitrate?: number
  height?: number
  language?: string
  title?: string
  rel?: string
  codecs?: string
  isDefault: boolean
  integrity?: { type: string; value: string }
}

export type LiveItemOut = {
  guid: string
  title: string
  status: string
  start: string
  end?: string
  enclosure: { url: string; type: string } | null
  forms: readonly FormOut[]
  contentLinks: readonly ContentLink[]
  link: string | null
  chat: readonly Chat[]
}

export const writeTrailer = ({ url, title, publishedAt, type, length, season }: TrailerOut) =>
  tag('podcast:trailer', { url, pubdate: rfc822(publishedAt), type, length: length || null, season }, title)

export function writeForm({ source, integrity, isDefault, size, language, ...form }: FormOut): string {
  const { type, bitrate, height, title, rel, codecs } = form
  return tag(
    'podcast:alternateEnclosure',
    { type, length: size, bitrate, height, lang: language, title, rel, codecs, default: isDefault || null },
    [
      tag('podcast:source', { uri: source, contentType: type }),
      integrity?.value ? tag('podcast:integrity', integrity) : '',
    ],
  )
}

export const writeLiveItem = ({ guid, title, status, start, end, enclosure, forms, ...more }: LiveItemOut) =>
  tag('podcast:liveItem', { status, start, end }, [
    element('title', title),
    tag('guid', { isPermaLink: 'false' }, guid),
    enclosure ? tag('enclosure', { ...enclosure, length: 0 }) : '',
    ...forms.map(writeForm),
    ...more.contentLinks.map(({ href, text }) => tag('podcast:contentLink', { href }, text)),
    ...more.chat.map(room => tag('podcast:chat', room)),
    optional('link', more.link),
  ])
