import { decodeHTML } from '../../platform/markup'
import type { Segment } from '../../store/documents'
import { MAX_SEGMENTS, nameSpeakers, oneLine, readTime, segmentOf } from './segments'

/** A piece of a document: text with its entities decoded, or a tag by its name in lower case, without a prefix. */
type Piece =
  | { is: 'text'; text: string }
  | { is: 'open'; name: string; attributes: string; isEmpty: boolean }
  | { is: 'close'; name: string }

// A `<` or `>` ends it even within quotes: so no text is read twice.
const tag = /<(\/?)([a-z][\w.:-]*)(?=[\s/>])([^<>]*)>/iy

/**
 * Cuts HTML or XML into pieces, in one pass. What begins like a tag but isn't one is text; comments, declarations and
 * sections are left out, except for the text of CDATA.
 */
export function* piecesOf(source: string): Generator<Piece> {
  const endOf = createEnds(source)
  let textFrom = 0
  for (let at = source.indexOf('<'); at !== -1;) {
    const special = source[at + 1] === '!' || source[at + 1] === '?' ? sectionAt(source, at, endOf) : null
    tag.lastIndex = at
    const found = special ? null : tag.exec(source)
    if (!special && !found) {
      at = source.indexOf('<', at + 1)
      continue
    }
    if (textFrom < at) yield { is: 'text', text: decodeHTML(source.slice(textFrom, at)) }
    if (special?.text) yield { is: 'text', text: special.text }
    if (found) {
      const [, slash, prefixed = '', attributes = ''] = found
      const name = prefixed.slice(prefixed.lastIndexOf(':') + 1).toLowerCase()
      yield slash ? { is: 'close', name } : { is: 'open', name, attributes, isEmpty: attributes.endsWith('/') }
    }
    textFrom = special ? special.end : tag.lastIndex
    at = source.indexOf('<', textFrom)
  }
  if (textFrom < source.length) yield { is: 'text', text: decodeHTML(source.slice(textFrom)) }
}

type EndOf = (mark: string, from: number) => number

/** Finds where the next mark is, else the end of the source. Remembers the result, so that nothing is read twice. */
function createEnds(source: string): EndOf {
  const ends = new Map<string, number>()
  return (mark, from) => {
    if ((ends.get(mark) ?? -1) < from) {
      const found = source.indexOf(mark, from)
      ends.set(mark, found === -1 ? source.length : found)
    }
    return ends.get(mark)!
  }
}

/** A comment, declaration or instruction, which has no text, or CDATA, which has. */
function sectionAt(source: string, at: number, endOf: EndOf) {
  const isData = source.startsWith('<![CDATA[', at)
  const mark = isData ? ']]>' : source.startsWith('<!--', at) ? '-->' : '>'
  const end = endOf(mark, at)
  return { end: Math.min(end + mark.length, source.length), text: isData ? source.slice(at + 9, end) : null }
}

/** The value of an attribute, by its name with or without a prefix; null if there is none. */
export function attributeOf(attributes: string, name: string): string | null {
  for (const [, key, quoted, single, bare] of attributes.matchAll(attribute))
    if (key!.toLowerCase() === name) return decodeHTML(quoted ?? single ?? bare ?? '').trim()
  return null
}

const attribute =
  /(?:^|[\s:])([a-z][\w.-]{0,50})\s{0,9}=\s{0,9}(?:"([^"]{0,4096})"|'([^']{0,4096})'|([^\s"'>]{1,4096}))/gi

/** Whether a document is TTML; it may begin with a declaration and comments. */
export const isTtml = (text: string) => /<(?:[a-z]{1,20}:)?tt[\s>]/i.test(text.slice(0, 4096))

type Reading = {
  segments: Segment[]
  /** The paragraph that is open. */
  current: Segment | null
  /** When the division around it begins; null = it does not say. */
  divisionMs: number | null
  /** Names of speakers by the id of their agent, and the agent that is being described. */
  names: Map<string, string>
  agent: string
  isName: boolean
  ticksPerS: number
  framesPerS: number
}

