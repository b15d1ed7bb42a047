import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../i18n'
import type { TranscriptSegment } from '../../../shared/api/transcript'
import { useApp } from '../../app-context'
import { describeFailure } from '../../failure'
import { useResource } from '../../use-resource'
import { TranscriptLine } from './transcript-line'
import './episode-texts.css'

type Props = {
  episodeId: string
  /** The second that a link points to, or that plays now. */
  moment?: number | null
  onPlayAt: (seconds: number) => void
}

/** An episode's transcript, loaded once it is opened. */
export function Transcript(props: Props) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(props.moment != null)
  return (
    <details className="episode-texts" open={isOpen} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{t('transcript')}</summary>
      {isOpen && <Segments {...props} />}
    </details>
  )
}

/**
 * A transcript line by line, with a search. The line at `moment` is marked and scrolled into view. Where the moment
 * moves with the player, a user who scrolls away stays there, and is offered the way back.
 */
export function Segments({ episodeId, onPlayAt, moment = null }: Props) {
  const { api } = useApp()
  const { t } = useTranslation()
  const [words, setWords] = useState('')
  const sought = words.trim().toLocaleLowerCase()
  const { data, error, isStale } = useResource((_, id: string) => api.episodes.transcript(id), [episodeId])
  const transcript = isStale ? null : data
  const place = moment === null || !transcript ? -1 : placeAt(transcript.segments, moment)
  const { box, isAway, leave, comeBack } = useFollow(sought ? -1 : place)
  if (error !== null) return <p className="muted">{describeFailure(error)}</p>
  if (!transcript) return <p role="status" aria-busy="true" aria-label={t('loading')} />
  const hits = transcript.segments.filter(({ text }) => text.toLocaleLowerCase().includes(sought))
  return (
    <>
      <TranscriptSearch words={words} hitCount={sought ? hits.length : null} onChange={setWords} />
      <div
        className="transcript"
        lang={transcript.language ?? undefined}
        role="region"
        aria-label={t('transcript')}
        ref={box}
        onWheel={leave}
        onTouchMove={leave}
      >
        {hits.map((segment, index) => (
          <TranscriptLine
            key={segment.idx}
            segment={segment}
            sought={sought}
            isMarked={segment === transcript.segments[place]}
            isNewSpeaker={segment.speaker !== (hits[index - 1]?.speaker ?? null)}
            onPlayAt={onPlayAt}
          />
        ))}
      </div>
      {isAway && !sought && place !== -1 && (
        <button type="button" className="secondary transcript-back" onClick={comeBack}>
          {t('follow-transcript')}
        </button>
      )}
    </>
  )
}

type SearchProps = {
  words: string
  /** Null while nothing is searched for. */
  hitCount: number | null
  onChange: (words: string) => void
}

function TranscriptSearch({ words, hitCount, onChange }: SearchProps) {
  const { t } = useTranslation()
  return (
    <>
      <input
        type="search"
        placeholder={t('search-in-transcript')}
        aria-label={t('search-in-transcript')}
        maxLength={200}
        value={words}
        onChange={event => onChange(event.target.value)}
      />
      {hitCount !== null && (
        <p className="muted" role="status">
          {t('found-count', { count: hitCount })}
        </p>
      )}
    </>
  )
}

/** Keeps the line at `place` in view until the user scrolls away. -1 = no line. */
function useFollow(place: number) {
  const [isAway, setAway] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (place !== -1 && !isAway) scrollTo(box.current?.children[place])
  }, [place, isAway])
  return { box, isAway, leave: () => setAway(true), comeBack: () => setAway(false) }
}

/** Scrolls a line into view. In the player only the panel scrolls, so that its controls stay where they are. */
function scrollTo(line: Element | undefined) {
  if (!line?.closest('dialog')) return line?.scrollIntoView({ block: 'center' })
  const panel = [line.parentElement!, line.closest('.sheet-panel')!].find(box => box.scrollHeight > box.clientHeight)
  if (!panel) return
  const [around, here] = [panel.getBoundingClientRect(), line.getBoundingClientRect()]
  panel.scrollTop += here.top - around.top - (around.height - here.height) / 2
}

/** The line at a second; -1 before the first one. */
const placeAt = (segments: readonly TranscriptSegment[], second: number) =>
  segments.findLastIndex(({ startMs }) => startMs !== null && startMs < (second + 1) * 1000)
