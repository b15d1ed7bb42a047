import { decodeDocument } from '../../platform/decode'
import { type FoundDocument, packDocument, type Segment } from '../../store/documents'
import type { TaskHandlers } from '../../thread'
import { kindOfBytes, kindOfMarkup, type OtherKind } from '../other'
import { hasCues, readCues } from './cues'
import { readJson } from './json'
import { isLyrics, readLines, readLyrics } from './lines'
import { formatOf, type TranscriptFormat } from '../select'
import { bounded, linesOf, MAX_PIECES, nameSpeakers, oneLine, readTime, segmentOf } from './segments'
import { attributeOf, isTtml, piecesOf, readTtml } from './markup'

type TranscriptRequest = {
  body: Uint8Array
  /** The type that the feed names, the one that the host sent, and the address. */
  type: string
  contentType: string
  address: string
  language: string | null
}

/** A transcript that was read; `text`: the document in UTF-8 where it came in another charset, else null. */
type ReadTranscript = { format: TranscriptFormat; segments: Segment[]; text: Uint8Array | null }

/** `kind`: what was received instead. */
export type TranscriptResult = ReadTranscript | { kind: OtherKind }

/** Tasks of the second thread for transcripts. The result is packed there: it may be far longer than the document. */
export type TranscriptTasks = {
  readTranscript: { request: TranscriptRequest; result: FoundDocument | { kind: OtherKind } }
}

export const transcriptTasks: TaskHandlers<TranscriptTasks> = {
  readTranscript(request) {
    const found = readTranscript(request)
    if ('kind' in found) return found
    return { format: found.format, ...packDocument(found.text ?? request.body, found.segments) }
  },
}

/** Reads a fetched transcript. Pure, and possibly slow. */
export function readTranscript({ body, type, contentType, address, language }: TranscriptRequest): TranscriptResult {
  const binary = kindOfBytes(body)
  if (binary) return { kind: binary }
  const text = decodeDocument(body, { contentType, language })
  const found = parseTranscript(text, formatOf(type, address))
  if ('kind' in found) return found
  const bytes = Buffer.from(text)
  return { ...found, text: bytes.equals(body) ? null : bytes }
}

type Parsed = { format: TranscriptFormat; segments: Segment[] } | { kind: OtherKind }

/** If something else was promised, a shorter text without times is an error message of the host. */
const SHORT = 200

/**
 * Reads a transcript by its content, whatever its label says: the label decides only whether a text or page without
 * times is a transcript, or an error of its host. Takes time linear in the length of the text.
 */
