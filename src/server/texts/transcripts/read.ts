import { decodeDocument } from '../../platform/decode'
import type { Segment } from '../../store/documents'
import { kindOfBytes, kindOfMarkup, type OtherKind } from '../other'
import { hasCues, readCues } from './cues'
import { readJson } from './json'
import { isLyrics, readLines, readLyrics } from './lines'
import { formatOf, type TranscriptFormat } from './format'
import { readPage } from './page'
import { bounded } from './segments'
import { isTtml, readTtml } from './ttml'

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

/** `kind`: what came instead. */
export type TranscriptResult = ReadTranscript | { kind: OtherKind }

/** Tasks of the second thread for transcripts. */
export type TranscriptTasks = { readTranscript: { request: TranscriptRequest; result: TranscriptResult } }

/** Reads a fetched transcript. Pure, and possibly slow: it runs in the second thread. */
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

/** A text without times that is shorter, where something else was promised, is an error message of the host. */
const SHORT = 200

/**
 * Reads a transcript by what it is, whatever its label says: the label decides only whether a text or page without times
 * is a transcript, or an error of its host. Takes time linear in the length of the text.
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
