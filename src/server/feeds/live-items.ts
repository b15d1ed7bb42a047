import { parseDate } from './dates'
import { formsOf } from './forms'
import type { ParsedLiveItem } from './parsed-feed'
import { fitGuid } from './marks'
import { parseAddress, parseText, parseTitle } from './values'
import { attribute, child, children, text, textOf, type XmlNode } from './xml-node'

const MAX_ITEMS = 20
const MAX_LINKS = 10
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
  const links = linksOf(item, base)
  const url = links[0]?.url ?? parseAddress(text(item, 'link'), base) ?? enclosure?.url
  const chat = chatOf(item, base)
  return {
    id: Bun.hash(guid).toString(36),
    guid,
    status,
    title,
    start,
    ...(end !== null && { end }),
    ...(url && { url }),
    ...(links.length > 0 && { links }),
    ...(enclosure && { enclosure }),
    ...formsOf(item, base),
    ...(chat && { chat }),
  }
}

function enclosureOf(item: XmlNode, base: string): ParsedLiveItem['enclosure'] | null {
  const node = child(item, 'enclosure')
  const url = parseAddress(attribute(node, 'url'), base)
  const type = parseText(attribute(node, 'type'))?.toLowerCase().slice(0, 100)
  return url ? { url, type: type ?? '' } : null
}

/** https://podcasting2.org/docs/podcast-namespace/tags/content-link */
const linksOf = (item: XmlNode, base: string) =>
  children(item, 'podcast:contentlink')
    .slice(0, MAX_LINKS)
    .flatMap(link => {
      const url = parseAddress(attribute(link, 'href'), base)
      return url ? [{ url, text: parseText(textOf(link))?.slice(0, MAX_TEXT) ?? '' }] : []
    })

/** https://podcasting2.org/docs/podcast-namespace/tags/chat ; a server without an address is reached over https. */
function chatOf(item: XmlNode, base: string): ParsedLiveItem['chat'] | null {
  const chat = child(item, 'podcast:chat')
  const server = parseText(attribute(chat, 'server'))?.slice(0, MAX_TEXT) ?? null
  const protocol = parseText(attribute(chat, 'protocol'))?.toLowerCase().slice(0, 50) ?? ''
  const space = parseText(attribute(chat, 'space'))?.slice(0, MAX_TEXT)
  const account = parseText(attribute(chat, 'accountid'))?.slice(0, MAX_TEXT)
  // Earlier drafts of the tag named the page of the chat.
  const url = parseAddress(attribute(chat, 'embedurl') ?? attribute(chat, 'url'), base)
  if (!server && !url) return null
  return {
    protocol,
    ...(server && { server }),
    ...(space && { space }),
    ...(account && { account }),
    ...(url && { url }),
  }
}

function instantOf(raw: string | null | undefined): string | null {
  const date = parseDate(raw)
  return date === null ? null : new Date(date).toISOString()
}
