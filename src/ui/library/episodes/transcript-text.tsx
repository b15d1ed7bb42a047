import { memo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDuration } from '../../../shared/duration'
import './episode-texts.css'
import type { Paragraph, SentencePlace } from './transcript-flow'

type Props = {
  paragraph: Paragraph
  /** Its place among all paragraphs. */
  place: number
  /** Words in lower case to mark in the text; '' = none. */
  sought: string
  /** The sentence that is spoken now. */
  now: SentencePlace | null
  onPlayAt: (seconds: number) => void
}

/** Compares a paragraph with the one that is spoken: -1 = before it, 0 = that one, 1 = after it; null = none. */
function sideOf(now: SentencePlace | null, place: number): number | null {
  return now && Math.sign(place - now.paragraph)
}

/**
 * A paragraph of a transcript, with its speaker and time. Drawn again only when its marks change: a transcript has
 * hundreds of paragraphs, and the player's position changes often.
 */
export const TranscriptParagraph = memo(
  Paragraph_,
  (one, other) =>
    one.paragraph === other.paragraph &&
    one.sought === other.sought &&
    sideOf(one.now, one.place) === sideOf(other.now, other.place) &&
    (sideOf(one.now, one.place) !== 0 || one.now?.sentence === other.now?.sentence),
)

function Paragraph_({ paragraph, place, sought, now, onPlayAt }: Props) {
  const { t } = useTranslation()
  const { speaker, sentences } = paragraph
  const startMs = sentences[0]!.startMs
  const side = sideOf(now, place)
  const time = startMs === null ? '' : formatDuration(startMs / 1000)
  return (
    <div className={`transcript-paragraph stack spaced ${side === -1 ? 'is-past' : ''}`} data-place={place}>
      {startMs !== null && (
        <button
          type="button"
          className="transcript-time faint plain reach regular numbers text-s"
          aria-label={t('play-from-time', { time })}
          onClick={() => onPlayAt(startMs / 1000)}
        >
          {time}
        </button>
      )}
      {speaker && (
        <strong className="transcript-speaker text-s strong accent truncate" dir="auto">
          {speaker}
        </strong>
      )}
      <p className="flush" dir="auto">
        {sentences.map((sentence, at) => {
          const isNow = side === 0 && now!.sentence === at
          return (
            <span
              // Sentences have no identity except their place.
              // oxlint-disable-next-line react/no-array-index-key
              key={at}
              className={`sentence ${isNow ? 'is-sought' : side === 0 && at < now!.sentence ? 'is-past' : ''}`}
              data-start={sentence.startMs ?? undefined}
              data-end={sentence.endMs ?? undefined}
              aria-current={isNow ? 'true' : undefined}
            >
              {sought ? <Marked text={sentence.text} sought={sought} /> : sentence.text}{' '}
            </span>
          )
        })}
      </p>
    </div>
  )
}

/** A text with every occurrence of the words marked. */
function Marked({ text, sought }: { text: string; sought: string }) {
  const parts: ReactNode[] = []
  const small = text.toLocaleLowerCase()
  let from = 0
  for (let at = small.indexOf(sought); at !== -1; at = small.indexOf(sought, from)) {
    parts.push(text.slice(from, at), <mark key={at}>{text.slice(at, at + sought.length)}</mark>)
    from = at + sought.length
  }
  return [...parts, text.slice(from)]
}
