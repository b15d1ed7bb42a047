import { escapeText } from 'entities/escape'
import type { EpisodeExtras } from '../../../../shared/api/episode'
import type { PodcastExtras } from '../../../../shared/api/podcast'
import type {
  Chat,
  CommonTags,
  ContentLink,
  Person,
  RemoteItem,
  Value,
  ValueRecipient,
} from '../../../../shared/api/podcast-tags'

/** The contents of a feed. */
export type FeedOut = {
  title: string
  link: string
  self: string
  description: string
  language: string
  /** Whether directories are asked not to list it, and whether other services may not take it over. */
  isBlocked: boolean
  isLocked: boolean
  author: string | null
  /** Whether episodes are meant to be played in order, from the first on. */
  serial: boolean
  /** Each category with its subcategories. */
  categories: readonly (readonly string[])[]
  owner: { name: string | null; email: string | null } | null
  image: string | null
  explicit: boolean
  guid: string | null
  medium: string | null
  extras: Partial<PodcastExtras>
  trailers?: readonly TrailerOut[]
  live?: readonly LiveItemOut[]
  items: readonly ItemOut[]
}

export type ItemOut = {
  guid: string
  title: string
  link: string
  /** Sanitised HTML. */
  notes: string
  author: string | null
  publishedAt: number
  enclosure: { url: string; length: number; type: string }
  /** Seconds; 0 = unknown. */
  duration: number
  image: string | null
  explicit: boolean
  season: number | null
  number: number | null
  type: string
  extras: Partial<EpisodeExtras>
  chapters: string | null
  transcripts: readonly { url: string; type: string; language: string | null; isCaptions: boolean }[]
  forms: readonly FormOut[]
  /** The podcast of the episode, in a feed of several podcasts. */
  source: { title: string; url: string } | null
}

