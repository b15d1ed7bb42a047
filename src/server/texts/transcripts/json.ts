import { parseLenient } from '../../platform/lenient-json'
import type { Segment } from '../../store/documents'
import { nameSpeakers, oneLine, readTime, segmentOf } from './segments'

type Raw = Readonly<Record<string, unknown>>

/** A piece of speech, from any of the shapes below; times in milliseconds. */
type Said = { startMs: number | null; endMs: number | null; speaker: string | null; text: string; isWord: boolean }

/**
 * Reads the JSON of Podcasting 2.0, Podlove, and of programs that transcribe speech: Whisper, Deepgram, AWS Transcribe,
 * AssemblyAI, Rev and Google. Null for any other JSON, undefined for text that isn't JSON.
 */
export function readJson(text: string): Segment[] | null | undefined {
  if (brackets(text) > MAX_BRACKETS) return null
  const json = parseLenient(text)
  if (typeof json !== 'object') return undefined
  const said = saidIn(json, 0)
  return said && nameSpeakers(joined(said))
}

/** Lists and objects that are parsed: words with their times are some 100,000 in ten hours. */
const MAX_BRACKETS = 400_000

function brackets(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x5b || code === 0x7b) count++
  }
  return count
}

/** Fields under which programs keep what was said, the best first: whole passages before words. */
const lists = `segments utterances transcripts transcription monologues paragraphs audio_segments cues captions events
  items words channels alternatives results transcript data`.split(/\s+/)
const MAX_DEPTH = 6

/** Looks for a list of passages, field by field. Null if there is none. */
function saidIn(value: unknown, depth: number): Said[] | null {
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return null
  if (Array.isArray(value)) return saidInList(value as unknown[], depth)
  const raw = value as Raw
  const isMs = 'audio_duration' in raw || 'acoustic_model' in raw
  let untimed: Said[] | null = null
  for (const name of lists) {
    const found = saidIn(raw[name], depth + 1)
    if (found?.some(({ startMs }) => startMs !== null)) return isMs ? found.map(inMs) : found
    untimed ??= found
  }
  if (untimed) return untimed
  const whole = wordsOf(raw['transcript'] ?? raw['text'])
  return whole.trim() === '' ? null : [saidOf(raw, whole, false)]
}

/** AssemblyAI counts in milliseconds, others in seconds. */
const inMs = (said: Said): Said => ({
  ...said,
  startMs: said.startMs === null ? null : Math.floor(said.startMs / 1000),
  endMs: said.endMs === null ? null : Math.floor(said.endMs / 1000),
})

