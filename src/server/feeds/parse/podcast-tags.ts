import type {
  Block,
  ChannelTags,
  Chat,
  CommonTags,
  ContentLink,
  FreeText,
  ItemTags,
  License,
  Location,
  Locked,
  Person,
  UpdateFrequency,
  RemoteItem,
  Value,
  ValueRecipient,
  ValueTimeSplit,
} from '../../../shared/api/podcast-tags'
import { keepSmall } from '../../platform/engine'
import { parseAddress, parseText } from './values'
import { attribute, child, listOf, textOf, type XmlNode } from './xml-node'

/** The most tags of one kind that are read of an item or a channel. */
export const MAX_ENTRIES = 100
/** For tags of which people list one or two. */
export const FEW_ENTRIES = 20
const MAX_LENGTH = 500

export const shortText = (raw: string | null | undefined, longest = MAX_LENGTH) => {
  const text = parseText(raw)
  return text === null || text.length <= longest ? text : text.slice(0, longest).toWellFormed()
}

export const shortAttribute = (node: XmlNode | undefined, name: string) => shortText(attribute(node, name))

type Present<T> = { [K in keyof T as null extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as null extends T[K] ? K : never]?: Exclude<T[K], null>
}

/** Leaves out what is null: tags are stored as JSON, and most of their attributes are missing. */
export function present<const T extends object>(values: T): Present<T> {
  const found: Partial<T> = {}
  for (const name in values) if (values[name] !== null) found[name] = values[name]
  return found as unknown as Present<T>
}

/**
 * The value block, which is shown and never acted upon.
 * https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/tags/value.md
 */
export function valueOf(node: XmlNode, base: string): { value?: Value } {
  const value = child(node, 'podcast:value')
  if (!value) return {}
  const timeSplits = listOf(value, 'podcast:valuetimesplit', MAX_ENTRIES, split => timeSplitOf(split, base))
  return {
    value: present({
      type: shortAttribute(value, 'type'),
      method: shortAttribute(value, 'method'),
      suggested: shortAttribute(value, 'suggested'),
      recipients: recipientsOf(value),
      timeSplits: timeSplits.length > 0 ? timeSplits : null,
    }),
  }
}

/** A part without a place or an end is nothing that a listener could see. */
function timeSplitOf(split: XmlNode, base: string): ValueTimeSplit | null {
  const startTime = numberOf(split, 'starttime')
  const duration = numberOf(split, 'duration')
  if (startTime === null || !duration) return null
  const remote = child(split, 'podcast:remoteitem')
  return present({
    startTime,
    duration,
    remoteStartTime: numberOf(split, 'remotestarttime'),
    remotePercentage: numberOf(split, 'remotepercentage'),
    recipients: recipientsOf(split, FEW_ENTRIES),
    remoteItem: remote ? remoteItemOf(remote, base) : null,
  })
}

const recipientsOf = (node: XmlNode, most = MAX_ENTRIES): ValueRecipient[] =>
  listOf(node, 'podcast:valuerecipient', most, recipientOf)

const recipientOf = (recipient: XmlNode): ValueRecipient =>
  present({
    name: shortAttribute(recipient, 'name'),
    type: shortAttribute(recipient, 'type'),
    address: shortAttribute(recipient, 'address'),
    customKey: shortAttribute(recipient, 'customkey'),
    customValue: shortAttribute(recipient, 'customvalue'),
    split: numberOf(recipient, 'split'),
    fee: attribute(recipient, 'fee')?.toLowerCase() === 'true' ? true : null,
  })

/** A podcast or episode that another feed describes; null without the feed's guid or address. */
export function remoteItemOf(node: XmlNode, base: string): RemoteItem | null {
  const feedGuid = shortAttribute(node, 'feedguid')
  const feedUrl = parseAddress(attribute(node, 'feedurl'), base)
  if (!feedGuid && !feedUrl) return null
  return present({
    feedGuid,
    feedUrl,
    itemGuid: shortAttribute(node, 'itemguid'),
    medium: shortAttribute(node, 'medium'),
    title: shortAttribute(node, 'title'),
  })
}

/** A number from 0 on; null for anything else. */
function numberOf(node: XmlNode, name: string): number | null {
  const raw = attribute(node, name)
  const number = raw === null ? Number.NaN : Number(raw)
  return number >= 0 && number < 1e9 ? number : null
}

keepSmall(valueOf, timeSplitOf, recipientsOf, recipientOf, remoteItemOf)

// The descriptive tags, https://github.com/Podcastindex-org/podcast-namespace/tree/main/docs/tags
// Absent if there are none: an item that has nothing new must not look edited.

/** The namespace allows 4,000 characters. */
const MAX_TXT = 4000

export const personsOf = (node: XmlNode, base: string): Person[] =>
  listOf(node, 'podcast:person', MAX_ENTRIES, person => personOf(person, base))

function personOf(person: XmlNode, base: string): Person | null {
  // Drafts of the namespace had the name in an attribute.
  const name = shortText(textOf(person)) ?? shortAttribute(person, 'name')
  if (!name) return null
  return present({
    name,
    role: shortAttribute(person, 'role'),
    group: shortAttribute(person, 'group'),
    img: parseAddress(attribute(person, 'img'), base),
    href: parseAddress(attribute(person, 'href'), base),
  })
}

