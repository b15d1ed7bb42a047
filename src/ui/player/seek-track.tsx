import { useMemo, useState, type CSSProperties, type PointerEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Chapter } from '../../shared/api/chapter'
import { formatDuration } from '../../shared/duration'
import type { Part } from '../state/marked-parts'
import { segmentsOf, type Segment } from './chapter-steps'
import { chapterAt } from './chapters'
import { Slider } from './slider'

type Props = {
  /** Seconds; 0 = unknown. */
  duration: number
  position: number
  buffered: number
  chapters: readonly Chapter[]
  parts: readonly Part[]
  label: string
  text: string
  isDragged: boolean
  onChange: (position: number) => void
  onCommit: () => void
}

// With more of them, there is little left between the gaps.
const MAX_SEGMENTS = 40

/** A track in pieces, one for each chapter, below a slider that has no separate look. */
export function SeekTrack({ duration, position, buffered, chapters, parts, isDragged, ...slider }: Props) {
  const [hovered, setHovered] = useState<number | null>(null)
  const [isFocused, setFocused] = useState(false)
  const segments = useMemo(() => {
    const all = segmentsOf(chapters, duration)
    return all.length > MAX_SEGMENTS ? segmentsOf([], duration) : all
  }, [chapters, duration])
  const at = isDragged ? position : (hovered ?? (isFocused ? position : null))

  function onPointerMove({ clientX, currentTarget, pointerType }: PointerEvent) {
    const { left, width } = currentTarget.getBoundingClientRect()
    if (pointerType === 'mouse') setHovered(Math.min(1, Math.max(0, (clientX - left) / width)) * duration)
  }
  return (
    <span
      className="track"
      style={shareOf(position, duration)}
      onPointerMove={onPointerMove}
      onPointerLeave={() => setHovered(null)}
      onFocus={event => setFocused(event.target.matches(':focus-visible'))}
      onBlur={() => setFocused(false)}
    >
      <Pieces segments={segments} position={position} buffered={buffered} />
      {duration > 0 &&
        parts.map(part => <i key={part.start} className="track-part" style={stretchStyle(part, duration)} />)}
      <Slider {...slider} value={Math.min(position, duration || 1)} max={duration || 1} disabled={duration === 0} />
      {at !== null && duration > 0 && <Bubble at={at} duration={duration} chapters={chapters} parts={parts} />}
    </span>
  )
}

const shareOf = (at: number, duration: number) =>
  ({ '--at': duration > 0 ? Math.min(1, at / duration) : 0 }) as CSSProperties

const stretchStyle = ({ start, end }: Part, duration: number) =>
  ({ '--from': start / duration, '--to': Math.min(1, end / duration) }) as CSSProperties

type PiecesProps = { segments: readonly Segment[]; position: number; buffered: number }

function Pieces({ segments, position, buffered }: PiecesProps) {
  if (segments.length === 0) return <i style={{ flexGrow: 1 }} />
  return segments.map(({ id, start, end }) => {
    const filled = (to: number) => Math.min(1, Math.max(0, (to - start) / (end - start))).toFixed(4)
    return (
      <i
        key={id}
        style={{ flexGrow: end - start, '--played': filled(position), '--buffered': filled(buffered) } as CSSProperties}
      />
    )
  })
}

/** Whether a title says the number of its chapter, as `Chapter 2` or `2. Fog` do. */
const isNumbered = (title: string, number: number) => new RegExp(`(?<!\\d)0*${number}(?!\\d)`).test(title)

type BubbleProps = { at: number; duration: number; chapters: readonly Chapter[]; parts: readonly Part[] }

/** The time and the chapter at a place of the track. For eyes only: the slider says both. */
function Bubble({ at, duration, chapters, parts }: BubbleProps) {
  const { t } = useTranslation()
  const index = chapterAt(chapters, at)
  const title = chapters[index]?.title
  return (
    <span className="seek-bubble" style={shareOf(at, duration)} aria-hidden="true">
      <b>{formatDuration(at)}</b>
      {title && (
        <span dir="auto">
          {isNumbered(title, index + 1) ? title : t('chapter-number', { number: index + 1, title })}
        </span>
      )}
      {parts.some(({ start, end }) => start <= at && at < end) && <small>{t('marked-part')}</small>}
    </span>
  )
}