/** Writes RSS 2.0 with the namespaces of iTunes and Podcasting 2.0. */
export function writeFeed(feed: FeedOut): string {
  const { title, link, self, description, author, serial, categories, owner, image, explicit } = feed
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:podcast="https://podcastindex.org/namespace/1.0">
<channel>
${element('title', title)}
${element('link', link)}
<atom:link rel="self" type="application/rss+xml" href="${xml(self)}"/>
${element('description', description || title)}
${element('language', feed.language)}
${feed.items.length > 0 ? element('lastBuildDate', rfc822(newestOf(feed.items))) : ''}
${optional('itunes:author', author)}
${element('itunes:type', serial ? 'serial' : 'episodic')}
${categories.map(writeCategory).join('\n')}
${owner ? `<itunes:owner>\n${optional('itunes:name', owner.name)}\n${optional('itunes:email', owner.email)}\n</itunes:owner>` : ''}
${element('itunes:explicit', String(explicit))}
${feed.isBlocked ? '<itunes:block>yes</itunes:block>' : ''}
${image ? `<itunes:image href="${xml(image)}"/>\n<image><url>${xml(image)}</url><title>${xml(title)}</title><link>${xml(link)}</link></image>\n<podcast:image href="${xml(image)}"/>` : ''}
${optional('podcast:guid', feed.guid)}
${writeChannelTags(feed)}
${(feed.trailers ?? []).map(writeTrailer).join('\n')}
${(feed.live ?? []).map(writeLiveItem).join('\n')}
${feed.items.map(writeItem).join('\n')}
</channel>
</rss>
`.replace(/\n{2,}/g, '\n')
}

/** When the newest item was published, in milliseconds; 0 = there is none. */
export const newestOf = (items: readonly ItemOut[]) =>
  items.reduce((latest, { publishedAt }) => Math.max(latest, publishedAt), 0)

function writeItem(item: ItemOut): string {
  const { enclosure, source } = item
  const author = item.author ?? source?.title ?? null
  return `<item>
${element('title', item.title)}
<guid isPermaLink="false">${xml(item.guid)}</guid>
${element('link', item.link)}
${element('pubDate', rfc822(item.publishedAt))}
<enclosure url="${xml(enclosure.url)}" length="${enclosure.length}" type="${xml(enclosure.type)}"/>
${element('description', item.notes)}
<content:encoded>${xml(item.notes)}</content:encoded>
${item.duration > 0 ? element('itunes:duration', String(item.duration)) : ''}
${item.image ? `<itunes:image href="${xml(item.image)}"/>\n<podcast:image href="${xml(item.image)}"/>` : ''}
${element('itunes:explicit', String(item.explicit))}
${item.season !== null ? element('itunes:season', String(item.season)) : ''}
${item.number !== null ? element('itunes:episode', String(item.number)) : ''}
${element('itunes:episodeType', item.type)}
${writeItemTags(item.extras, item)}
${item.chapters ? `<podcast:chapters url="${xml(item.chapters)}" type="application/json+chapters"/>` : ''}
${item.transcripts.map(writeTranscript).join('\n')}
${item.forms.map(writeForm).join('\n')}
${source ? `<source url="${xml(source.url)}">${xml(source.title)}</source>` : ''}
${optional('itunes:author', author)}
</item>`
}

const writeCategory = ([name = '', ...below]: readonly string[]) => {
  const inner = below.map(other => `<itunes:category text="${xml(other)}"/>`).join('\n')
  return inner
    ? `<itunes:category text="${xml(name)}">\n${inner}\n</itunes:category>`
    : `<itunes:category text="${xml(name)}"/>`
}

const writeTranscript = ({ url, type, language, isCaptions }: ItemOut['transcripts'][number]) =>
  `<podcast:transcript url="${xml(url)}" type="${xml(type)}"${language ? ` language="${xml(language)}"` : ''}${isCaptions ? ' rel="captions"' : ''}/>`

// The tags of the podcast namespace that a publisher's feed has, for a private feed of it.

type Tags = CommonTags & { persons?: readonly Person[] }

/** Writes what a channel says of itself. */
function writeChannelTags({ extras, medium, isBlocked, isLocked }: FeedOut): string {
  const { funding = [], podroll = [], publisher, updateFrequency, locked, block = [] } = extras
  return lines([
    medium ? tag('podcast:medium', {}, medium) : '',
    isBlocked ? writeBlocks(block) : '',
    tag('podcast:locked', { owner: locked?.owner }, isLocked ? 'yes' : 'no'),
    ...funding.map(({ url, text }) => tag('podcast:funding', { url }, text)),
    ...writeCommonTags(extras),
    podroll.length > 0 ? tag('podcast:podroll', {}, podroll.map(writeRemoteItem)) : '',
    publisher ? tag('podcast:publisher', {}, [writeRemoteItem(publisher)]) : '',
    updateFrequency ? writeUpdateFrequency(updateFrequency) : '',
  ])
}

/** Writes what an item says of itself, its season and number included. */
function writeItemTags(
  extras: Partial<EpisodeExtras>,
  { season, number }: { season: number | null; number: number | null },
): string {
  const { soundbites = [], seasonName, episodeDisplay } = extras
  return lines([
    season === null ? '' : tag('podcast:season', { name: seasonName }, String(season)),
    number === null ? '' : tag('podcast:episode', { display: episodeDisplay }, String(number)),
    ...soundbites.map(({ title, ...times }) => tag('podcast:soundbite', times, title)),
    ...writeCommonTags(extras),
  ])
}

const lines = (written: readonly string[]) => written.filter(Boolean).join('\n')

/** Asks all services, and again by name those that the publisher names: some read only their own. */
const writeBlocks = (blocks: NonNullable<PodcastExtras['block']>) =>
  lines([
    tag('podcast:block', {}, 'yes'),
    ...blocks.flatMap(({ id, block }) => (id && block ? [tag('podcast:block', { id }, 'yes')] : [])),
  ])

const writeUpdateFrequency = ({ text, ...attributes }: NonNullable<PodcastExtras['updateFrequency']>) =>
  tag('podcast:updateFrequency', attributes, text)

function writeCommonTags(tags: Tags): string[] {
  const { persons = [], locations = [], value, social = [], license, txt = [], chat = [], contentLinks = [] } = tags
  return [
    ...persons.map(({ name, ...attributes }) => tag('podcast:person', attributes, name)),
    ...locations.map(({ name, ...attributes }) => tag('podcast:location', attributes, name)),
    ...social.map((place, index) => tag('podcast:socialInteract', { ...place, priority: index + 1 })),
    license ? tag('podcast:license', { url: license.url }, license.name) : '',
    ...txt.map(({ purpose, text }) => tag('podcast:txt', { purpose }, text)),
    ...chat.map(room => tag('podcast:chat', room)),
    ...contentLinks.map(({ href, text }) => tag('podcast:contentLink', { href }, text)),
    value ? writeValue(value) : '',
  ]
}

const writeRemoteItem = (item: RemoteItem) => tag('podcast:remoteItem', item)
const writeRecipient = (recipient: ValueRecipient) => tag('podcast:valueRecipient', recipient)

const writeValue = ({ recipients, timeSplits = [], ...attributes }: Value) =>
  tag('podcast:value', attributes, [
    ...recipients.map(writeRecipient),
    ...timeSplits.map(({ recipients: others, remoteItem, ...times }) =>
      tag('podcast:valueTimeSplit', times, [
        ...(remoteItem ? [writeRemoteItem(remoteItem)] : []),
        ...others.map(writeRecipient),
      ]),
    ),
  ])

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

const writeTrailer = ({ url, title, publishedAt, type, length, season }: TrailerOut) =>
  tag('podcast:trailer', { url, pubdate: rfc822(publishedAt), type, length: length || null, season }, title)

function writeForm({ source, integrity, isDefault, size, language, ...form }: FormOut): string {
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

const writeLiveItem = ({ guid, title, status, start, end, enclosure, forms, ...more }: LiveItemOut) =>
  tag('podcast:liveItem', { status, start, end }, [
    element('title', title),
    tag('guid', { isPermaLink: 'false' }, guid),
    enclosure ? tag('enclosure', { ...enclosure, length: 0 }) : '',
    ...forms.map(writeForm),
    ...more.contentLinks.map(({ href, text }) => tag('podcast:contentLink', { href }, text)),
    ...more.chat.map(room => tag('podcast:chat', room)),
    optional('link', more.link),
  ])

/** Escapes text, without characters that XML cannot contain; a lone surrogate becomes a replacement character. */
const xml = (text: string) =>
  escapeText(text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ''))
    .replaceAll('"', '&quot;')
    .replaceAll('&nbsp;', '&#160;')

const element = (name: string, text: string) => `<${name}>${xml(text)}</${name}>`
/** Writes a date like `Sun, 01 Mar 2026 05:00:00 +0000`. */
const rfc822 = (at: number) => new Date(at).toUTCString().replace('GMT', '+0000')

const optional = (name: string, text: string | null) => (text ? element(name, text) : '')

type Attributes = Record<string, string | number | boolean | null | undefined>

/** Writes an element with the attributes that have a value; `content` is text unless it is a list of elements. */
function tag(name: string, attributes: Attributes, content: string | readonly string[] = ''): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([key, value]) => ` ${key}="${xml(String(value))}"`)
  const inner = typeof content === 'string' ? xml(content) : content.join('')
  return inner === '' ? `<${name}${written.join('')}/>` : `<${name}${written.join('')}>${inner}</${name}>`
}
