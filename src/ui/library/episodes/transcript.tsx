import { LocateFixed } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import type { Episode } from '../../../shared/api/episode'
import { useApp } from '../../app-context'
import { lazily } from '../../components/lazily'
import { describeFailure } from '../../failure'
import { useResource } from '../../use-resource'
import { TranscriptCauses, TranscriptLanguage } from './transcript-choice'
import './episode-texts.css'
import { paragraphsOf, placeAt, type Sentence, type SentencePlace } from './transcript-flow'
import { type Quoting, TranscriptSelection } from './transcript-selection'
import { TranscriptParagraph } from './transcript-text'

const MakeTranscript = lazily(async () => (await import('./make-transcript')).MakeTranscript)
const MadeBy = lazily(async () => (await import('./make-transcript')).MadeBy)

type Props = {
  episode: Pick<Episode, 'id' | 'status' | 'has_transcript'>
  /** The second that a link points to, or that plays now. */
  moment?: number | null
  onPlayAt: (seconds: number) => void
  quoting?: Quoting
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
 * A transcript in paragraphs, with a search. The sentence at `moment` is marked and scrolled into view. Where the moment
 * moves with the player, a user who scrolls away or selects stays there, and is offered the way back.
 */
function Segments({ episode, onPlayAt, quoting, moment = null }: Props) {
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
  const paragraphs = useMemo(() => paragraphsOf(transcript?.segments ?? []), [transcript])
  const now = moment === null ? null : placeAt(paragraphs, moment)
  const { box, isAway, leave, toggle } = useFollow(sought ? null : now)
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
  if (!transcript)
    return <div className="transcript-skeleton skeleton" role="status" aria-busy="true" aria-label={t('loading')} />
  const isHit = ({ text }: Sentence) => text.toLocaleLowerCase().includes(sought)
  const shown = paragraphs
    .map((paragraph, place) => ({ paragraph, place }))
    .filter(({ paragraph }) => sought === '' || paragraph.sentences.some(isHit))
  const hitCount = shown.reduce((sum, { paragraph }) => sum + paragraph.sentences.filter(isHit).length, 0)
  return (
    <>
      {transcript.source === 'generated' && <MadeBy episode={episode} transcript={transcript} />}
      {languages}
      <TranscriptSearch words={words} hitCount={sought ? hitCount : null} onChange={setWords}>
        {now !== null && !sought && (
          <button type="button" className="secondary small with-icon" aria-pressed={!isAway} onClick={toggle}>
            <LocateFixed size={16} strokeWidth={1.75} aria-hidden="true" />
            {t(isAway ? 'follow-transcript' : 'following-transcript')}
          </button>
        )}
      </TranscriptSearch>
      <div
        className={`transcript scrolls ${now ? 'is-playing' : ''} ${paragraphs.some(({ speaker }) => speaker) ? '' : 'has-no-speakers'}`}
        lang={transcript.language ?? undefined}
        role="region"
        aria-label={t('transcript')}
        // Arrows select sentences in it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        ref={box}
        onWheel={leave}
        onTouchMove={leave}
      >
        {shown.map(({ paragraph, place }) => (
          <TranscriptParagraph
            key={place}
            paragraph={paragraph}
            place={place}
            sought={sought}
            now={now}
            onPlayAt={onPlayAt}
          />
        ))}
      </div>
      <TranscriptSelection box={box} quoting={quoting} onSelect={leave} onPlayAt={onPlayAt} />
    </>
  )
}

type SearchProps = {
  words: string
  /** Null while nothing is searched for. */
  hitCount: number | null
  onChange: (words: string) => void
  children: ReactNode
}

function TranscriptSearch({ words, hitCount, onChange, children }: SearchProps) {
  const { t } = useTranslation()
  return (
    <>
      <div className="transcript-tools row gap-8 below-12">
        <input
          type="search"
          className="grow flush"
          placeholder={t('search')}
          aria-label={t('search-in-transcript')}
          maxLength={200}
          value={words}
          onChange={event => onChange(event.target.value)}
        />
        {children}
      </div>
      {hitCount !== null && (
        <p className="muted" role="status">
          {t('found-count', { count: hitCount })}
        </p>
      )}
    </>
  )
}

/** Keeps the sentence that is spoken in view until the user scrolls away. Null = nothing is spoken. */
function useFollow(now: SentencePlace | null) {
  const [isAway, setAway] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const { paragraph = -1, sentence = -1 } = now ?? {}
  useEffect(() => {
    if (paragraph !== -1 && !isAway) scrollTo(box.current?.querySelector('.is-sought'))
  }, [paragraph, sentence, isAway])
  const leave = () => setAway(true)
  return { box, isAway, leave, toggle: () => setAway(!isAway) }
}

/** The part of the height above the sentence that is spoken. */
const ABOVE = 0.38

/** Scrolls a sentence into view. In the player only the panel scrolls, so that its controls stay where they are. */
function scrollTo(line: Element | null | undefined) {
  if (!line?.closest('dialog')) return line?.scrollIntoView({ block: 'center' })
  const boxes = [line.closest('.transcript')!, line.closest('.sheet-panel')!]
  const panel = boxes.find(box => box.scrollHeight > box.clientHeight)
  if (!panel) return
  const [around, here] = [panel.getBoundingClientRect(), line.getBoundingClientRect()]
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  const top = panel.scrollTop + here.top - around.top - (around.height - here.height) * ABOVE
  panel.scrollTo({ top, behavior: isStill ? 'instant' : 'smooth' })
}
