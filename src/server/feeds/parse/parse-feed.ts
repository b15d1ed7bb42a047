import { collectGarbage, keepSmall, noteGarbage } from '../../platform/engine'
import { readAtom } from './atom'
import { openText, type Text } from './decode'
import { cutDocument, type Piece } from './cut'
import { TooLarge } from './decode'
import { isJsonFeed, readJsonFeed } from './json-feed'
import { alternatesOf, kindOfBinary, kindOfPage, looksLikePage } from './not-a-feed'
import { createArchive, isEmpty, packCopy } from './packed'
import { markOf, MAX_ITEMS, NotAFeed, type ParsedFeed, type ParsedItem, type Recall } from './parsed-feed'
import { version } from '../../platform/version'
import { readRss } from './rss'
import { readElement } from './xml'
import { countAddressLetters } from './values'
import { createNames } from './names'
import { child, type XmlNode } from './xml-node'

const MIB = 1024 * 1024
const MAX_ITEM = 3 * MIB
const MAX_HEAD = 4 * MIB
/** Size from which items are packed and garbage is collected on the way. */
const LARGE = 4 * MIB
const SMALL = 500
/** Garbage of reading one item, in bytes, however short it is. */
const ANY_ITEM = 4000
/** The most text of all addresses, which grow where they are relative: some forty for each of fifty thousand items. */
const MAX_ADDRESSES = 100 * MIB
/** The most unpacked text of all items: a thousand characters each for fifty thousand. */
const MAX_LIGHT = 50 * MIB
const tags = [
  'transcripts',
  'chapters',
  'persons',
  'soundbites',
  'location',
  'value',
  'social',
  'tags',
  'forms',
] as const
const heavy = ['notes', ...tags] as const

type Parsed = {
  feed: ParsedFeed
  /** Missing and mended parts, in words for the log. */
  warnings: string[]
  /** Some of the items are missing: cut off, broken beyond reading, too large, or too many. */
  isPartial: boolean
  /** Number of items in the document, read or not. */
  listed: number
  /** The items that were read and can be understood without the others. */
  traces: ReadonlyMap<ParsedItem, Trace>
}

/** `hash`: for `Recall` in the next reading; null if the item must be read again. */
type Trace = { hash: number | null; mark: string }

type Source = {
  text: Text
  items: readonly Piece[]
  leftOut: number
  isCutShort: boolean
  warnings: string[]
  /** Everything that the reading of an item depends on, other than its bytes. */
  context: readonly unknown[]
  /** Null when it cannot be read. `isAlone`: other items don't change how it is understood. */
  read: (item: Piece) => { item: ParsedItem; isMended: boolean; isAlone: boolean } | null
}

/**
 * Parses a feed of any format. Items are read one by one, so that a broken one harms only itself and the largest one
 * bounds the memory. An item that `recall` knows by its hash is not read. Throws `NotAFeed` and `TooLarge`.
 */
export function parseFeed(body: Uint8Array, address: string, contentType = '', recall: Recall = none): Parsed {
  const text = openText(body, contentType)
  const start = text.decode(0, 131_072).trimStart()
  if (start === '') throw new NotAFeed('empty')
  if (start.startsWith('{') || start.startsWith('[')) return parseJson(text, address, recall)
  const parsed = parseXml(text, address, recall)
  if (parsed) return parsed
  if (looksLikePage(start)) throw new NotAFeed(kindOfPage(start), alternatesOf(text.decode(0, 500_000), address))
  const root = /^(?:\s|<[?!][^>]*>)*<([a-z_][\w:.-]*)/i.exec(start)?.[1]?.toLowerCase()
  throw new NotAFeed(root === 'opml' ? 'opml' : root ? 'xml' : kindOfBinary(start))
}

const none = () => null

