import fc from 'fast-check'
import { chaptersInNotes } from '../../../src/server/feeds/parse/chapters'
import type { TranscriptFormat } from '../../../src/server/texts/select'
import { parseTranscript } from '../../../src/server/texts/transcripts/read'
import type { ChapterFacts } from '../../../src/server/store/documents'
import { parseChapterFile } from '../../../src/server/texts/chapters'
import { mutated } from '../mutate'
import { mutatedJson } from '../mutate-json'
import * as seeds from '../seeds'
import { require, type Target } from '../target'

const isTime = (ms: number | null) => ms === null || (Number.isSafeInteger(ms) && ms >= 0)

export const transcripts: Target<{ format: TranscriptFormat; text: string }> = {
  name: 'transcripts',
  texts: ['text'],
  inputs: fc.oneof(
    ...Object.entries(seeds.transcripts).map(([format, texts]) =>
      fc.record({
        format: fc.constant(format as TranscriptFormat),
        text: format === 'json' ? fc.oneof(mutated(texts), mutatedJson(texts)) : mutated(texts),
      }),
    ),
  ),
  check({ format, text }) {
    const found = parseTranscript(text, format)
    const segments = 'kind' in found ? [] : found.segments
    require(segments.every(({ startMs, endMs }) => isTime(startMs) && isTime(endMs)), 'a segment begins at no time')
    require(segments.every(({ text }) => text !== ''), 'a segment says nothing')
    const size = segments.reduce((sum, { text }) => sum + text.length, 0)
    require(size <= 2 * text.length, 'a transcript grew out of proportion', { size, from: text.length })
    require(segments.every(({ speaker }) => (speaker?.length ?? 0) <= 200), 'the name of a speaker is too long')
  },
}

function requireSound(chapters: readonly ChapterFacts[]) {
  const starts = chapters.map(({ startMs }) => startMs)
  require(starts.every(isTime), 'a chapter begins at no time', starts)
  require(starts.every(
    (start, index) => index === 0 || start > starts[index - 1]!,
  ), 'chapters are out of order', starts)
  require(chapters.every(({ title }) => title.length <= 500), 'the title of a chapter is too long')
  const addresses = chapters.flatMap(({ href, imageUrl }) => [href, imageUrl]).filter(address => address !== null)
  require(addresses.every(address => /^https?:\/\//.test(address)), 'a chapter leads nowhere', addresses)
}

export const chapters: Target<string> = {
  name: 'chapters',
  inputs: fc.oneof(
    mutated(seeds.chapters),
    mutatedJson(seeds.chapters),
    mutated(seeds.otherChapters),
    mutated(seeds.notes),
  ),
  check(text) {
    const found = parseChapterFile(text, 'https://pod.example/c.json')
    requireSound('kind' in found ? [] : found.chapters)
    requireSound(chaptersInNotes(text, 0))
  },
}
