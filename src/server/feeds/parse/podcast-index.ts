import { keepSmall } from '../../platform/engine'
import { podloveChapters } from './chapters'
import { formsOf } from './forms'
import type { ParsedFeed, ParsedItem, ParsedLiveItem, ParsedTrailer, ParsedTranscript } from './parsed-feed'
import { namespacePicture } from './pictures'
import { MAX_ENTRIES, present, shortAttribute } from './podcast-tags'
import {
  channelTagsOf,
  chatsOf,
  commonTagsOf,
  contentLinksOf,
  itemTagsOf,
  locationsOf,
  personsOf,
} from './podcast-tags'
import { remoteItemOf, valueOf } from './podcast-tags'
import { fitGuid, parseAddress, parseNumber, parseSeason, parseSize, parseText, parseTitle, parseWhole } from './values'
import { attribute, child, children, listOf, text, textOf, type XmlNode } from './xml-node'
import { parseDate } from './dates'
import type { Social } from '../../../shared/api/podcast-tags'
import { liveStates } from '../../../shared/choices'

// The podcast namespace, https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md

/** Room for a few formats in a few languages. */
const MAX_TRANSCRIPTS = 12

export function podcastIndexChannel(channel: XmlNode, base: string) {
  const locations = locationsOf(channel)
  const extras: ParsedFeed['extras'] = {
    funding: listOf(channel, 'podcast:funding', MAX_ENTRIES, funding => {
      const url = parseAddress(attribute(funding, 'url'), base)
      return url ? { url, text: parseText(textOf(funding)) ?? '' } : null
    }),
    persons: personsOf(channel, base),
    podroll: listOf(child(channel, 'podcast:podroll') ?? {}, 'podcast:remoteitem', MAX_ENTRIES, item =>
      remoteItemOf(item, base),
    ),
    ...(locations.length > 0 && { locations }),
    ...valueOf(channel, base),
    ...commonTagsOf(channel, base),
    ...channelTagsOf(channel, base),
    ...trailersOf(channel, base),
    ...socialOf(channel, base),
    ...liveItemsOf(channel, base),
  }
  return {
    guid: parseText(text(channel, 'podcast:guid')),
    medium: parseText(text(channel, 'podcast:medium'))?.toLowerCase() ?? null,
    complete: extras.updateFrequency?.complete === true,
    imageUrl: namespacePicture(channel, base),
    extras,
  }
}

type OfItem = Pick<ParsedItem, 'season' | 'number' | 'chaptersUrl' | 'transcripts' | 'persons' | 'soundbites'> &
  Pick<ParsedItem, 'location' | 'chapters' | 'value' | 'social' | 'tags' | 'forms'>

/** The tags of an item that has none, as most have. */
const none: OfItem = {
  season: null,
  number: null,
  chaptersUrl: null,
  transcripts: [],
  persons: [],
  soundbites: [],
  location: null,
}

export function podcastIndexItem(item: XmlNode, base: string): OfItem {
  return hasTags(item) ? readTags(item, base) : none
}

function hasTags(item: XmlNode): boolean {
  for (const name in item) if (name.startsWith('podcast:') || name === 'psc:chapters') return true
  return false
}

function readTags(item: XmlNode, base: string): OfItem {
  const inFeed = podloveChapters(item, base)
  const locations = locationsOf(item)
  const tags = { ...commonTagsOf(item, base), ...itemTagsOf(item) }
  return {
    season: parseSeason(text(item, 'podcast:season')),
    number: parseNumber(text(item, 'podcast:episode')),
    // Whatever type it names: reading the file shows what it is.
    chaptersUrl: parseAddress(attribute(child(item, 'podcast:chapters'), 'url'), base),
    transcripts: listOf(item, 'podcast:transcript', MAX_TRANSCRIPTS, node => transcriptOf(node, base)),
    persons: personsOf(item, base),
    soundbites: listOf(item, 'podcast:soundbite', MAX_ENTRIES, soundbiteOf),
    location: locations.length > 0 ? locations : null,
    // Absent if there are none: an item that has nothing new must not look edited.
    ...(inFeed.length > 0 && { chapters: inFeed }),
    ...valueOf(item, base),
    ...socialOf(item, base),
    ...(Object.keys(tags).length > 0 && { tags }),
    ...formsOf(item, base),
  }
}

function soundbiteOf(soundbite: XmlNode): ParsedItem['soundbites'][number] | null {
  const startTime = Number(attribute(soundbite, 'starttime') ?? Number.NaN)
  const duration = Number(attribute(soundbite, 'duration') ?? Number.NaN)
  return startTime >= 0 && duration > 0 ? present({ startTime, duration, title: parseText(textOf(soundbite)) }) : null
}

keepSmall(podcastIndexItem, readTags, soundbiteOf, transcriptOf, socialOf)

