import { decodeHTML } from '../platform/html-entities'
import { parseTimestamp } from './chapters'
import type { Segment } from '../store/documents'

export const MOST_SEGMENTS = 50_000
export const MAX_TEXT = 4000
export const MAX_SPEAKER = 200
const LONGEST_S = 1e6

/** Formats of transcripts that can be read, the best for following along first. */
export type TranscriptFormat = 'vtt' | 'json' | 'srt' | 'html' | 'text'
const formats: readonly [RegExp, TranscriptFormat][] = [
  [/vtt/i, 'vtt'],
  [/json/i, 'json'],
  [/subrip|srt/i, 'srt'],
  [/html/i, 'html'],
  [/text\/plain/i, 'text'],
]

/** The format by the type that the feed names, else by the extension of the address. */
export const formatOf = (type: string, address: string): TranscriptFormat | null =>
  formats.find(([pattern]) => pattern.test(type))?.[1] ??
  formats.find(([pattern]) => pattern.test(URL.parse(address)?.pathname.split('.').pop() ?? ''))?.[1] ??
  null

export const formatOrder = formats.map(([, format]) => format)

type TranscriptRequest = { body: Uint8Array; type: string; address: string }

/** Tasks of the second thread for transcripts. */
export type TranscriptTasks = { readTranscript: { request: TranscriptRequest; result: Segment[] } }

/** Reads the segments of a fetched transcript. Pure, and possibly slow: it runs in the second thread. */
export function readTranscript({ body, type, address }: TranscriptRequest): Segment[] {
  const format = formatOf(type, address)
  return format ? parseTranscript(new TextDecoder().decode(body), format) : []
}

/** Parses the segments of a transcript, in order; none if it cannot be read. Takes time linear in its length. */
export function parseTranscript(text: string, format: TranscriptFormat): Segment[] {
  const clean = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  const segments = readers[format](clean)
  return segments.slice(0, MOST_SEGMENTS).map(segment => ({
    ...segment,
    // A name is repeated in every segment, so a long one is costly.
    speaker: segment.speaker?.slice(0, MAX_SPEAKER) ?? null,
    text: segment.text.slice(0, MAX_TEXT),
  }))
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
const plain = (markup: string) => oneLine(decodeHTML(markup.replace(/<[^<>]*>/g, ' ')))

/** Reads WebVTT and SubRip: blocks that contain a line with an arrow. */
function readCues(text: string): Segment[] {
  return text.split(/\n(?:[ \t]*\n)+/).flatMap(block => {
    const lines = block.split('\n')
    const at = lines.findIndex(line => line.includes('-->'))
    if (at === -1) return []
    const [from, to] = lines[at]!.split('-->')
    const startMs = parseTimestamp(from)
    if (startMs === null) return []
    const body = lines.slice(at + 1).join('\n')
    const voice = /<v(?:\.[^\s<>]*)?\s+([^<>]{1,200})>/.exec(body)?.[1]
    const said = plain(body)
    // Outside WebVTT a speaker is named before a colon.
    const named = voice ? null : /^([\p{Lu}][\p{L}\p{N} .'’-]{0,40}):\s+(\S.*)$/u.exec(said)
    const segment = {
      startMs,
      endMs: parseTimestamp(to?.trim().split(/\s/)[0]),
      speaker: voice ? oneLine(decodeHTML(voice)) : (named?.[1] ?? null),
      text: named?.[2] ?? said,
    }
    return segment.text === '' ? [] : [segment]
  })
}

type RawSegment = Partial<Record<'startTime' | 'start' | 'endTime' | 'end' | 'speaker' | 'body' | 'text', unknown>>
const LONGEST_MS = 12_000

/** Reads Podcasting 2.0's JSON and that of speech recognition. Single words are joined into sentences. */
function readJson(text: string): Segment[] {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return []
  }
  const list = Array.isArray(json) ? json : (json as { segments?: unknown } | null)?.segments
  if (!Array.isArray(list)) return []
  const joined: Segment[] = []
  for (const raw of list as (RawSegment | null)[]) {
    const said = oneLine(wordsOf(raw?.body ?? raw?.text))
    if (said === '') continue
    const startMs = milliseconds(raw?.startTime ?? raw?.start)
    const endMs = milliseconds(raw?.endTime ?? raw?.end)
    const speaker = typeof raw?.speaker === 'string' && raw.speaker.trim() !== '' ? oneLine(raw.speaker) : null
    const last = joined.at(-1)
    if (last && isContinued(last, speaker, startMs)) {
      last.text += /^[,.;:!?…)]/.test(said) ? said : ` ${said}`
      last.endMs = endMs
    } else joined.push({ startMs, endMs, speaker, text: said })
  }
  return joined
}

/** Whether a word continues the sentence: it has not ended, the speaker is the same, and it is not too long. */
function isContinued(last: Segment, speaker: string | null, startMs: number | null): boolean {
  if (speaker !== null && speaker !== last.speaker) return false
  if (/[.!?…]["'”’)]?$/.test(last.text) || last.text.length > 240) return false
  return last.startMs !== null && startMs !== null && startMs - last.startMs < LONGEST_MS
}

/** The text of a segment; some write a number as a JSON number. */
const wordsOf = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

function milliseconds(value: unknown): number | null {
  if (typeof value === 'string') return parseTimestamp(value)
  return typeof value === 'number' && value >= 0 && value <= LONGEST_S ? Math.floor(value * 1000) : null
}

/** Reads Podcasting 2.0's HTML: `cite` names the speaker, `time` the time, `p` holds what was said. */
function readHtml(text: string): Segment[] {
  const body = text.replace(/<(script|style|head)\b[\s\S]*?(<\/\1\s*>|$)/gi, '')
  const segments: Segment[] = []
  let speaker: string | null = null
  let startMs: number | null = null
  const add = (markup: string) => {
    const said = plain(markup)
    if (said !== '') segments.push({ startMs, endMs: null, speaker, text: said })
  }
  for (const piece of body.split(/(?=<(?:cite|time|p|div|br)\b)/i)) {
    const tag = /^<(cite|time)\b[^>]*>([^<]*)<\/\1\s*>/i.exec(piece)
    if (!tag) {
      add(piece)
      continue
    }
    if (tag[1]!.toLowerCase() === 'cite') speaker = plain(tag[2]!).replace(/:$/, '') || null
    else startMs = parseTimestamp(tag[2])
    add(piece.slice(tag[0].length))
  }
  return segments
}

const readText = (text: string): Segment[] =>
  text.split(/\n\s*\n/).flatMap(paragraph => {
    const said = oneLine(paragraph)
    return said === '' ? [] : [{ startMs: null, endMs: null, speaker: null, text: said }]
  })

const readers: Record<TranscriptFormat, (text: string) => Segment[]> = {
  vtt: readCues,
  srt: readCues,
  json: readJson,
  html: readHtml,
  text: readText,
}
