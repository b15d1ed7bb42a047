import { SECOND } from '../../platform/clock'
import { decodeHTML } from '../../platform/markup'
import type { Segment } from '../../store/documents'
import { findLabel, linesOf, MAX_SEGMENTS, nameSpeakers, oneLine, readStamp, stamp } from './segments'

const arrow = String.raw`\s?(?:-{1,3}\s?>|-{1,3}\s?&gt;|[–—→]>?|=>)\s?`
/** The line above a cue, as in SubRip, WebVTT and YouTube's SBV, with what may follow it. */
const timing = new RegExp(
  String.raw`^\s{0,9}[[(]?(${stamp})[\])]?(?:${arrow}|,(?=\d))[[(]?(${stamp})[\])]?(?=\s|$)(.*)$`,
)

type Timing = { startMs: number; endMs: number | null; rest: string }

function timingOf(line: string): Timing | null {
  // Most lines are text.
  const found = line.length < 1000 && /\d:/.test(line) ? timing.exec(line) : null
  const startMs = found && readStamp(found[1]!)
  return startMs === null ? null : { startMs, endMs: readStamp(found![2]!), rest: withoutSettings(found![3]!.trim()) }
}

/** Drops the settings after the times, which say where to show the cue: `align:start`, `X1:100`. */
const withoutSettings = (rest: string) =>
  rest.split(/\s+/).every(word => word === '' || /^[a-z][a-z\d]{1,20}:\S+$/i.test(word)) ? '' : rest

export const hasCues = (text: string) => linesOf(text).some(line => timingOf(line) !== null)

/**
 * Reads WebVTT and SubRip as people write them: a line with two times begins a cue, and everything up to the next one is
 * what was said, except for the number or name of the next cue.
 */
export function readCues(text: string): Segment[] {
  const isVtt = /^\s{0,9}WEBVTT/.test(text)
  const cues: { timing: Timing; lines: string[] }[] = []
  let before: string[] = []
  let isNumbered = false
  for (const line of linesOf(text)) {
    const found = timingOf(line)
    if (!found) {
      before.push(line)
      continue
    }
    if (cues.length === 0) isNumbered = isNumber(before.at(-1))
    else cues.at(-1)!.lines = withoutName(before, isVtt, isNumbered)
    cues.push({ timing: found, lines: [] })
    before = found.rest ? [found.rest] : []
  }
  if (cues.length > 0) cues.at(-1)!.lines = before
  const segments = cues.flatMap(cue => segmentsOf(cue.timing, spoken(cue.lines, isVtt, isNumbered)))
  return nameSpeakers(segments)
}

const isNumber = (line: string | undefined) => /^\s{0,9}#?\d{1,9}\.?\s{0,9}$/.test(line ?? '')
const isBlank = (line: string | undefined) => line === undefined || line.trim() === ''

/** Drops the number or name of the next cue from the lines of this one. */
function withoutName(lines: readonly string[], isVtt: boolean, isNumbered: boolean): string[] {
  const last = lines.findLastIndex(line => !isBlank(line))
  if (isNumbered && isNumber(lines[last])) return lines.slice(0, last)
  // In WebVTT a cue may have any name, directly above its time.
  const isName = isVtt && last === lines.length - 1 && isBlank(lines[last - 1])
  return isName && lines.slice(0, last).some(line => !isBlank(line)) ? lines.slice(0, last) : [...lines]
}

/** Drops the blocks of WebVTT that aren't speech, and cues that have a number but no time. */
function spoken(lines: readonly string[], isVtt: boolean, isNumbered: boolean): string[] {
  const kept: string[] = []
  let isDropped = false
  let hasText = false
  for (const [index, line] of lines.entries()) {
    if (isBlank(line)) isDropped = false
    else if (index > 0 && isBlank(lines[index - 1]))
      isDropped = isVtt ? /^(NOTE|STYLE|REGION)(\s|$)/.test(line) : isNumbered && hasText && isNumber(line)
    hasText ||= !isBlank(line)
    if (!isDropped) kept.push(line)
  }
  return kept
}

/** Splits a cue by its voices: those that WebVTT names, else those that each line names. */
function segmentsOf({ startMs, endMs }: Timing, lines: readonly string[]): Segment[] {
  const segments: Segment[] = []
  const add = (speaker: string | null, said: string) => {
    const text = oneLine(said)
    if (text !== '') segments.push({ startMs, endMs, speaker, text })
  }
  const body = lines.join('\n')
  if (/<v[.\s]/i.test(body)) {
    for (const part of body.split(/(?=<v[.\s])|<\/v>/i, MAX_SEGMENTS)) {
      const voice = /^<v(?:\.[^\s<>]{0,100})?\s+([^<>]{1,300})>/i.exec(part)
      add(voice && oneLine(decodeHTML(voice[1]!)), plain(part))
    }
    return segments
  }
  const plainLines = lines.map(line => oneLine(plain(line))).filter(line => line !== '')
  const isDialogue = plainLines.filter(line => findLabel(line) !== null).length > 1
  let said = ''
  for (const line of plainLines) {
    if (isDialogue && findLabel(line)) {
      add(null, said)
      said = ''
    }
    said += `${line}\n`
  }
  add(null, said)
  return segments
}

/** Tags of WebVTT and SubRip: nothing else in angle brackets is one, as in `a < b and c > d`. */
const tags =
  /<\/?(?:(?:[bisu]|c|ruby|rt|em|strong|big|small|tt|v|lang)(?:\.[^\s<>]{0,100})?\s*|(?:v|lang)(?:\.[^\s<>]{0,100})?\s[^<>]{0,300}|(?:font|span|p|div|a)(?:\s[^<>=]{1,50}=[^<>]{0,300})?|\d[\d:.]{0,20})>/gi

const plain = (markup: string) =>
  decodeHTML(
    markup
      .replace(/<br\s{0,9}\/?>|\\[Nn]/gi, ' ')
      .replace(tags, '')
      .replace(/\{\\[^{}\n]{0,200}\}|\{\/?[bisu]\}/gi, ''),
  )

type Timed = Pick<Segment, 'startMs' | 'endMs' | 'speaker' | 'text'>

/** Seconds that a cue is shown if nothing says when it ends, and none follows. */
const LAST_CUE_S = 10

/** Writes segments as WebVTT (https://www.w3.org/TR/webvtt1/): players read it, and so do podcast apps. */
export function writeVtt(segments: readonly Timed[]): string {
  const cues = segments.flatMap(({ startMs, endMs, speaker, text }, index) => {
    if (startMs === null) return []
    const end = endMs ?? Math.max(segments[index + 1]?.startMs ?? 0, startMs + LAST_CUE_S * SECOND)
    const voice = speaker === null ? '' : `<v ${escape(speaker)}>`
    return `${timestamp(startMs)} --> ${timestamp(end)}\n${voice}${escape(text)}\n`
  })
  return ['WEBVTT\n', ...cues].join('\n')
}

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function timestamp(ms: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const seconds = ms / SECOND
  return `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}.${String(ms % SECOND).padStart(3, '0')}`
}