function transcriptOf(node: XmlNode, base: string): ParsedTranscript | null {
  const url = parseAddress(attribute(node, 'url'), base)
  if (!url) return null
  return present({
    url,
    type: attribute(node, 'type')?.toLowerCase() ?? 'text/plain',
    language: attribute(node, 'language'),
    captions: attribute(node, 'rel') === 'captions' ? true : null,
  })
}

const MAX_ITEMS = 20
const MAX_TEXT = 500

/** https://podcasting2.org/docs/podcast-namespace/tags/live-item */
function liveItemsOf(channel: XmlNode, base: string): { live?: ParsedLiveItem[] } {
  const live = listOf(channel, 'podcast:liveitem', MAX_ITEMS, item => liveItemOf(item, base))
  return live.length > 0 ? { live } : {}
}

function liveItemOf(item: XmlNode, base: string): ParsedLiveItem | null {
  const status = liveStates.find(known => known === attribute(item, 'status')?.toLowerCase())
  const start = instantOf(attribute(item, 'start'))
  if (!status || start === null) return null
  const end = instantOf(attribute(item, 'end'))
  const title = parseTitle(text(item, 'title'))?.slice(0, MAX_TEXT) ?? ''
  const guid = fitGuid(parseText(text(item, 'guid')) ?? `${start} ${title}`)
  const enclosure = enclosureOf(item, base)
  const contentLinks = contentLinksOf(item, base)
  const chat = chatsOf(item)
  const url = contentLinks[0]?.href ?? parseAddress(text(item, 'link'), base) ?? enclosure?.url
  return {
    id: Bun.hash(guid).toString(36),
    guid,
    status,
    title,
    start,
    ...(end !== null && { end }),
    ...(url && { url }),
    ...(contentLinks.length > 0 && { contentLinks }),
    ...(enclosure && { enclosure }),
    ...formsOf(item, base),
    ...(chat.length > 0 && { chat }),
  }
}

function enclosureOf(item: XmlNode, base: string): ParsedLiveItem['enclosure'] | null {
  const node = child(item, 'enclosure')
  const url = parseAddress(attribute(node, 'url'), base)
  const type = parseText(attribute(node, 'type'))?.toLowerCase().slice(0, 100)
  return url ? { url, type: type ?? '' } : null
}

function instantOf(raw: string | null | undefined): string | null {
  const date = parseDate(raw)
  return date === null ? null : new Date(date).toISOString()
}

// Absent if there are none: an item that has nothing new must not look edited.

const MAX_SOCIAL = 20

/** https://podcasting2.org/docs/podcast-namespace/tags/social-interact ; the preferred place comes first. */
export function socialOf(node: XmlNode, base: string): { social?: Social[] } {
  if (node['podcast:socialinteract'] === undefined) return {}
  const social = children(node, 'podcast:socialinteract')
    .map(place => ({
      uri: parseAddress(attribute(place, 'uri'), base),
      protocol: parseText(attribute(place, 'protocol'))?.toLowerCase() ?? '',
      priority: parseWhole(attribute(place, 'priority')) ?? Number.MAX_SAFE_INTEGER,
      account: present({
        accountId: shortAttribute(place, 'accountid'),
        accountUrl: parseAddress(attribute(place, 'accounturl'), base),
      }),
    }))
    .sort((one, other) => one.priority - other.priority)
    .flatMap(({ uri, protocol, account }) =>
      uri && protocol !== 'disabled' ? [{ uri, protocol: protocol.slice(0, 50), ...account }] : [],
    )
  return social.length > 0 ? { social: social.slice(0, MAX_SOCIAL) } : {}
}

const MAX_TRAILERS = 20
const MAX_TRAILER_TITLE = 500

/**
 * Absent if there are none: a feed that has nothing new must not look edited.
 * https://podcasting2.org/docs/podcast-namespace/tags/trailer
 */
function trailersOf(channel: XmlNode, base: string): { trailers?: ParsedTrailer[] } {
  const trailers = listOf(channel, 'podcast:trailer', MAX_TRAILERS, trailer => trailerOf(trailer, base))
  return trailers.length > 0 ? { trailers } : {}
}

function trailerOf(trailer: XmlNode, base: string): ParsedTrailer | null {
  const url = parseAddress(attribute(trailer, 'url'), base)
  if (!url) return null
  const season = parseSeason(attribute(trailer, 'season'))
  const pubdate = parseDate(attribute(trailer, 'pubdate'))
  const type = parseText(attribute(trailer, 'type'))?.toLowerCase().slice(0, 100)
  const length = parseSize(attribute(trailer, 'length'))
  return {
    url,
    title: parseText(textOf(trailer))?.slice(0, MAX_TRAILER_TITLE) ?? '',
    ...(season !== null && { season }),
    ...(pubdate !== null && { pubdate: new Date(pubdate).toISOString() }),
    ...(type && { type }),
    ...(length !== null && length > 1 && { length }),
  }
}
