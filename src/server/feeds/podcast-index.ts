import { keepSmall } from '../platform/compiling'
import { podloveChapters } from './chapters'
import type { ParsedEnclosure, ParsedFeed, ParsedPerson, ParsedTranscript } from './parsed-feed'
import { namespacePicture } from './pictures'
import { liveItemsOf, socialOf, trailersOf } from './podcast-extras'
import { parseAddress, parseNumber, parseSeason, parseSize, parseText } from './values'
import { attribute, child, children, text, textOf, type XmlNode } from './xml-node'

// The podcast namespace, https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md

const MAX_ENTRIES = 100
/** Room for a few formats in a few languages. */
const MAX_TRANSCRIPTS = 12

export function podcastIndexChannel(channel: XmlNode, base: string) {
  const updateFrequency = child(channel, 'podcast:updatefrequency')
  const extras: ParsedFeed['extras'] = {
    funding: children(channel, 'podcast:funding')
      .slice(0, MAX_ENTRIES)
      .flatMap(funding => {
        const url = parseAddress(attribute(funding, 'url'), base)
        return url ? [{ url, text: parseText(textOf(funding)) ?? '' }] : []
      }),
    persons: personsOf(channel, base),
    podroll: children(child(channel, 'podcast:podroll') ?? {}, 'podcast:remoteitem')
      .slice(0, MAX_ENTRIES)
      .flatMap(item => {
        const feedUrl = parseAddress(attribute(item, 'feedurl'), base)
        const title = parseText(attribute(item, 'title'))
        return feedUrl ? [{ feedUrl, ...(title && { title }) }] : []
      }),
    ...locationOf(channel),
    ...valueOf(channel),
    ...trailersOf(channel, base),
    ...socialOf(channel, base),
    ...liveItemsOf(channel, base),
  }
  return {
    guid: parseText(text(channel, 'podcast:guid')),
    medium: parseText(text(channel, 'podcast:medium'))?.toLowerCase() ?? null,
    complete: attribute(updateFrequency, 'complete') === 'true',
    imageUrl: namespacePicture(channel, base),
    extras,
  }
}

export function podcastIndexItem(item: XmlNode, base: string) {
  const inFeed = podloveChapters(item, base)
  return {
    season: parseSeason(text(item, 'podcast:season')),
    number: parseNumber(text(item, 'podcast:episode')),
    // Whatever type it names: what the file is shows when it is read.
    chaptersUrl: parseAddress(attribute(child(item, 'podcast:chapters'), 'url'), base),
    transcripts: children(item, 'podcast:transcript').slice(0, MAX_TRANSCRIPTS).flatMap(transcriptOf(base)),
    persons: personsOf(item, base),
    soundbites: children(item, 'podcast:soundbite')
      .slice(0, MAX_ENTRIES)
      .flatMap(soundbite => {
        const startTime = Number(attribute(soundbite, 'starttime') ?? Number.NaN)
        const duration = Number(attribute(soundbite, 'duration') ?? Number.NaN)
        const title = parseText(textOf(soundbite))
        return startTime >= 0 && duration > 0 ? [{ startTime, duration, ...(title && { title }) }] : []
      }),
    location: locationOf(item).location ?? null,
    // Absent where there are none: an item that has nothing new must not look edited.
    ...(inFeed.length > 0 && { chapters: inFeed }),
    ...valueOf(item),
    ...socialOf(item, base),
  }
}

keepSmall(podcastIndexItem)

/** Other forms of the same episode, for items whose enclosure cannot be played. */
export function alternateEnclosures(item: XmlNode, base: string): ParsedEnclosure[] {
  return children(item, 'podcast:alternateenclosure').flatMap(alternate => {
    const url = children(alternate, 'podcast:source')
      .map(source => parseAddress(attribute(source, 'uri'), base))
      .find(address => address !== null)
    return url ? [{ url, type: attribute(alternate, 'type'), size: parseSize(attribute(alternate, 'length')) }] : []
  })
}

const transcriptOf =
  (base: string) =>
  (node: XmlNode): ParsedTranscript[] => {
    const url = parseAddress(attribute(node, 'url'), base)
    const language = attribute(node, 'language')
    if (!url) return []
    return [
      {
        url,
        type: attribute(node, 'type')?.toLowerCase() ?? 'text/plain',
        ...(language && { language }),
        ...(attribute(node, 'rel') === 'captions' && { captions: true }),
      },
    ]
  }

const personsOf = (node: XmlNode, base: string): ParsedPerson[] =>
  children(node, 'podcast:person')
    .slice(0, MAX_ENTRIES)
    .flatMap(person => {
      const name = parseText(textOf(person))
      const role = parseText(attribute(person, 'role'))
      const img = parseAddress(attribute(person, 'img'), base)
      const href = parseAddress(attribute(person, 'href'), base)
      return name ? [{ name, ...(role && { role }), ...(img && { img }), ...(href && { href }) }] : []
    })

function locationOf(node: XmlNode): { location?: string } {
  const location = parseText(text(node, 'podcast:location'))
  return location ? { location } : {}
}

/** The value block, which is shown and never acted upon. */
function valueOf(node: XmlNode): { value?: unknown } {
  const value = child(node, 'podcast:value')
  if (!value) return {}
  const recipients = children(value, 'podcast:valuerecipient')
    .slice(0, MAX_ENTRIES)
    .map(recipient => ({
      name: attribute(recipient, 'name'),
      type: attribute(recipient, 'type'),
      address: attribute(recipient, 'address'),
      split: attribute(recipient, 'split'),
    }))
  return { value: { type: attribute(value, 'type'), method: attribute(value, 'method'), recipients } }
}
