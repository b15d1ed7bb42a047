import { createFinder, type Find } from './cut'
import type { Name, Names } from './names'
import { nodeOf, type XmlNode, withoutSections } from './xml-node'

// Why: docs/internals/decisions/0018

const MAX_DEPTH = 500
const MAX_ELEMENTS = 10_000
const MAX_ATTRIBUTES = 200
/** The length to which texts are cut first. */
const MAX_TEXT = 400_000

/** `node` is null until there is anything in it. */
type Open = { name: Name | null; node: XmlNode | null; text: string }

/**
 * Reads a piece of a document with one element, whole or not; null when there is none, or when it is nested too deeply.
 * `isMended`: an element was left open, closed without being opened, or there were too many. An element left open
 * counts
 * as empty: those behind it become its siblings.
 */
export function readElement(source: string, names: Names): { node: XmlNode; isMended: boolean } | null {
  const root: Open = { name: null, node: {}, text: '' }
  const stack = [root]
  const find = createFinder(source)
  const closings = createClosings(source, find)
  let isMended = false
  let elements = 0
  let at = 0
  let textFrom = 0

  const addText = (from: number, to: number) => {
    const open = stack.at(-1)!
    if (from >= to || open.text.length >= MAX_TEXT || (open.text === '' && isBlank(source, from, to))) return
    open.text += source.slice(from, Math.min(to, from + MAX_TEXT))
  }

  for (let mark = source.indexOf('<'); mark !== -1; mark = source.indexOf('<', at)) {
    at = mark + 1
    const skipped = afterSpecial(source, mark, find)
    if (skipped !== null) {
      addText(textFrom, mark)
      if (source.startsWith('<![CDATA[', mark)) addText(mark + 9, skipped - 3)
      at = textFrom = skipped
      continue
    }
    const isClosing = source.charCodeAt(at) === SLASH
    const nameFrom = isClosing ? at + 1 : at
    const nameTo = endOfName(source, nameFrom)
    // `a < b` in running text, or a section that is never closed.
    if (nameTo === nameFrom) continue
    addText(textFrom, mark)
    const name = names.in(source, nameFrom, nameTo)
    if (isClosing) {
      at = textFrom = afterClosing(source, nameTo)
      if (!closeTag(stack, name.written)) isMended = true
      continue
    }
    if (++elements > MAX_ELEMENTS) {
      at = textFrom = source.length
      isMended = true
      break
    }
    const open: Open = { name, node: null, text: '' }
    const { content, written } = name
    const { end, isClosed } = readAttributes(source, nameTo, open, names)
    at = textFrom = end
    const close = isClosed || content === null || content === 'nothing' ? -1 : closings(written, end)
    if (close !== -1) {
      const raw = source.slice(end, Math.min(close, end + MAX_TEXT))
      open.text = content === 'title' ? withoutSections(raw) : raw
      at = textFrom = afterClosing(source, close + 2 + written.length)
    }
    if (isClosed || close !== -1 || content === 'nothing') addChild(stack.at(-1)!, open)
    else if (stack.length === MAX_DEPTH) return null
    else stack.push(open)
  }
  addText(textFrom, source.length)
  if (stack.length > 1) isMended = true
  while (stack.length > 1) closeLast(stack, false)
  const first = Object.values(root.node!).flat()[0]
  return first === undefined ? null : { node: nodeOf(first), isMended }
}

function isBlank(source: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!isSpace(source.charCodeAt(at))) return false
  return true
}

const isSpace = (code: number) => code === SPACE || (code >= 0x09 && code <= 0x0d)

/** Closes an element; returns whether it was the one opened last. */
function closeTag(stack: Open[], written: string): boolean {
  const isOpen = ({ name }: Open) => name?.written === written
  const place = isOpen(stack.at(-1)!) ? stack.length - 1 : stack.findLastIndex(isOpen)
  if (place < 1) return false
  const isLast = place === stack.length - 1
  while (stack.length - 1 > place) closeLast(stack, false)
  closeLast(stack, true)
  return isLast
}

/** Whether an element keeps its children even if it is not closed. */
const isContainer = (name: string) => /^(?:.*:)?(?:rss|rdf|channel|feed|item|entry)$/.test(name)

function closeLast(stack: Open[], isClosed: boolean) {
  const open = stack.pop()!
  const parent = stack.at(-1)!
  if (isClosed || open.node === null || isContainer(open.name!.name)) return addChild(parent, open)
  const entries = Object.entries(open.node)
  const attributes = entries.filter(([name]) => name.startsWith('@'))
  addChild(parent, { ...open, node: attributes.length > 0 ? Object.fromEntries(attributes) : null })
  for (const [name, value] of entries)
    if (!name.startsWith('@')) for (const one of [value].flat()) put((parent.node ??= {}), name, one)
}

function addChild(parent: Open, { name, node, text }: Open) {
  const said = text.trim()
  if (node !== null && said !== '') node['#text'] = said
  put((parent.node ??= {}), name!.name, node ?? said)
}

function put(node: XmlNode, name: string, value: string | XmlNode) {
  const before = node[name]
  if (before === undefined) node[name] = value
  else if (Array.isArray(before)) before.push(value)
  else node[name] = [before, value]
}

