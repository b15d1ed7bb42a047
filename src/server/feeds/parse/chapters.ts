import { keepSmall } from '../../platform/engine'
import type { ChapterFacts } from '../../store/documents'
import { parseAddress, parseText } from './values'
import { attribute, child, children, type XmlNode } from './xml-node'

export const MAX_CHAPTERS = 1000
const MAX_TITLE = 500

/** `1:02:03.5`, `2:03` or `123.5` in milliseconds; null for anything else. */
export function parseTimestamp(text: string | null | undefined): number | null {
  const match = /^(?:(?:(\d{1,3}):)?(\d{1,3}):)?(\d{1,6})(?:[.,](\d{1,9}))?$/.exec(text?.trim() ?? '')
  if (!match) return null
  const [, hours = '0', minutes = '0', seconds = '0', fraction = '0'] = match
  return (
    (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000 + Math.floor(Number(`0.${fraction}`) * 1000)
  )
}

/** Sorts chapters by time, with one per time, and drops those beyond `MAX_CHAPTERS`. */
export function inOrder(chapters: readonly ChapterFacts[]): ChapterFacts[] {
  if (chapters.length === 0) return []
  const byStart = new Map(chapters.map(chapter => [chapter.startMs, chapter]))
  return [...byStart.values()]
    .sort((one, other) => one.startMs - other.startMs)
    .slice(0, MAX_CHAPTERS)
    .map(chapter => ({ ...chapter, title: chapter.title.slice(0, MAX_TITLE) }))
}

/** Reads Podlove Simple Chapters, https://podlove.org/simple-chapters/ */
export function podloveChapters(item: XmlNode, base: string): ChapterFacts[] {
  const found = children(child(item, 'psc:chapters') ?? {}, 'psc:chapter')
    .slice(0, MAX_CHAPTERS)
    .flatMap(chapter => {
      const startMs = parseTimestamp(attribute(chapter, 'start'))
      if (startMs === null) return []
      return {
        startMs,
        endMs: null,
        title: parseText(attribute(chapter, 'title')) ?? '',
        href: parseAddress(attribute(chapter, 'href'), base),
        imageUrl: parseAddress(attribute(chapter, 'image'), base),
      }
    })
  return inOrder(found)
}

keepSmall(podloveChapters)

/** Whether a character separates a title from its time, or a line from the margin. */
const isBullet = (letter: string | undefined) => letter !== undefined && /[\s•·‧∙●○◦⁃*‣▪▸►➤→✦–—−-]/.test(letter)
const stamp = String.raw`((?:\d{1,2}:)?\d{1,3}:\d{2}|\d{1,3}['’′]\s?\d{2}(?:["”″]|['’′]{2})?)`
const stampFirst = new RegExp(String.raw`^[([]?${stamp}[)\]]?`)
const stampLast = new RegExp(String.raw`\s[([]?${stamp}[)\]]?$`)
/** Fewer time stamps are chapters only if the first is 0:00. */
const MIN_COUNT = 3
const MIN_FROM_START = 2
const MAX_LINES = 2000
const MAX_LINE = 300

/**
 * Reads the chapters that people write into their show notes: lines that begin or end with a time stamp, in order, and
 * none beyond the end; at least three of them, or two from the beginning on.
 */
export function chaptersInNotes(html: string, durationS: number): ChapterFacts[] {
  if (!/\d(?::\d\d|['’′]|&(?:#39|apos);)/.test(html)) return []
  const lines = html
    .replace(/<(br|\/p|\/li|\/div|\/h\d|\/tr)\b[^<>]*>/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .split('\n')
    .slice(0, MAX_LINES)
  const found: ChapterFacts[] = []
  for (const spaced of lines) {
    const line = spaced
      .replace(/&(?:#39|apos);/g, "'")
      .replaceAll('&quot;', '"')
      .replace(/\s+/g, ' ')
    if (line.length > MAX_LINE) continue
    const [stamp, words] = partsOf(withoutBullets(line))
    const startMs = parseTimestamp(inColons(stamp))
    const title = parseText(words)
    if (startMs === null || title === null) continue
    if (durationS > 0 && startMs >= durationS * 1000) return []
    if (startMs <= (found.at(-1)?.startMs ?? -1)) return []
    found.push({ startMs, endMs: null, title, href: null, imageUrl: null })
  }
  const fewest = found[0]?.startMs === 0 ? MIN_FROM_START : MIN_COUNT
  return found.length >= fewest ? inOrder(found) : []
}

/** `1'05"` as `1:05`. */
const inColons = (stamp: string | undefined) => stamp?.replace(/['’′]\s?(\d{2}).*/, ':$1')

/** A time stamp at one end of a line, and the rest of the line; nothing if there is none. */
function partsOf(line: string): readonly [stamp?: string, words?: string] {
  const first = stampFirst.exec(line)
  const after = first && withoutBullets(withoutBullets(line.slice(first[0].length)).replace(/^[:|.]/, ''))
  if (after) return [first[1]!, after]
  const last = stampLast.exec(line)
  return last ? [last[1]!, withoutBullets(line.slice(0, last.index).trimEnd().replace(/[:|]$/, ''))] : []
}

/** Trims bullets with a loop: a regular expression would backtrack over every way of splitting them. */
function withoutBullets(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && isBullet(text[from])) from++
  while (to > from && isBullet(text[to - 1])) to--
  return text.slice(from, to)
}
