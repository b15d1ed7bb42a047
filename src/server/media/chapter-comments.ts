import { MAX_CHAPTERS, parseTimestamp } from '../feeds/parse/chapters'
import { parseAddress, parseText } from '../feeds/parse/values'
import type { ChapterFacts } from '../store/documents'

type Parts = Partial<Record<'' | 'NAME' | 'URL', string>>

/**
 * Collects the chapters among the comments of Vorbis, Opus and FLAC: `CHAPTER001=00:01:02.500`, `CHAPTER001NAME=…` and
 * `CHAPTER001URL=…`, in any order. https://wiki.xiph.org/Chapter_Extension
 */
export function collectChapters() {
  const found = new Map<string, Parts>()
  return {
    add(comment: string) {
      const [, place, part, value] = /^CHAPTER(\d{1,4})(NAME|URL|)=(.*)$/is.exec(comment) ?? []
      if (place === undefined) return
      found.getOrInsertComputed(place, () => ({}))[part!.toUpperCase() as keyof Parts] = value!
    },
    chapters: (): ChapterFacts[] => [...found.values()].flatMap(chapterOf).slice(0, MAX_CHAPTERS * 2),
  }
}

function chapterOf({ '': time, NAME: name, URL: url }: Parts): ChapterFacts[] {
  const startMs = parseTimestamp(time)
  if (startMs === null) return []
  const href = url ? parseAddress(url, 'https://invalid.invalid/') : null
  return [{ startMs, endMs: null, title: parseText(name ?? '') ?? '', href, imageUrl: null }]
}
