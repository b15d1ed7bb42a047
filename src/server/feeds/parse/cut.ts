// Why: docs/internals/decisions/0018

/** A stretch of a document's bytes. `isWhole`: it ends with its own end tag. */
export type Piece = { from: number; to: number; isWhole: boolean }

type CutDocument = {
  rootName: string
  /** The pieces around the items, in order. */
  head: Piece[]
  items: Piece[]
  /** Number of items after the last one that is kept. */
  leftOut: number
  isCutShort: boolean
  /** Something else precedes the feed. */
  hasForeword: boolean
}

/** The root of nearly every feed is within so many bytes. */
const SHORT_FOREWORD = 4096
const FOREWORD = 128 * 1024
const LESS = 0x3c
const MORE = 0x3e
const SLASH = 0x2f

/**
 * Cuts the bytes of a document into its items and the head around them, without reading either: it skips comments,
 * CDATA sections and processing instructions, and searches the rest for the tags of items. An item that is not closed
 * ends where the next one begins. Null when there is no feed in the document.
 */
export function cutDocument(bytes: Buffer, mostItems: number): CutDocument | null {
  const root = findRoot(bytes)
  if (!root) return null
  const find = createFinder(bytes)
  const endOfTag = createTagEnd(bytes)
  const names = namesIn(root)
  const items: Piece[] = []
  const head: Piece[] = []
  let headFrom = root.at
  let open = -1
  let leftOut = 0
  let isClosed = false
  /** The place where the document seems to end while an item is open. */
  let tailFrom = -1

  const keep = (to: number, isWhole: boolean) => {
    if (items.length < mostItems) items.push({ from: open, to, isWhole })
    else leftOut++
    headFrom = to
    open = tailFrom = -1
  }

  for (let at = root.at; (at = bytes.indexOf(LESS, at)) !== -1;) {
    const next = bytes[at + 1]
    if (next === 0x21 || next === 0x3f) {
      at = afterSpecial(bytes, find, at)
    } else if (next === SLASH) {
      if (open !== -1 && isNamed(bytes, at + 2, names.item)) keep((at = endOfTag(at)), true)
      else {
        const isRoot = isNamed(bytes, at + 2, names.root)
        if (isRoot) isClosed = true
        if (tailFrom === -1 && (isRoot || isNamed(bytes, at + 2, names.channel))) tailFrom = at
        at += 2
      }
    } else if (isNamed(bytes, at + 1, names.item)) {
      if (open !== -1) keep(at, false)
      if (headFrom < at) head.push({ from: headFrom, to: at, isWhole: true })
      open = headFrom = at
      tailFrom = -1
      at = endOfTag(at)
      if (bytes[at - 2] === SLASH) keep(at, true)
    } else at++
  }
  // The last item of a document that is otherwise whole was only not closed; in a cut one, nobody knows what it lacks.
  if (open !== -1 && isClosed) keep(tailFrom, false)
  if (open === -1 && headFrom < bytes.length) head.push({ from: headFrom, to: bytes.length, isWhole: true })
  return { rootName: root.name, head, items, leftOut, isCutShort: !isClosed, hasForeword: root.hasForeword }
}

/** Names of elements by their purpose, as bytes, with the prefixes that they may have. */
function namesIn({ name }: Root) {
  const local = name.slice(name.indexOf(':') + 1)
  const prefix = name.slice(0, -local.length)
  const item = local === 'feed' ? 'entry' : 'item'
  const prefixes = [...new Set(['', 'atom:', 'rss:', prefix])]
  return {
    root: [Buffer.from(name)],
    channel: ['channel', `${prefix}channel`].map(text => Buffer.from(text)),
    item: prefixes.map(known => Buffer.from(`${known}${item}`)),
  }
}

/**
 * Finds the end of a tag. It is remembered: otherwise the rest of a document of unfinished tags would be searched for
 * each.
 */
function createTagEnd(bytes: Buffer) {
  let lastEnd = 0
  return (at: number) => {
    if (lastEnd <= at) lastEnd = bytes.indexOf(MORE, at) + 1 || bytes.length + 1
    return Math.min(lastEnd, bytes.length)
  }
}

/** The place behind a comment, a CDATA section, a processing instruction or a declaration that begins here. */
function afterSpecial(bytes: Buffer, find: Find, at: number): number {
  const [begin, end, longest] = specials.find(([begin]) => startsWith(bytes, at, begin))!
  const found = end === null ? -1 : find(end, at + begin.length)
  // Never closed: what follows is no part of it.
  if (found === -1 || found - at > longest) return at + begin.length
  return (end === ']]>' ? unclosedSectionEnd(bytes, find, at, found) : null) ?? found + end!.length
}

