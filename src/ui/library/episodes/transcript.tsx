import { memo, type ReactNode, useEffect, useRef, useState } from 'react'
import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import type { Episode } from '../../../shared/api/episode'
import type { TranscriptSegment } from '../../../shared/api/texts'
import { useApp } from '../../app-context'
import { lazily } from '../../components/lazily'
import { describeFailure } from '../../failure'
import { useResource } from '../../use-resource'
import { TranscriptCauses, TranscriptLanguage } from './transcript-choice'
import './episode-texts.css'
import { formatDuration } from '../../../shared/duration'

const MakeTranscript = lazily(async () => (await import('./make-transcript')).MakeTranscript)
const MadeBy = lazily(async () => (await import('./make-transcript')).MadeBy)

type Props = {
  episode: Pick<Episode, 'id' | 'status' | 'has_transcript'>
  /** The second that a link points to, or that plays now. */
  moment?: number | null
  onPlayAt: (seconds: number) => void
}

/** An episode's transcript, loaded once it is opened; if there is none, uploaders can have it made. */
export function Transcript(props: Props) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(props.moment != null)
  return (
    <details className="episode-texts spaced" open={isOpen} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary className="below-8 text-m strong">{t('transcript')}</summary>
      {isOpen && <TranscriptOrNone {...props} />}
    </details>
  )
}

/** The transcript of an episode, or how to get one. */
export function TranscriptOrNone(props: Props) {
  useSignals()
  const { transcriptions } = useApp()
  // The player plays an episode as it was when it began.
  const isMade = transcriptions.byEpisode.value.get(props.episode.id)?.state === 'done'
  return props.episode.has_transcript || isMade ? <Segments {...props} /> : <MakeTranscript episode={props.episode} />
}

/**
 * A transcript line by line, with a search. The line at `moment` is marked and scrolled into view. Where the moment
 * moves with the player, a user who scrolls away stays there, and is offered the way back.
 */
function Segments({ episode, onPlayAt, moment = null }: Props) {
  useSignals()
  const { api, session, transcriptions } = useApp()
  const { t } = useTranslation()
  const [words, setWords] = useState('')
  const sought = words.trim().toLocaleLowerCase()
  // A transcript that is made again replaces this one.
  const isDone = transcriptions.byEpisode.value.get(episode.id)?.state === 'done'
  const [language, setLanguage] = useState<string | null>(null)
  const { data, error, isStale } = useResource(
    (_, id: string, wanted: string | null, _isDone) => api.episodes.transcript(id, wanted ?? undefined),
    [episode.id, language, isDone],
  )
  const choice = useResource((_, id: string) => api.episodes.transcripts(id), [episode.id]).data ?? []
  const transcript = isStale ? null : data
  const place = moment === null || !transcript ? -1 : placeAt(transcript.segments, moment)
  const { box, isAway, leave, comeBack } = useFollow(sought ? -1 : place)
  const languages = (
    <TranscriptLanguage all={choice} language={language ?? data?.language ?? null} onChange={setLanguage} />
  )
  if (error !== null)
    return (
      <>
        {languages}
        <TranscriptCauses episodeId={episode.id} />
        {session.mayUpload.value ? (
          <MakeTranscript episode={episode} isNamed />
        ) : (
          <p className="muted">{describeFailure(error)}</p>
        )}
      </>
    )
  if (!transcript) return <p role="status" aria-busy="true" aria-label={t('loading')} />
  const hits = transcript.segments.filter(({ text }) => text.toLocaleLowerCase().includes(sought))
  return (
    <>
      {transcript.source === 'generated' && <MadeBy episode={episode} transcript={transcript} />}
      {languages}
      <TranscriptSearch words={words} hitCount={sought ? hits.length : null} onChange={setWords} />
      <div
        className="transcript rounded scrolls"
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
        <button type="button" className="secondary transcript-back above-8" onClick={comeBack}>
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
        className="spaced"
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

type TranscriptLineProps = {
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
const TranscriptLine = memo(
  Line,
  (one, other) =>
    one.segment === other.segment &&
    one.isMarked === other.isMarked &&
    one.sought === other.sought &&
    one.isNewSpeaker === other.isNewSpeaker,
)

function Line({ segment, sought, isNewSpeaker, isMarked, onPlayAt }: TranscriptLineProps) {
  const { startMs, speaker } = segment
  const text = sought ? <Marked text={segment.text} sought={sought} /> : segment.text
  return (
    <p className={`flush ${isMarked ? 'is-sought rounded soft' : ''}`}>
      {isNewSpeaker && speaker && (
        <strong className="block strong above-8" dir="auto">
          {speaker}
        </strong>
      )}
      {startMs === null ? (
        text
      ) : (
        <button
          type="button"
          className="moment shrinks entry"
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
