import { inOrder, MOST_CHAPTERS } from '../feeds/chapters'
import { parseAddress, parseText } from '../feeds/values'
import type { ChapterFacts } from '../store/chapters'

type Raw = Partial<Record<'startTime' | 'endTime' | 'title' | 'url' | 'img' | 'toc', unknown>>

/**
 * A chapter file of Podcasting 2.0,
 * https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/examples/chapters/jsonChapters.md Null when it
 * is none. What is not meant for a table of contents is left out.
 */
export function parseChapterFile(text: string, address: string): ChapterFacts[] | null {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return null
  }
  const list = (json as { chapters?: unknown } | null)?.chapters
  if (!Array.isArray(list)) return null
  const found = (list as (Raw | null)[]).slice(0, MOST_CHAPTERS * 2).flatMap(raw => {
    const startMs = milliseconds(raw?.startTime)
    if (!raw || startMs === null || raw.toc === false) return []
    const endMs = milliseconds(raw.endTime)
    return {
      startMs,
      endMs: endMs !== null && endMs > startMs ? endMs : null,
      title: parseText(typeof raw.title === 'string' ? raw.title : null) ?? '',
      href: typeof raw.url === 'string' ? parseAddress(raw.url, address) : null,
      imageUrl: typeof raw.img === 'string' ? parseAddress(raw.img, address) : null,
    }
  })
  return inOrder(found)
}

function milliseconds(value: unknown): number | null {
  const seconds = typeof value === 'string' ? Number(value) : value
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds < 0 || seconds > 1e6) return null
  return Math.floor(seconds * 1000)
}
