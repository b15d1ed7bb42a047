import { XMLParser } from 'fast-xml-parser'
import { parseFeed } from '../../src/server/feeds/parse/parse-feed'
import type { ParsedItem } from '../../src/server/feeds/parse/parsed-feed'
import { readRss } from '../../src/server/feeds/parse/rss'
import type { XmlNode } from '../../src/server/feeds/parse/xml-node'
import { median } from '../../test/support/measure'
import type { Report } from './large'
import { feedOf } from './library'
import { realFeed } from './worst/feeds'

const COLLECT_EVERY = 2 * 1024 * 1024
const address = 'https://pod.example/feed.xml'

/** Reading feeds item by item beside parsing whole documents and converting them in the same way. */
export function measureFeeds(report: Report) {
  compare('100 episodes', new TextEncoder().encode(feedOf('Read', 100, 200)), 31, report)
  compare('500 episodes', new TextEncoder().encode(feedOf('Read', 500, 230)), 31, report)
  compare('15,000 episodes', realFeed(), 3, report)
}

function compare(name: string, body: Uint8Array, rounds: number, report: Report) {
  const ours: number[] = []
  const theirs: number[] = []
  if (!Bun.deepEquals(readByItems(body), readWhole(body))) throw new Error('The readers differ')
  for (let round = 0; round < rounds; round++) {
    ours.push(rateOf(body, readByItems))
    theirs.push(rateOf(body, readWhole))
  }
  const megabytes = (body.byteLength / 1e6).toFixed(1)
  report(`reading a feed of ${name}, ${megabytes} MB`, `${median(ours).toFixed(1)} MB/s`)
  report('  fast-xml-parser and the same conversion', `${median(theirs).toFixed(1)} MB/s`)
  report('  ratio', `${(median(ours) / median(theirs)).toFixed(2)} ×`, '≥ 1.5 ×')
}

/**
 * Megabytes that are read in a second of processor time; their garbage is collected after every two, as in the server.
 */
function rateOf(body: Uint8Array, read: (body: Uint8Array) => unknown): number {
  const times = Math.ceil(COLLECT_EVERY / body.byteLength)
  const before = process.cpuUsage()
  for (let count = 0; count < times; count++) read(body)
  Bun.gc(true)
  const { user, system } = process.cpuUsage(before)
  return (times * body.byteLength) / (user + system)
}

const readByItems = (body: Uint8Array): ParsedItem[] => parseFeed(body, address).feed.items

/** Converts a document that was parsed as a whole, as ours is converted; only the case of names is made canonical. */
function readWhole(body: Uint8Array): ParsedItem[] {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    parseTagValue: false,
    parseAttributeValue: false,
    processEntities: false,
    transformTagName: name => name.toLowerCase(),
    transformAttributeName: name => name.toLowerCase(),
    isArray: name => name === 'item',
  })
  const { rss } = parser.parse(new TextDecoder().decode(body)) as { rss: XmlNode & { channel: { item: XmlNode[] } } }
  const reader = readRss(rss, address)
  return rss.channel.item.map(item => reader.readItem(item))
}