/** Reads the Timed Text Markup Language, https://www.w3.org/TR/ttml2/: paragraphs with `begin` and `end`. */
export function readTtml(text: string): Segment[] {
  const reading: Reading = {
    segments: [],
    current: null,
    divisionMs: null,
    names: new Map(),
    agent: '',
    isName: false,
    ticksPerS: 1,
    framesPerS: 30,
  }
  for (const piece of piecesOf(text)) {
    if (reading.segments.length === MAX_SEGMENTS) break
    if (piece.is === 'open') begin(reading, piece.name, piece.attributes)
    else if (piece.is === 'close') end(reading, piece.name)
    else if (reading.isName) reading.names.set(reading.agent, oneLine(piece.text))
    else if (reading.current) reading.current.text += piece.text
  }
  close(reading)
  return nameSpeakers(reading.segments)
}

function begin(reading: Reading, name: string, attributes: string) {
  const has = (key: string) => attributeOf(attributes, key)
  const { current } = reading
  if (name === 'tt') {
    reading.ticksPerS = Number(has('tickrate')) || 1
    reading.framesPerS = Number(has('framerate')) || 30
  } else if (name === 'agent') reading.agent = has('id') ?? ''
  else if (name === 'name') reading.isName = true
  else if (name === 'div') reading.divisionMs = offsetOf(has('begin'), reading)
  else if (name === 'br' && current) current.text += ' '
  else if (name === 'p') {
    close(reading)
    const agent = (has('agent') ?? '').split(/\s/, 1)[0]!
    const times = timesOf(has, reading)
    reading.current = segmentOf(times.startMs ?? reading.divisionMs, '', {
      endMs: times.endMs,
      speaker: reading.names.get(agent) ?? (agent || null),
    })
  } else if (name === 'span' && current) {
    // Some documents time the words, not the paragraph.
    const { startMs, endMs } = timesOf(has, reading)
    current.startMs ??= startMs
    if (startMs !== null && endMs !== null) current.endMs = Math.max(current.endMs ?? 0, endMs)
  }
}

function end(reading: Reading, name: string) {
  if (name === 'name') reading.isName = false
  if (name === 'p') close(reading)
  if (name === 'div') reading.divisionMs = null
}

function close(reading: Reading) {
  const { current, segments } = reading
  if (current && current.text.trim() !== '') segments.push({ ...current, text: oneLine(current.text) })
  reading.current = null
}

/** By the standard, times count from the start of the division; many documents count from the start of the whole. */
function timesOf(has: (key: string) => string | null, reading: Reading) {
  const starts = offsetOf(has('begin'), reading)
  const shift = reading.divisionMs !== null && starts !== null && starts < reading.divisionMs ? reading.divisionMs : 0
  const ends = offsetOf(has('end'), reading)
  const lasts = offsetOf(has('dur'), reading)
  const startMs = starts === null ? null : starts + shift
  return {
    startMs,
    endMs: ends !== null ? ends + shift : lasts !== null && startMs !== null ? startMs + lasts : null,
  }
}

/** Milliseconds of a clock time, possibly with frames, or of a number with a unit. */
function offsetOf(text: string | null, { ticksPerS, framesPerS }: Reading): number | null {
  if (text === null) return null
  const framed = /^(\d{2,6}:\d{2}:\d{2}):(\d{1,3})(?:\.\d{1,3})?$/.exec(text)
  if (framed) return readTime(framed[1])! + Math.floor((Number(framed[2]) * 1000) / framesPerS)
  const counted = /^(\d{1,15}(?:\.\d{1,9})?)([tf])$/.exec(text)
  return counted ? readTime(Number(counted[1]) / (counted[2] === 't' ? ticksPerS : framesPerS)) : readTime(text)
}