function parseXml(text: Text, address: string, recall: Recall): Parsed | null {
  const cut = cutDocument(text.bytes, MAX_ITEMS)
  if (!cut) return null
  requireHead(cut.head.reduce((sum, { from, to }) => sum + to - from, 0))
  const names = createNames()
  const head = readElement(cut.head.map(({ from, to }) => text.decode(from, to)).join(''), names)
  if (!head) return null
  const reader = (cut.rootName.endsWith('feed') ? readAtom : readRss)(head.node, address)
  const isOpen = cut.isCutShort
  const warnings = [
    ...(cut.hasForeword ? ['other text precedes the document'] : []),
    ...(isOpen ? ['the document is cut short'] : head.isMended ? ['the document is not well-formed'] : []),
  ]
  const read = (piece: Piece) => {
    const found = readElement(text.decode(piece.from, piece.to), names)
    if (!found) return null
    const item = reader.readItem(found.node)
    return { item, isMended: found.isMended || !piece.isWhole, isAlone: reader.dependsOnOthers?.() !== true }
  }
  keepSmall(read)
  const context = [cut.rootName, attributesOf(head.node), attributesOf(child(head.node, 'channel')), reader.context]
  const { fresh, ...parsed } = collect(reader.feed, { text, ...cut, warnings, context, read }, recall)
  reader.settle?.(fresh)
  return parsed
}

const attributesOf = (node: XmlNode = {}) => Object.entries(node).filter(([name]) => name.startsWith('@'))

function parseJson(text: Text, address: string, recall: Recall): Parsed {
  const cut = cutJson(text.bytes, MAX_ITEMS)
  requireHead(cut.head.length)
  const json = tryToParse(cut.head)
  if (!isJsonFeed(json)) throw new NotAFeed('json')
  const reader = readJsonFeed(json, address)
  const read = (piece: Piece) => {
    const found = piece.isWhole ? tryToParse(text.decode(piece.from, piece.to)) : undefined
    if (found === undefined) return null
    return { item: reader.readItem(found as Record<string, unknown>), isMended: false, isAlone: true }
  }
  const warnings = cut.isCutShort ? ['the document is cut short'] : []
  const { fresh: _, ...parsed } = collect(
    reader.feed,
    { text, ...cut, warnings, context: [reader.context], read },
    recall,
  )
  return parsed
}

function tryToParse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

function requireHead(length: number) {
  if (length > MAX_HEAD) throw tooLarge(MAX_HEAD, 'outside its items')
}

function tooLarge(bytes: number, of: string): TooLarge {
  const limit = `${bytes / MIB} MB`
  return new TooLarge(`The feed holds more than ${limit} ${of}`, limit)
}

const lettersOf = ({ guid, title, link, author, imageUrl, chaptersUrl, enclosure }: ParsedItem) =>
  [guid, title, link, author, imageUrl, chaptersUrl, enclosure?.url].reduce((sum, text) => sum + (text?.length ?? 0), 0)

/** Hashes the bytes of items, together with their context. Another version of the program may read them otherwise. */
function createHasher({ bytes, fallback }: Text, context: readonly unknown[]) {
  const seed = Bun.hash.xxHash3(JSON.stringify([version, fallback, ...context]))
  const SAFE = BigInt(Number.MAX_SAFE_INTEGER)
  return ({ from, to }: Piece) => Number(Bun.hash.xxHash3(bytes.subarray(from, to), seed) & SAFE)
}

