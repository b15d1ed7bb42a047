import type { TranscriptSegment } from '../../../shared/api/texts'

/** Times in milliseconds; null if the transcript has none. */
export type Sentence = { startMs: number | null; endMs: number | null; text: string }
export type Paragraph = { speaker: string | null; sentences: readonly Sentence[] }

/** A pause after which a sentence has ended without a full stop, and one after which a paragraph has. */
const PAUSE_MS = 1500
const LONG_PAUSE_MS = 3000
/** The words after which a paragraph ends with its sentence. */
const MAX_PARAGRAPH_WORDS = 90
/** The words of a sentence that has no full stop, as in captions that a program made. */
const MAX_SENTENCE_WORDS = 30
/** The fewest words that a rolling caption repeats, and the most that are compared: a line may be a whole text. */
const MIN_REPEATED = 2
const MAX_REPEATED = 40

const endsSentence = (text: string) => /[.?!…。？！][\p{Pe}\p{Pf}"']*$/u.test(text)
const wordsOf = (text: string) => text.split(/\s+/).filter(Boolean)

/**
 * Joins the lines of a transcript into sentences and paragraphs. A sentence ends with its full stop, a pause or another
 * speaker; a paragraph with another speaker, a long pause or ninety words.
 */
export function paragraphsOf(segments: readonly TranscriptSegment[]): Paragraph[] {
  const paragraphs: { speaker: string | null; sentences: Sentence[] }[] = []
  let last: TranscriptSegment | null = null
  let words = 0
  for (const segment of withoutRepeats(segments)) {
    const paragraph = paragraphs.at(-1)
    const sentence = paragraph?.sentences.at(-1)
    const pauseMs = last ? pauseBetween(last, segment) : 0
    const isEnough = !!sentence && wordsOf(sentence.text).length >= MAX_SENTENCE_WORDS
    const isOver = !last || endsSentence(last.text) || pauseMs > PAUSE_MS || isEnough
    const isOther = !paragraph || paragraph.speaker !== segment.speaker
    const isLong = isOver && words >= MAX_PARAGRAPH_WORDS
    if (isOther || pauseMs > LONG_PAUSE_MS || isLong) {
      paragraphs.push({ speaker: segment.speaker, sentences: [sentenceOf(segment)] })
      words = 0
    } else if (isOver) paragraph.sentences.push(sentenceOf(segment))
    else paragraph.sentences[paragraph.sentences.length - 1] = joined(sentence!, segment)
    words += wordsOf(segment.text).length
    last = segment
  }
  return paragraphs
}

const sentenceOf = ({ startMs, endMs, text }: TranscriptSegment): Sentence => ({ startMs, endMs, text: text.trim() })

const joined = (sentence: Sentence, { endMs, text }: TranscriptSegment): Sentence => ({
  ...sentence,
  endMs: endMs ?? sentence.endMs,
  text: `${sentence.text} ${text.trim()}`,
})

const pauseBetween = ({ endMs, startMs: before }: TranscriptSegment, { startMs }: TranscriptSegment) =>
  startMs === null || (endMs ?? before) === null ? 0 : startMs - (endMs ?? before)!

/** Removes the words with which a caption repeats the end of the one before, as rolling captions do. */
function withoutRepeats(segments: readonly TranscriptSegment[]): TranscriptSegment[] {
  let before: string[] = []
  return segments.flatMap(segment => {
    const words = wordsOf(segment.text)
    const most = Math.min(before.length, words.length, MAX_REPEATED)
    const repeated = Array.from({ length: most }, (_, index) => most - index).find(
      count => before.slice(-count).join(' ').toLowerCase() === words.slice(0, count).join(' ').toLowerCase(),
    )
    before = words
    if (!repeated || repeated < MIN_REPEATED) return words.length > 0 ? [segment] : []
    const rest = words.slice(repeated)
    return rest.length > 0 ? [{ ...segment, text: rest.join(' ') }] : []
  })
}

/** A sentence by its place: in which paragraph, and where in that. */
export type SentencePlace = { paragraph: number; sentence: number }

/** Finds the sentence that is spoken at a second; null before the first one. */
export function placeAt(paragraphs: readonly Paragraph[], second: number): SentencePlace | null {
  let found: SentencePlace | null = null
  for (const [paragraph, { sentences }] of paragraphs.entries())
    for (const [sentence, { startMs }] of sentences.entries()) {
      if (startMs === null) continue
      if (startMs >= (second + 1) * 1000) return found
      found = { paragraph, sentence }
    }
  return found
}