export const locationsOf = (node: XmlNode): Location[] => listOf(node, 'podcast:location', FEW_ENTRIES, locationOf)

function locationOf(location: XmlNode): Location | null {
  const name = shortText(textOf(location)) ?? shortAttribute(location, 'name')
  if (!name) return null
  const rel = attribute(location, 'rel')?.toLowerCase()
  return present({
    name,
    rel: rel === 'subject' || rel === 'creator' ? rel : null,
    geo: matching(attribute(location, 'geo'), /^geo:-?\d{1,3}(\.\d{1,15})?,-?\d{1,3}(\.\d{1,15})?/i),
    osm: matching(attribute(location, 'osm') ?? attribute(location, 'osmid'), /^[NWR]\d{1,15}(#\d{1,9})?$/i),
    country: matching(attribute(location, 'country'), /^[a-z]{2}$/i)?.toUpperCase() ?? null,
  })
}

const matching = (text: string | null, pattern: RegExp) =>
  text && text.length <= 200 && pattern.test(text) ? text : null

/** Tags that both a podcast and an episode may have, besides persons, places, value and social places. */
export function commonTagsOf(
  node: XmlNode,
  base: string,
): Pick<CommonTags, 'license' | 'txt' | 'chat' | 'contentLinks'> {
  // Nearly no item has any.
  if (!commonNames.some(name => node[name] !== undefined)) return {}
  return {
    ...present({ license: licenseOf(node, base) }),
    ...some('txt', listOf(node, 'podcast:txt', FEW_ENTRIES, txtOf)),
    ...some('chat', chatsOf(node)),
    ...some('contentLinks', contentLinksOf(node, base)),
  }
}

const commonNames = ['podcast:license', 'podcast:txt', 'podcast:chat', 'podcast:contentlink']

/** A list under its name, or nothing where it is empty. */
const some = <K extends string, T>(name: K, list: T[]) =>
  (list.length > 0 ? { [name]: list } : {}) as { [key in K]?: T[] }

function licenseOf(node: XmlNode, base: string): License | null {
  const license = child(node, 'podcast:license')
  const name = shortText(textOf(license))
  const url = parseAddress(attribute(license, 'url'), base)
  return name || url ? { name: name ?? '', ...(url && { url }) } : null
}

function txtOf(txt: XmlNode): FreeText | null {
  const text = shortText(textOf(txt), MAX_TXT)
  const purpose = shortText(attribute(txt, 'purpose'), 128)
  return text ? present({ text, purpose }) : null
}

export const chatsOf = (node: XmlNode): Chat[] => listOf(node, 'podcast:chat', FEW_ENTRIES, chatOf)

function chatOf(chat: XmlNode): Chat | null {
  const server = shortAttribute(chat, 'server')
  const protocol = shortAttribute(chat, 'protocol')?.toLowerCase()
  if (!server || !protocol) return null
  const [accountId, space] = [shortAttribute(chat, 'accountid'), shortAttribute(chat, 'space')]
  return present({ server, protocol, accountId, space })
}

export const contentLinksOf = (node: XmlNode, base: string): ContentLink[] =>
  listOf(node, 'podcast:contentlink', FEW_ENTRIES, link => contentLinkOf(link, base))

function contentLinkOf(link: XmlNode, base: string): ContentLink | null {
  const href = parseAddress(attribute(link, 'href'), base)
  return href ? { href, text: shortText(textOf(link)) ?? '' } : null
}

export function channelTagsOf(channel: XmlNode, base: string): ChannelTags {
  const publisher = child(child(channel, 'podcast:publisher') ?? {}, 'podcast:remoteitem')
  return {
    ...present({
      updateFrequency: updateFrequencyOf(channel),
      publisher: publisher ? remoteItemOf(publisher, base) : null,
      locked: lockedOf(channel),
    }),
    ...some('block', listOf(channel, 'podcast:block', MAX_ENTRIES, blockOf)),
  }
}

function updateFrequencyOf(channel: XmlNode): UpdateFrequency | null {
  const frequency = child(channel, 'podcast:updatefrequency')
  const found = present({
    text: shortText(textOf(frequency)),
    rrule: shortAttribute(frequency, 'rrule'),
    dtstart: shortAttribute(frequency, 'dtstart'),
    complete: attribute(frequency, 'complete')?.toLowerCase() === 'true' ? true : null,
  })
  return Object.keys(found).length > 0 ? found : null
}

function lockedOf(channel: XmlNode): Locked | null {
  const locked = child(channel, 'podcast:locked')
  const owner = shortAttribute(locked, 'owner')
  return locked ? { locked: isYes(locked), ...(owner && { owner }) } : null
}

function blockOf(block: XmlNode): Block {
  const id = shortAttribute(block, 'id')
  return { ...(id && { id }), block: isYes(block) }
}

const isYes = (node: XmlNode) => textOf(node)?.toLowerCase() === 'yes'

export const itemTagsOf = (item: XmlNode): ItemTags =>
  present({
    seasonName: shortAttribute(child(item, 'podcast:season'), 'name'),
    episodeDisplay: shortAttribute(child(item, 'podcast:episode'), 'display'),
  })

keepSmall(personsOf, personOf, locationsOf, locationOf, commonTagsOf, licenseOf, txtOf, chatsOf, chatOf, itemTagsOf)
keepSmall(contentLinksOf, contentLinkOf)
