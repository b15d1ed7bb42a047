import { memo, type ReactNode } from 'react'
import type { TranscriptSegment } from '../../../shared/api/transcript'
import { formatDuration } from '../../../shared/duration'

type Props = {
  segment: TranscriptSegment
  /** Words in lower case to mark in the text; '' = none. */
  sought: string
  isNewSpeaker: boolean
  isMarked: boolean
  onPlayAt: (seconds: number) => void
}

/**
 * A line of a transcript; a click plays from there. Drawn again only when its marks change: a transcript has thousands
 * of lines, and the player's position changes often.
 */
export const TranscriptLine = memo(
  Line,
  (one, other) =>
    one.segment === other.segment &&
    one.isMarked === other.isMarked &&
    one.sought === other.sought &&
    one.isNewSpeaker === other.isNewSpeaker,
)

function Line({ segment, sought, isNewSpeaker, isMarked, onPlayAt }: Props) {
  const { startMs, speaker } = segment
  const text = sought ? <Marked text={segment.text} sought={sought} /> : segment.text
  return (
    <p className={isMarked ? 'is-sought' : ''}>
      {isNewSpeaker && speaker && <strong dir="auto">{speaker}</strong>}
      {startMs === null ? (
        text
      ) : (
        <button
          type="button"
          className="moment"
          aria-current={isMarked ? 'true' : undefined}
          onClick={() => onPlayAt(startMs / 1000)}
        >
          <time className="numbers">{formatDuration(startMs / 1000)}</time>
          <span dir="auto">{text}</span>
        </button>
      )}
    </p>
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