function saidInList(list: readonly unknown[], depth: number): Said[] | null {
  const found: Said[] = []
  for (const value of list) {
    if (typeof value === 'string') {
      found.push({ startMs: null, endMs: null, speaker: null, text: value, isWord: false })
      continue
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue
    // One by one: half a million at once are more than a call may have arguments.
    for (const said of saidBy(value as Raw, depth)) found.push(said)
  }
  return found.length > 0 ? found : null
}

/** One entry of a list: a passage, a word, or a group of passages of one speaker. */
function saidBy(raw: Raw, depth: number): Said[] {
  const words = wordsOf(
    raw['body'] ?? raw['text'] ?? raw['transcript'] ?? raw['punctuated_word'] ?? raw['word'] ?? raw['value'],
  )
  const startMs = startOf(raw)
  if (words !== '' && startMs !== null) return [saidOf(raw, words, 'word' in raw || raw['type'] === 'text')]
  const inner = saidWithin(raw, depth)
  if (inner) {
    const speaker = speakerOf(raw)
    return inner.map((one, index) => ({
      ...one,
      startMs: one.startMs ?? (index === 0 ? startMs : null),
      speaker: one.speaker ?? speaker,
    }))
  }
  return words === '' ? [] : [saidOf(raw, words, raw['type'] === 'punct')]
}

/** Fields of an entry, each once: looking twice into each would take twice the time at each depth. */
const within = [...new Set(['sentences', 'elements', 'segs', 'words', ...lists])]

/** Passages or words within an entry. */
function saidWithin(raw: Raw, depth: number): Said[] | null {
  // AWS gives each word alternatives, the likeliest first, and the time next to them.
  const alternatives = raw['alternatives']
  if (Array.isArray(alternatives)) {
    const first = alternatives[0] as Raw | undefined
    const content = wordsOf(first?.['content'])
    if (content !== '') return [{ ...saidOf(raw, content, true), startMs: startOf(raw) }]
    return saidIn(first, depth + 1)
  }
  for (const name of within) {
    const found = saidIn(raw[name], depth + 1)
    if (found) return found
  }
  return null
}

const saidOf = (raw: Raw, text: string, isWord: boolean): Said => ({
  startMs: startOf(raw),
  endMs: endOf(raw),
  speaker: speakerOf(raw),
  text,
  isWord,
})

const part = (value: unknown, name: string) =>
  typeof value === 'object' && value !== null ? (value as Raw)[name] : undefined
const msOf = (value: unknown) => (typeof value === 'number' ? readTime(value / 1000) : null)

const startOf = (raw: Raw) =>
  msOf(raw['start_ms'] ?? raw['tStartMs'] ?? part(raw['offsets'], 'from')) ??
  readTime(
    raw['startTime'] ??
      raw['start'] ??
      raw['start_time'] ??
      raw['ts'] ??
      raw['from'] ??
      part(raw['timestamps'], 'from'),
  )

function endOf(raw: Raw): number | null {
  const length = msOf(raw['dDurationMs'])
  if (length !== null) return startOf(raw)! + length
  return (
    msOf(raw['end_ms'] ?? part(raw['offsets'], 'to')) ??
    readTime(
      raw['endTime'] ?? raw['end'] ?? raw['end_time'] ?? raw['end_ts'] ?? raw['to'] ?? part(raw['timestamps'], 'to'),
    )
  )
}

/** A name, or the number that a program gives to a voice. */
function speakerOf(raw: Raw): string | null {
  for (const field of ['speaker', 'speaker_label', 'speakerTag', 'voice', 'speaker_name']) {
    const value = raw[field]
    const name = typeof value === 'number' ? `Speaker ${value}` : oneLine(wordsOf(part(value, 'name') ?? value))
    if (name !== '') return name
  }
  return null
}

/** The text of a field; some write a number as a JSON number. */
const wordsOf = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

const MAX_MS = 12_000

/** Joins single words into sentences. Passages stay as they are. */
function joined(said: readonly Said[]): Segment[] {
  const areWords = said.every(({ isWord }) => isWord) || areSingleWords(said)
  const segments: Segment[] = []
  for (const { startMs, endMs, speaker, text, isWord } of said) {
    const words = oneLine(text)
    if (words === '') continue
    const last = segments.at(-1)
    if (last && (areWords || isWord) && isContinued(last, speaker, startMs)) {
      last.text += /^[,.;:!?…)%]/.test(words) ? words : ` ${words}`
      last.endMs = endMs ?? last.endMs
    } else segments.push(segmentOf(startMs, words, { endMs, speaker }))
  }
  return segments
}

/** Whether the passages of a list are words: they are short, and hardly any has a space within it. */
function areSingleWords(said: readonly Said[]): boolean {
  const spoken = said.filter(({ text }) => text.trim() !== '')
  const spaced = spoken.filter(({ text }) => /\S\s+\S/.test(text)).length
  const length = spoken.reduce((sum, { text }) => sum + text.trim().length, 0)
  return spoken.length > 2 && spaced * 20 <= spoken.length && length <= 9 * spoken.length
}

/** Whether a word continues the sentence: it has not ended, the speaker is the same, and it is not too long. */
function isContinued(last: Segment, speaker: string | null, startMs: number | null): boolean {
  if (speaker !== null && speaker !== last.speaker) return false
  if (/[.!?…]["'”’)]?$/.test(last.text) || last.text.length > 240) return false
  return last.startMs !== null && (startMs === null || startMs - last.startMs < MAX_MS)
}
