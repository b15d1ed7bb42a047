import { useSignals } from '@preact/signals-react/runtime'
import { Radio } from 'lucide-react'
import {
  type CSSProperties,
  type InputHTMLAttributes,
  type KeyboardEvent,
  type PointerEvent,
  useMemo,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import type { Chapter } from '../../shared/api/texts'
import { formatDuration } from '../../shared/duration'
import { useApp } from '../app-context'
import { currentLanguage } from '../i18n'
import { type Segment, segmentsOf } from '../playback/chapter-steps'
import { chapterAt } from '../playback/chapters'
import type { Part } from '../state/marked-parts'
import './sliders.css'

const noParts: readonly Part[] = []

/** The position, as a slider between two clocks. Dragging shows the target, releasing seeks. */
export function SeekBar({ withChapter = false }: { withChapter?: boolean }) {
  useSignals()
  const { player, chapters, extras } = useApp()
  const { t } = useTranslation()
  const [dragged, setDragged] = useState<number | null>(null)
  const duration = Math.floor(player.duration.value)
  const position = dragged ?? Math.floor(player.position.value)
  const all = chapters.all.value
  const title = all[chapterAt(all, position)]?.title
  const marked = extras.value?.skipMarks
  const words = t('position-of', { position: spokenTime(position), total: spokenLength(duration) })
  if (player.current.value?.live) return <LiveMark />
  function commit() {
    if (dragged !== null) player.seek(dragged)
    setDragged(null)
  }
  return (
    <div className="seek level faint text-xs stack gap-10 numbers">
      <span className="player-time nowrap">{formatDuration(position)}</span>
      <SeekTrack
        duration={duration}
        position={position}
        buffered={player.buffered.value}
        chapters={all}
        parts={marked?.parts.value ?? noParts}
        label={t('position')}
        text={[words, title, marked?.markedAt(position) && t('marked-part')].filter(Boolean).join(', ')}
        isDragged={dragged !== null}
        onChange={setDragged}
        onCommit={commit}
      />
      {withChapter && (
        <span className="strong ink middle truncate" dir="auto">
          {title}
        </span>
      )}
      <TimeLeft duration={duration} position={position} />
    </div>
  )
}

/** The time that is left, or the whole length; a click swaps them. */
function TimeLeft({ duration, position }: { duration: number; position: number }) {
  useSignals()
  const { player } = useApp()
  const { t } = useTranslation()
  const total = duration > 0 ? formatDuration(duration) : '–:–'
  const isRemaining = player.showsRemaining.value && duration > 0
  const left = formatDuration(Math.max(0, duration - position))
  return (
    <button
      type="button"
      className="player-time nowrap player-total relative regular plain"
      aria-label={isRemaining ? t('time-left', { time: left }) : `${t('duration')} ${total}`}
      title={isRemaining ? t('show-duration') : t('show-remaining')}
      onClick={player.toggleRemaining}
    >
      {isRemaining ? `−${left}` : total}
    </button>
  )
}

const inUnit = (value: number, unit: 'hour' | 'minute' | 'second') =>
  new Intl.NumberFormat(currentLanguage(), { style: 'unit', unit, unitDisplay: 'long' }).format(value)

/** Says a position as a person would: "12 minutes 40", "1 hour 5 minutes", "40 seconds". */
export function spokenTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  if (whole < 60) return inUnit(whole, 'second')
  if (whole >= 3600) return spokenLength(whole)
  const rest = whole % 60
  const minutes = inUnit(Math.floor(whole / 60), 'minute')
  return rest === 0 ? minutes : `${minutes} ${rest}`
}

/** Says a length in hours and minutes; in seconds only below a minute. */
function spokenLength(seconds: number): string {
  if (seconds < 60) return inUnit(Math.max(0, Math.floor(seconds)), 'second')
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return [hours > 0 && inUnit(hours, 'hour'), minutes > 0 && inUnit(minutes, 'minute')].filter(Boolean).join(' ')
}

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

// With more chapters, there is little room left between the gaps.
const MAX_SEGMENTS = 40

/** A track in pieces, one for each chapter, below a slider that has no separate look. */
function SeekTrack({ duration, position, buffered, chapters, parts, isDragged, ...slider }: Props) {
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
      className="track shrinks relative row gap-2"
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
    <span
      className="seek-bubble over absolute flex ink text-s gap-10 floating"
      style={shareOf(at, duration)}
      aria-hidden="true"
    >
      <strong>{formatDuration(at)}</strong>
      {title && (
        <span className="truncate" dir="auto">
          {isNumbered(title, index + 1) ? title : t('chapter-number', { number: index + 1, title })}
        </span>
      )}
      {parts.some(({ start, end }) => start <= at && at < end) && (
        <small className="caution nowrap">{t('marked-part')}</small>
      )}
    </span>
  )
}

const PAGE = 10

type SliderProps = {
  label: string
  value: number
  max: number
  /** The value in words, for screen readers. */
  text: string
  disabled?: boolean
  onChange: (value: number) => void
  onCommit?: () => void
} & Pick<InputHTMLAttributes<HTMLInputElement>, 'className' | 'onFocus'>

/** A slider that moves in steps of one; in steps of ten with the page keys, or with Shift. */
export function Slider({ label, value, max, text, disabled = false, onChange, onCommit, ...rest }: SliderProps) {
  function onKeyDown(event: KeyboardEvent) {
    const isUp = event.key === 'ArrowUp' || event.key === 'ArrowRight'
    const isDown = event.key === 'ArrowDown' || event.key === 'ArrowLeft'
    const by =
      event.key === 'PageUp' || (isUp && event.shiftKey)
        ? PAGE
        : event.key === 'PageDown' || (isDown && event.shiftKey)
          ? -PAGE
          : 0
    if (by === 0) return
    event.preventDefault()
    onChange(Math.min(max, Math.max(0, value + by)))
  }
  return (
    <input
      {...rest}
      type="range"
      min={0}
      max={max}
      step={1}
      value={value}
      disabled={disabled}
      style={{ '--share': value / max } as CSSProperties}
      aria-label={label}
      aria-valuetext={text}
      onChange={event => onChange(Number(event.target.value))}
      onKeyDown={onKeyDown}
      onPointerUp={onCommit}
      onKeyUp={onCommit}
      onBlur={onCommit}
    />
  )
}

/** Shown in place of the position: a live stream has none. */
export function LiveMark() {
  const { t } = useTranslation()
  return (
    <span className="live-mark centred text-s strong accent with-icon gap-6">
      <Radio size={16} aria-hidden="true" />
      {t('live-now')}
    </span>
  )
}
