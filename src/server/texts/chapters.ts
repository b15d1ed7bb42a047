import { inOrder, MAX_CHAPTERS } from '../feeds/parse/chapters'
import { parseAddress, parseText } from '../feeds/parse/values'
import { decodeDocument } from '../platform/decode'
import { parseLenient } from '../platform/lenient-json'
import type { ChapterFacts } from '../store/documents'
import { kindOfBytes, kindOfMarkup, type OtherKind } from './other'
import { hasCues, readCues } from './transcripts/cues'
import { readLines } from './transcripts/lines'
import { attributeOf, piecesOf } from './transcripts/markup'
import { readTime } from './transcripts/segments'

type ChapterRequest = { body: Uint8Array; contentType: string; address: string; language: string | null }

/** `format`: json, psc, vtt or text. `text`: the document in UTF-8 if its charset is another one, else null. */
export type ChapterResult = { format: string; chapters: ChapterFacts[]; text: Uint8Array | null } | { kind: OtherKind }

/** Tasks of the second thread for chapter files. */
export type ChapterTasks = { readChapters: { request: ChapterRequest; result: ChapterResult } }

/** Reads a fetched chapter file. Pure: it runs in the second thread. */
export function readChapters({ body, contentType, address, language }: ChapterRequest): ChapterResult {
  const binary = kindOfBytes(body)
  if (binary) return { kind: binary }
  const text = decodeDocument(body, { contentType, language })
  const found = parseChapterFile(text, address)
  if ('kind' in found) return found
  const bytes = Buffer.from(text)
  return { ...found, text: bytes.equals(body) ? null : bytes }
}

/**
 * Reads a chapter file by its content: JSON of Podcasting 2.0 or Podlove, Podlove Simple Chapters in XML, WebVTT, or
 * lines that begin with a time.
 * https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/examples/chapters/jsonChapters.md
 */
export function parseChapterFile(
  text: string,
  address: string,
): { format: string; chapters: ChapterFacts[] } | { kind: OtherKind } {
  const clean = text.trim()
  if (clean === '') return { kind: 'empty' }
  if (/^[[{]/.test(clean)) {
    const json = parseLenient(clean)
    if (json === undefined) return { kind: 'broken-json' }
    const list = listIn(json)
    return list ? { format: 'json', chapters: inOrder(list.flatMap(raw => chapterOf(raw, address))) } : { kind: 'json' }
  }
  if (clean.startsWith('<')) {
    const chapters = podloveChapters(clean, address)
    return chapters ? { format: 'psc', chapters: inOrder(chapters) } : { kind: kindOfMarkup(clean) ?? 'xml' }
  }
  const isVtt = hasCues(clean)
  const timed = (isVtt ? readCues(clean) : readLines(clean)).flatMap(({ startMs, endMs, text }) =>
    startMs === null
      ? []
      : { startMs, endMs: isVtt ? endMs : null, title: parseText(text) ?? '', href: null, imageUrl: null },
  )
  return timed.length > 0 ? { format: isVtt ? 'vtt' : 'text', chapters: inOrder(timed) } : { kind: 'text' }
}

type Raw = Readonly<Record<string, unknown>>

/** The list of chapters: the document itself, or one of its fields. */
function listIn(json: unknown): (Raw | null)[] | null {
  const list = Array.isArray(json) ? json : (json as { chapters?: unknown } | null)?.chapters
  if (!Array.isArray(list) || (list.length > 0 && !list.some(one => startOf(one as Raw | null) !== null))) return null
  return (list as (Raw | null)[]).slice(0, MAX_CHAPTERS * 2)
}

const first = (raw: Raw, ...names: string[]) => names.map(name => raw[name]).find(value => value != null)
const textIn = (raw: Raw, ...names: string[]) => {
  const value = first(raw, ...names)
  return typeof value === 'string' ? value : null
}

const startOf = (raw: Raw | null) => (raw ? readTime(first(raw, 'startTime', 'start', 'start_time', 'time')) : null)

/** Reads a chapter; none if it isn't meant for a table of contents. */
function chapterOf(raw: Raw | null, address: string): ChapterFacts[] {
  const startMs = startOf(raw)
  if (!raw || startMs === null || raw['toc'] === false || raw['toc'] === 'false') return []
  const endMs = readTime(first(raw, 'endTime', 'end', 'end_time'))
  return [
    {
      startMs,
      endMs: endMs !== null && endMs > startMs ? endMs : null,
      title: parseText(textIn(raw, 'title', 'name', 'label')) ?? '',
      href: parseAddress(textIn(raw, 'url', 'href', 'link'), address),
      imageUrl: parseAddress(textIn(raw, 'img', 'image'), address),
    },
  ]
}

/** Podlove Simple Chapters as a file, https://podlove.org/simple-chapters/. Null if there are none. */
function podloveChapters(xml: string, address: string): ChapterFacts[] | null {
  const chapters: ChapterFacts[] = []
  let isList = false
  for (const piece of piecesOf(xml)) {
    if (piece.is !== 'open') continue
    if (piece.name === 'chapters') isList = true
    if (piece.name !== 'chapter') continue
    const valueOf = (name: string) => attributeOf(piece.attributes, name)
    const startMs = readTime(valueOf('start') ?? valueOf('starttime'))
    if (startMs === null) continue
    chapters.push({
      startMs,
      endMs: null,
      title: parseText(valueOf('title')) ?? '',
      href: parseAddress(valueOf('href'), address),
      imageUrl: parseAddress(valueOf('image'), address),
    })
    if (chapters.length === MAX_CHAPTERS * 2) break
  }
  return isList || chapters.length > 0 ? chapters : null
}