/** The end of a section that was left open: it ends with its own item, not with the end of the next item's section. */
function unclosedSectionEnd(bytes: Buffer, find: Find, at: number, end: number): number | null {
  const next = find('<![CDATA[', at + 9)
  if (next === -1 || next > end) return null
  const border = nextItem.exec(bytes.toString('latin1', at, Math.min(next, at + MAX_LENGTH)))
  return border && at + border.index
}

const MAX_LENGTH = 4 * 1024 * 1024
const specials = [
  ['<![CDATA[', ']]>', Number.POSITIVE_INFINITY],
  ['<!--', '-->', MAX_LENGTH],
  ['<?', '?>', 65_536],
  ['<!', null, 0],
] as const
const nextItem = /<\/[\w.:-]+\s*>\s*(?=<(?:[\w.-]+:)?(?:item|entry)[\s>])/i

type Root = { name: string; at: number; hasForeword: boolean }

/** Finds the root element of a feed behind anything that a server wrote before it: PHP warnings, an HTML doctype. */
function findRoot(bytes: Buffer): Root | null {
  const short = bytes.toString('latin1', 0, SHORT_FOREWORD)
  // A doctype may be longer than that, and what is in it is no root.
  return (/<!doctype/i.test(short) ? null : findRootIn(short)) ?? findRootIn(bytes.toString('latin1', 0, FOREWORD))
}

function findRootIn(start: string): Root | null {
  // Blanked out, so that nothing in them is taken for the root and every position stays the same.
  const bare = withoutDoctype(start.replace(/<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)/g, blank))
  let isPage = false
  for (const { 0: tag, 1: local, index: at } of bare.matchAll(
    /<(?:[\w.-]+:)?(rss|rdf|feed|channel|html|head|body)(?=[\s>/])/gi,
  )) {
    const before = bare.slice(0, at)
    const kind = local!.toLowerCase()
    if (kind === 'html' || kind === 'head' || kind === 'body') isPage = true
    else if (kind === 'channel' && /<[a-z_]/i.test(before)) continue
    else if (!isPage || before.trimEnd().endsWith('?>')) {
      const hasForeword =
        /<!doctype\s+html/i.test(start.slice(0, at)) || /[^\s]/.test(before.replace(/<\?[^>]*(?:>|$)/g, ''))
      return { name: tag.slice(1).toLowerCase(), at, hasForeword }
    }
  }
  return null
}

/** Blanks out the doctype: its entities are never expanded, its external files never fetched. */
function withoutDoctype(text: string): string {
  const at = text.search(/<!doctype\b/i)
  if (at === -1) return text
  return text.slice(0, at) + text.slice(at).replace(/^<!doctype\b[^[>]*(?:\[[\s\S]*?\]\s*)?>/i, blank)
}

const blank = (found: string) => ' '.repeat(found.length)

function startsWith(bytes: Buffer, at: number, text: string): boolean {
  for (let index = 0; index < text.length; index++) if (bytes[at + index] !== text.charCodeAt(index)) return false
  return true
}

/**
 * Whether one of these names begins at this place and is whole, in upper or lower case. Written with loops, since it is
 * called for millions of tags: the garbage of callbacks would be most of the memory that a feed takes.
 */
function isNamed(bytes: Buffer, at: number, names: readonly Buffer[]): boolean {
  for (const name of names) {
    let index = 0
    while (index < name.length && (bytes[at + index]! | 0x20) === (name[index]! | 0x20)) index++
    if (index < name.length) continue
    const next = bytes[at + index]
    if (next === undefined || next <= 0x20 || next === MORE || next === SLASH || next === LESS) return true
  }
  return false
}

export type Find = (what: string, from: number) => number

/**
 * Finds the next place of a text, and remembers it: a missing text is searched for only once, however often it is
 * requested.
 */
export function createFinder(source: { indexOf: Find }): Find {
  const known = new Map<string, { from: number; at: number }>()
  return (what, from) => {
    const last = known.get(what)
    if (last && from >= last.from && (last.at === -1 || from <= last.at)) return last.at
    const at = source.indexOf(what, from)
    if (last) {
      last.from = from
      last.at = at
    } else known.set(what, { from, at })
    return at
  }
}
