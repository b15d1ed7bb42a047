import type { Segment } from '../../store/documents'
import { linesOf, name, nameSpeakers, oneLine, readStamp, segmentOf, stamp } from './segments'

const marked = new RegExp(
  String.raw`^[-–—•*>\s]{0,9}[[(]\s?(${stamp})(?:\s?(?:-{1,2}>?|[–—→])\s?(${stamp}))?\s?[\])][:：]?\s*`,
)
const bare = new RegExp(
  String.raw`^[-–—•*>\s]{0,9}(${stamp})(?:\s?(?:-{1,2}>?|[–—→])\s?(${stamp}))?(?:[:：]?\s+[-–—|]\s+|[:：]\s+|\s+|$)`,
)
/** `Anna Smith 0:05`, `Anna (00:12):`, `Anna [00:12] Hello`: the time after a name. */
const behindName = new RegExp(
  String.raw`^(${name}|\p{L}{2,12}[ _-]?\d{1,3})\s{0,9}(?::\s{0,9})?(?:[[(]\s?(${stamp})\s?[\])][:：]?\s*|[-–—|,]?\s{1,9}(${stamp})\s*$)`,
  'u',
)

type Line = { startMs: number; endMs: number | null; speaker: string | null; text: string; isMarked: boolean }

/** A line that begins with a time, or with a name and a time. */
function timedLine(line: string): Line | null {
  if (!/\d:\s?\d/.test(line.slice(0, 120))) return null
  const lead = marked.exec(line)
  const found = lead ?? bare.exec(line)
  if (found) {
    const startMs = readStamp(found[1]!)
    const endMs = found[2] === undefined ? null : readStamp(found[2])
    const text = line.slice(found[0].length)
    return startMs === null ? null : { startMs, endMs, speaker: null, text, isMarked: lead !== null }
  }
  const named = behindName.exec(line)
  const startMs = named && readStamp(named[2] ?? named[3]!)
  if (startMs === null) return null
  const text = line.slice(named![0].length)
  return { startMs, endMs: null, speaker: named![1]!, text, isMarked: named![2] !== undefined }
}

/** Times count if they do not decrease. A bare one may be the time of day, and counts only together with others. */
function areTimes(lines: readonly Line[]): boolean {
  const backwards = lines.filter((line, index) => index > 0 && line.startMs < lines[index - 1]!.startMs).length
  return lines.length > (lines[0]?.isMarked ? 0 : 1) && backwards * 10 <= lines.length
}

/**
 * Reads plain text: paragraphs, or passages that begin with a time. A passage lasts until the next time or an empty
 * line; a time alone in its line is that of what follows.
 */
export function readLines(text: string): Segment[] {
  const lines = linesOf(text)
  const timed = lines.map(timedLine)
  const isTimed = areTimes(timed.filter(line => line !== null))
  const segments: Segment[] = []
  let open: Segment | null = null
  const close = () => {
    if (open && open.text.trim() !== '') segments.push({ ...open, text: oneLine(open.text) })
    open = null
  }
  for (const [index, line] of lines.entries()) {
    const start = isTimed ? timed[index] : null
    if (start) {
      close()
      open = segmentOf(start.startMs, start.text, { endMs: start.endMs, speaker: start.speaker })
    } else if (line.trim() === '') {
      if (open?.text.trim() !== '') close()
    } else {
      open ??= segmentOf(null, '')
      open.text += `\n${line}`
    }
  }
  close()
  return isTimed ? nameSpeakers(segments) : segments
}

const lyric = /^((?:\[\d{1,4}:\d{1,2}(?:[.:]\d{1,3})?\])+)(.*)$/
const header = /^\[(ti|ar|al|au|by|re|ve|length|offset|la):([^[\]\n]*)\]\s{0,9}$/i

/** Whether a text is lyrics: each line after its time in minutes, as in `[01:02.50]`. */
export function isLyrics(text: string): boolean {
  const lines = text.split('\n', 200).filter(line => line.trim() !== '')
  const heads = lines.filter(line => header.test(line)).length
  const sung = lines.filter(line => lyric.test(line)).length
  const isExact = lines.some(line => /^\[\d{1,4}:\d{2}\.\d{2,3}\]/.test(line))
  return sung > 0 && (heads > 0 || isExact) && 2 * (sung + heads) > lines.length
}

/** Reads LRC: a line may have several times, a word its own, and the whole an offset. */
export function readLyrics(text: string): Segment[] {
  const lines = linesOf(text)
  const offset = Number(lines.map(line => /^\[offset:\s?([+-]?\d{1,7})\]/i.exec(line)?.[1]).find(Boolean) ?? 0)
  const segments = lines.flatMap(line => {
    const found = lyric.exec(line)
    const said = found ? oneLine(found[2]!.replace(/<\d{1,4}:\d{1,2}(?:\.\d{1,3})?>/g, ' ')) : ''
    if (said === '') return []
    return [...found![1]!.matchAll(/\[(\d{1,4}):(\d{1,2})(?:[.:](\d{1,3}))?\]/g)].map(
      ([, minutes, seconds, fraction = '0']) => {
        const ms = (Number(minutes) * 60 + Number(seconds)) * 1000 + Math.floor(Number(`0.${fraction}`) * 1000)
        // A positive offset means sooner.
        return segmentOf(Math.max(ms - offset, 0), said)
      },
    )
  })
  return nameSpeakers(segments.sort((one, other) => one.startMs! - other.startMs!))
}