const tagName = /[A-Za-z_][^\s/<>"'=]*/y
const attributePattern = /[\s/]*([^\s/<>"'=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s<>"']*)))?/y

function readAttributes(source: string, from: number, open: Open, names: Names): { end: number; isClosed: boolean } {
  let at = from
  for (let count = 0; count < MAX_ATTRIBUTES && source.charCodeAt(at) !== MORE; count++) {
    const end = readPlainAttribute(source, at, open, names)
    if (end !== -1) {
      at = end
      continue
    }
    attributePattern.lastIndex = at
    const found = attributePattern.exec(source)
    if (!found) break
    at = attributePattern.lastIndex
    const written = found[1]!
    keepAttribute(open, names, names.in(written, 0, written.length), found[2] ?? found[3] ?? found[4] ?? '')
  }
  const next = endOfTag(source, at)
  const isTag = source[next] === '>'
  return { end: isTag ? next + 1 : next, isClosed: isTag && source[next - 1] === '/' }
}

/** Reads ` name="value"`, as nearly all attributes are written: the pattern takes far longer. Returns its end, or -1. */
function readPlainAttribute(source: string, at: number, open: Open, names: Names): number {
  if (source.charCodeAt(at) !== SPACE) return -1
  const equals = endOfPlainName(source, at + 1)
  if (equals === at + 1 || source.charCodeAt(equals) !== EQUALS || source.charCodeAt(equals + 1) !== QUOTE) return -1
  const close = source.indexOf('"', equals + 2)
  if (close === -1) return -1
  keepAttribute(open, names, names.in(source, at + 1, equals), source.slice(equals + 2, close))
  return close + 1
}

function keepAttribute(open: Open, names: Names, name: Name, value: string) {
  if (name.written.charCodeAt(5) === COLON) names.declare(name, value)
  const node = (open.node ??= {})
  node[name.key] ??= value.length > MAX_TEXT ? value.slice(0, MAX_TEXT) : value
}

const SPACE = 0x20
const QUOTE = 0x22
const SLASH = 0x2f
const COLON = 0x3a
const EQUALS = 0x3d
const MORE = 0x3e

/** The end of the name of an element; `from` where none begins. */
function endOfName(source: string, from: number): number {
  const end = endOfPlainName(source, from)
  const next = source.charCodeAt(end)
  const isPlain = end > from && (next === MORE || next === SPACE || next === SLASH)
  if (isPlain && source.charCodeAt(from) !== COLON) return end
  tagName.lastIndex = from
  return tagName.test(source) ? tagName.lastIndex : from
}

/** The end of the letters and colons from a place on, of which nearly all names consist. */
function endOfPlainName(source: string, from: number): number {
  for (let at = from; ; at++) {
    const code = source.charCodeAt(at)
    const letter = code | 0x20
    if ((letter < 0x61 || letter > 0x7a) && code !== COLON) return at
  }
}

/** The end of a tag, also of a malformed one: the next bracket of either kind. */
function endOfTag(source: string, from: number): number {
  if (source.charCodeAt(from) === MORE) return from
  bracket.lastIndex = from
  return bracket.test(source) ? bracket.lastIndex - 1 : source.length
}
const bracket = /[<>]/g

const afterClosing = (source: string, from: number) => {
  const end = endOfTag(source, from)
  return source[end] === '>' ? end + 1 : end
}

/**
 * The place behind a comment, CDATA section, processing instruction or declaration; null if there is none or it does
 * not end.
 */
function afterSpecial(source: string, at: number, find: Find): number | null {
  const second = source[at + 1]
  if (second !== '?' && second !== '!') return null
  const [begin, end] = specials.find(([begin]) => source.startsWith(begin, at))!
  const found = find(end, at + begin.length)
  return found === -1 ? null : found + end.length
}
const specials = [
  ['<?', '?>'],
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<!', '>'],
] as const

const MAX_MISSING = 100

/**
 * Finds the end tag of an element of text or markup; -1 when the element begins again before it is closed. The content
 * of CDATA is text.
 */
function createClosings(source: string, find: Find) {
  let missing = 0

  function closingOf(tag: string, from: number): number {
    const begins = (at: number) => at !== -1 && /[\s>]/.test(source[at + 1 + tag.length] ?? '')
    for (let at = from; ;) {
      const section = find('<![CDATA[', at)
      const end = section === -1 ? -1 : find(']]>', section + 9)
      const close = find(`</${tag}`, at)
      const again = find(`<${tag}`, at)
      const border = end === -1 ? Number.POSITIVE_INFINITY : section
      if (again < Math.min(border, close) && begins(again)) return -1
      if (close === -1 || close < border) return close
      at = end + 3
    }
  }

  /** The end tag behind plain text or a single section, as nearly all content is; null for any other content. */
  function closingBehind(tag: string, from: number): number | null {
    let next = source.indexOf('<', from)
    if (source.startsWith('<![CDATA[', next)) {
      const end = find(']]>', next + 9)
      if (end === -1) return null
      next = source.indexOf('<', end + 3)
    }
    return next !== -1 && source[next + 1] === '/' && source.startsWith(tag, next + 2) ? next : null
  }

  return (tag: string, from: number): number => {
    if (missing > MAX_MISSING) return -1
    const near = closingBehind(tag, from)
    if (near !== null) return near
    const close = closingOf(tag, from)
    if (close === -1) missing++
    return close
  }
}
