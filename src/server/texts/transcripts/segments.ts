import type { Segment } from '../../store/documents'

export const MAX_SEGMENTS = 50_000
export const MAX_TEXT = 4000
export const MAX_SPEAKER = 200

export const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

export const segmentOf = (startMs: number | null, text: string, more: Partial<Segment> = {}): Segment => ({
  startMs,
  endMs: null,
  speaker: null,
  text,
  ...more,
})

/**
 * Keeps segments within the bounds of any transcript; a long one becomes several, of which only the first has a time.
 * Together they say no more than `longest` characters: a document may repeat what it says once.
 */
export function bounded(segments: readonly Segment[], longest: number): Segment[] {
  const kept: Segment[] = []
  let length = 0
  for (const { startMs, endMs, speaker, text } of segments) {
    // A name is repeated in every segment, so a long one is costly.
    const name =
      oneLine(speaker ?? '')
        .slice(0, MAX_SPEAKER)
        .toWellFormed() || null
    for (const [index, said] of passagesOf(oneLine(text).toWellFormed()).entries()) {
      length += said.length
      if (kept.length === MAX_SEGMENTS || length > longest) return kept
      const isTimed = index === 0 && startMs !== null
      const isEnded = isTimed && endMs !== null && endMs >= startMs
      kept.push({ startMs: isTimed ? startMs : null, endMs: isEnded ? endMs : null, speaker: name, text: said })
    }
  }
  return kept
}

/** Cuts a text at the ends of sentences, else between words, into parts of at most `MAX_TEXT`; none of an empty one. */
function passagesOf(text: string): string[] {
  const passages: string[] = []
  let from = 0
  while (text.length - from > MAX_TEXT) {
    const part = text.slice(from, from + MAX_TEXT)
    const sentence = Math.max(
      part.lastIndexOf('. '),
      part.lastIndexOf('? '),
      part.lastIndexOf('! '),
      part.lastIndexOf('。'),
    )
    const end = sentence > MAX_TEXT / 2 ? sentence + 1 : part.lastIndexOf(' ')
    const to = from + (end > 0 ? end : MAX_TEXT)
    passages.push(text.slice(from, to).trim())
    from = to
  }
  const last = text.slice(from).trim()
  return (last === '' ? passages : [...passages, last]).filter(passage => passage !== '')
}
