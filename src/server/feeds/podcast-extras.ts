import { parseDate } from './dates'
import type { Social } from '../../shared/api/podcast-tags'
import type { ParsedLiveItem, ParsedTrailer } from './parsed-feed'
import { present, shortAttribute } from './podcast-bounds'
import { parseAddress, parseText, parseTitle, parseWhole } from './values'
import { attribute, child, children, text, textOf, type XmlNode } from './xml-node'

// Absent where there are none: an item that has nothing new must not look edited.

const MAX_ENTRIES = 20

/** https://podcasting2.org/docs/podcast-namespace/tags/trailer */
export function trailersOf(channel: XmlNode, base: string): { trailers?: ParsedTrailer[] } {
  const trailers = children(channel, 'podcast:trailer').flatMap(trailer => {
    const url = parseAddress(attribute(trailer, 'url'), base)
    const season = parseWhole(attribute(trailer, 'season'))
    return url ? [{ url, title: parseText(textOf(trailer)) ?? '', ...(season !== null && { season }) }] : []
  })
  return trailers.length > 0 ? { trailers: trailers.slice(0, MAX_ENTRIES) } : {}
}

/** https://podcasting2.org/docs/podcast-namespace/tags/social-interact ; the most wanted place comes first. */
export function socialOf(node: XmlNode, base: string): { social?: Social[] } {
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
  return social.length > 0 ? { social: social.slice(0, MAX_ENTRIES) } : {}
}

const statuses = ['pending', 'live', 'ended'] as const

/** https://podcasting2.org/docs/podcast-namespace/tags/live-item */
export function liveItemsOf(channel: XmlNode, base: string): { live?: ParsedLiveItem[] } {
  const live = children(channel, 'podcast:liveitem').flatMap((item): ParsedLiveItem[] => {
    const status = statuses.find(known => known === attribute(item, 'status')?.toLowerCase())
    const start = instantOf(attribute(item, 'start'))
    if (!status || start === null) return []
    const end = instantOf(attribute(item, 'end'))
    const url = liveAddress(item, base)
    const title = parseTitle(text(item, 'title')) ?? ''
    return [{ status, title, start, ...(end !== null && { end }), ...(url && { url }) }]
  })
  return live.length > 0 ? { live: live.slice(0, MAX_ENTRIES) } : {}
}

/** The page to follow it on, or else the stream itself. */
const liveAddress = (item: XmlNode, base: string) =>
  parseAddress(attribute(child(item, 'podcast:contentlink'), 'href'), base) ??
  parseAddress(text(item, 'link'), base) ??
  parseAddress(attribute(child(item, 'enclosure'), 'url'), base)

function instantOf(raw: string | null | undefined): string | null {
  const date = parseDate(raw)
  return date === null ? null : new Date(date).toISOString()
}