function collect(
  feed: Omit<ParsedFeed, 'items'>,
  { text, items, leftOut, isCutShort, warnings, context, read }: Source,
  recall: Recall,
): Parsed & { fresh: ParsedItem[] } {
  const hashOf = createHasher(text, context)
  const traces = new Map<ParsedItem, Trace>()
  const fresh: ParsedItem[] = []
  const isLarge = text.bytes.length > LARGE
  const archive = createArchive()
  const kept: ParsedItem[] = []
  let mended = 0
  const addressesFrom = countAddressLetters()
  let light = 0
  let huge = 0
  for (const piece of items) {
    const length = piece.to - piece.from
    if (length > MAX_ITEM) {
      huge++
      continue
    }
    const hash = hashOf(piece)
    const recalled = recall(hash)
    if (recalled) {
      kept.push(recalled)
      continue
    }
    const found = read(piece)
    if (isLarge) collectGarbage(length + ANY_ITEM)
    else noteGarbage(length)
    if (!found) continue
    if (found.isMended) mended++
    light += lettersOf(found.item)
    if (light > MAX_LIGHT) throw tooLarge(MAX_LIGHT, 'of titles and addresses')
    if (countAddressLetters() - addressesFrom > MAX_ADDRESSES) throw tooLarge(MAX_ADDRESSES, 'of addresses')
    const isHeavy = length > SMALL || tags.some(name => !isEmpty(found.item[name]))
    // Written now, while its texts are at hand: to write all items at the end takes three times as long.
    const json = JSON.stringify(found.item)
    const item = isLarge && isHeavy ? packCopy(found.item, json, heavy, archive) : found.item
    kept.push(item)
    fresh.push(item)
    if (found.isAlone) traces.set(item, { hash: found.isMended ? null : hash, mark: markOf(json) })
  }
  const broken = items.length - kept.length - huge
  return {
    feed: { ...feed, items: kept },
    traces,
    fresh,
    listed: items.length + leftOut,
    isPartial: isCutShort || broken + huge + leftOut > 0,
    warnings: [
      ...warnings,
      ...(broken > 0 ? [`${broken} items could not be read`] : []),
      ...(huge > 0 ? [`${huge} items are larger than ${MAX_ITEM / MIB} MB`] : []),
      ...(mended > 0 ? [`${mended} items are not well-formed`] : []),
      ...(leftOut > 0 ? [`${leftOut} items beyond ${MAX_ITEMS} were left out`] : []),
    ],
  }
}

type CutJson = { head: string; items: Piece[]; leftOut: number; isCutShort: boolean }

/** The most values in one item: each takes far more memory than its text. */
const MAX_VALUES = 50_000
const OPEN = new Set([0x5b, 0x7b])
const CLOSE = new Set([0x5d, 0x7d])

/**
 * Cuts a JSON Feed into its items and the object around them, without reading either, so that nothing larger than an
 * item is ever parsed. An item of too many values is not whole. `head` is an object with an empty list of items.
 */
function cutJson(bytes: Buffer, mostItems: number): CutJson {
  const items: Piece[] = []
  let leftOut = 0
  let depth = 0
  let text = { from: 0, to: 0 }
  let key = ''
  let listFrom = -1
  let listTo = -1
  let itemFrom = -1
  let values = 0
  let at = 0

  for (; at < bytes.length; at++) {
    const sign = bytes[at]!
    if (sign === 0x22) {
      text = { from: at + 1, to: endOfString(bytes, at + 1) }
      at = text.to
    } else if (sign === 0x3a) {
      if (depth === 1) key = bytes.toString('latin1', text.from, Math.min(text.to, text.from + 20))
    } else if (sign === 0x2c) values++
    else if (OPEN.has(sign)) {
      values++
      if (depth === 1 && sign === 0x5b && key === 'items' && listFrom === -1) listFrom = at + 1
      else if (depth === 2 && sign === 0x7b && listFrom !== -1 && listTo === -1) {
        itemFrom = at
        values = 0
      }
      depth++
    } else if (CLOSE.has(sign)) {
      depth--
      if (depth === 2 && itemFrom !== -1) {
        if (items.length < mostItems) items.push({ from: itemFrom, to: at + 1, isWhole: values <= MAX_VALUES })
        else leftOut++
        itemFrom = -1
      } else if (depth === 1 && listFrom !== -1 && listTo === -1) listTo = at
      else if (depth === 0) break
    }
  }
  const isCutShort = depth > 0
  const tail = listTo === -1 || isCutShort ? ']}' : bytes.toString('utf8', listTo, at + 1)
  const head = listFrom === -1 ? bytes.toString('utf8', 0, at + 1) : bytes.toString('utf8', 0, listFrom) + tail
  return { head, items, leftOut, isCutShort }
}

function endOfString(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] === 0x5c) at++
    else if (bytes[at] === 0x22) return at
  }
  return bytes.length
}
