import { parseDate } from './dates'
import { formsOf } from './forms'
import type { ParsedLiveItem } from './parsed-feed'
import { fitGuid } from './marks'
import { chatsOf, contentLinksOf } from './podcast-tags'
import { parseAddress, parseText, parseTitle } from './values'
import { attribute, child, children, text, type XmlNode } from './xml-node'

const MAX_ITEMS = 20
const MAX_TEXT = 500

const statuses = ['pending', 'live', 'ended'] as const

/** https://podcasting2.org/docs/podcast-namespace/tags/live-item */
export function liveItemsOf(channel: XmlNode, base: string): { live?: ParsedLiveItem[] } {
  const live = children(channel, 'podcast:liveitem')
    .slice(0, MAX_ITEMS)
    .flatMap(item => liveItemOf(item, base) ?? [])
  return live.length > 0 ? { live } : {}
}

function liveItemOf(item: XmlNode, base: string): ParsedLiveItem | null {
  const status = statuses.find(known => known === attribute(item, 'status')?.toLowerCase())
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