export function parseTranscript(text: string, label: TranscriptFormat | null): Parsed {
  const clean = text.trim()
  if (clean === '') return { kind: 'empty' }
  const finish = (format: TranscriptFormat, segments: readonly Segment[]): Parsed => {
    const within = bounded(segments, 2 * clean.length)
    return within.length === 0 ? { kind: 'silent' } : { format, segments: within }
  }
  if (/^\{|^\[\s{0,9}[[{"\]]/.test(clean)) {
    const found = readJson(clean)
    if (found) return finish('json', found)
    if (found === null) return { kind: 'json' }
    if (/^\{\s{0,99}"|^\[\s{0,99}\{/.test(clean)) return { kind: 'broken-json' }
  }
  if (isTtml(clean)) return finish('ttml', readTtml(clean))
  if (clean.startsWith('WEBVTT')) return finish('vtt', readCues(clean))
  if (!clean.startsWith('<') && hasCues(clean)) return finish('srt', readCues(clean))
  if (isMarkup(clean)) {
    const kind = kindOfMarkup(clean)
    if (kind === 'xml' || kind === 'feed' || kind === 'opml') return { kind }
    const page = readPage(clean)
    const isError = kind === 'login' || kind === 'challenge' || (kind !== null && !mayBeWords(label))
    return isError && !page.isTimed ? { kind: kind! } : finish('html', page.segments)
  }
  if (isLyrics(clean)) return finish('lrc', readLyrics(clean))
  const segments = readLines(clean)
  if (!mayBeWords(label) && clean.length < SHORT && segments.every(({ startMs }) => startMs === null))
    return { kind: 'text' }
  return finish('text', segments)
}

/** Whether a label promises words, or nothing, rather than times. */
const mayBeWords = (label: TranscriptFormat | null) => label === null || label === 'html' || label === 'text'

/** Whether a text is HTML or XML, rather than words of which some are in angle brackets. */
const isMarkup = (text: string) =>
  /^<(?:[!?]|html|head|body)/i.test(text) ||
  /<(?:p|div|br|cite|time|li|h\d|table|rss|feed|opml)(?:\s[^<>]{0,500})?\/?>/i.test(text.slice(0, 100_000))

/** Elements whose text isn't speech. */
const silent = new Set(
  'head script style nav footer aside form button select noscript template svg iframe object math audio video'.split(
    ' ',
  ),
)
const blocks = new Set(
  `p div br li ul ol dl dt dd h1 h2 h3 h4 h5 h6 tr td th table blockquote pre section article header main body html hr
  figure figcaption address`.split(/\s+/),
)
/** Blocks that are separated by a line break, not an empty line. */
const lineBlocks = new Set(['br', 'td', 'th', 'dt', 'dd'])

/** A page as text: a line for each block, with the marks that Podcasting 2.0 uses for speakers and times. */
type Part = { is: 'text' | 'speaker' | 'time' | 'break'; text: string }

function* partsOf(html: string): Generator<Part> {
  let pieces = 0
  let depth = 0
  let silentName = ''
  let within: 'text' | 'speaker' | 'time' = 'text'
  for (const piece of piecesOf(html)) {
    if (++pieces > MAX_PIECES) return
    if (silentName !== '') {
      // Only its end tag ends it: if a page leaves it open, the rest is ignored.
      if (piece.is === 'open' && piece.name === silentName && !piece.isEmpty) depth++
      if (piece.is === 'close' && piece.name === silentName && --depth === 0) silentName = ''
    } else if (piece.is === 'text') yield { is: within, text: piece.text }
    else if (piece.is === 'open' && silent.has(piece.name) && !piece.isEmpty) {
      silentName = piece.name
      depth = 1
    } else if (piece.name === 'cite' || piece.name === 'time') {
      const mark = piece.name === 'cite' ? 'speaker' : 'time'
      within = piece.is === 'open' ? mark : 'text'
      const exact = piece.is === 'open' && mark === 'time' ? attributeOf(piece.attributes, 'datetime') : null
      if (exact) yield { is: 'time', text: exact }
    } else if (blocks.has(piece.name)) {
      within = 'text'
      yield { is: 'break', text: lineBlocks.has(piece.name) ? '\n' : '\n\n' }
    }
  }
}

type PageRead = { segments: Segment[]; isTimed: boolean }

/** Reads HTML: that of Podcasting 2.0, and any other whose text says who speaks when. */
function readPage(html: string): PageRead {
  const parts = [...partsOf(html)]
  const isMarked = parts.some(({ is }) => is === 'speaker' || is === 'time')
  const segments = isMarked ? readMarked(parts) : readText(parts)
  return { segments, isTimed: segments.some(({ startMs }) => startMs !== null) }
}

function readText(parts: readonly Part[]): Segment[] {
  // Line breaks of the source are spaces, unless it contains whole cues.
  const raw = parts.map(({ text }) => text).join('')
  if (hasCues(raw)) return readCues(raw)
  const text = parts.map(({ is, text }) => (is === 'break' ? text : text.replace(/\s+/g, ' '))).join('')
  return readLines(
    linesOf(text)
      .map(line => line.trim())
      .join('\n'),
  )
}

/** Podcasting 2.0's HTML: `cite` names the speaker, `time` the time, and both hold for all that follows. */
function readMarked(parts: readonly Part[]): Segment[] {
  const segments: Segment[] = []
  let speaker: string | null = null
  let startMs: number | null = null
  let said = ''
  const close = () => {
    if (said.trim() !== '') segments.push(segmentOf(startMs, oneLine(said), { speaker }))
    said = ''
  }
  for (const { is, text } of parts) {
    if (is === 'text') said += text
    else {
      close()
      if (is === 'speaker')
        speaker =
          oneLine(text)
            .replace(/[:：]$/, '')
            .trim() || null
      if (is === 'time') startMs = readTime(oneLine(text).replace(/^[[(]|[\])]$/g, '')) ?? startMs
    }
  }
  close()
  return nameSpeakers(segments)
}
