import { ExternalLink } from 'lucide-react'
import { memo, useEffect, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Chapter } from '../../../shared/api/chapter'
import type { Episode } from '../../../shared/api/episode'
import type { TranscriptSegment } from '../../../shared/api/transcript'
import { formatDuration } from '../../../shared/duration'
import { useApp } from '../../app-context'
import { describeFailure } from '../../failure'
import './episode-texts.css'

type Props = { episodeId: string; onPlayAt: (seconds: number) => void }

/** What an episode is made of: a click plays from there. `unread`: why those in its file are not among them. */
export function Chapters({ episodeId, unread, onPlayAt }: Props & { unread: Episode['chapters_unread'] }) {
  const chapters = useChapters(episodeId)
  const { t } = useTranslation()
  if (chapters?.length === 0) return unread && <p className="muted">{t(`chapters-${unread}`)}</p>
  return (
    <section className="episode-texts" aria-label={t('chapters')}>
      <h4>{t('chapters')}</h4>
      {!chapters && <p role="status" aria-busy="true" aria-label={t('loading')} />}
      {chapters && <ChapterList chapters={chapters} onPlayAt={onPlayAt} />}
    </section>
  )
}

/** Of an episode, by its `id`; null while they are on the way, none where they cannot be had. */
export function useChapters(episodeId: string, isWanted = true): readonly Chapter[] | null {
  const { api } = useApp()
  const load = async () => (isWanted ? api.episodes.chapters(episodeId) : [])
  const { found, failure } = useLoaded<readonly Chapter[]>(load, episodeId)
  return failure === null ? found : noChapters
}

const noChapters: readonly Chapter[] = []

/** `current`: the one that plays. */
export function ChapterList({
  chapters,
  current,
  onPlayAt,
}: {
  chapters: readonly Chapter[]
  current?: Chapter | undefined
  onPlayAt: (seconds: number) => void
}) {
  const { t } = useTranslation()
  return (
    <ol className="chapters">
      {chapters.map(chapter => {
        const { id, startTime, title, href } = chapter
        return (
          <li key={id}>
            <button
              type="button"
              className="moment"
              aria-label={t('play-from', { time: formatDuration(startTime), title })}
              aria-current={chapter === current ? 'true' : undefined}
              onClick={() => onPlayAt(startTime)}
            >
              <time className="numbers">{formatDuration(startTime)}</time>{' '}
              <span>{title || t('chapter-without-title')}</span>
            </button>
            {href && (
              <a href={href} target="_blank" rel="noopener noreferrer" aria-label={t('link-of', { name: title })}>
                <ExternalLink size={16} aria-hidden="true" />
              </a>
            )}
          </li>
        )
      })}
    </ol>
  )
}

type TranscriptProps = Props & {
  /** The second that somebody came for. */
  moment?: number | null
}

/** What was said: fetched once it is opened. */
export function Transcript(props: TranscriptProps) {
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
 * What was said, line by line. `moment`: the second that is marked and brought into view; where it moves on with what
 * plays, the reader who scrolls away is left where he is, and asked whether he wants to be taken back.
 */
export function Segments({ episodeId, onPlayAt, moment = null }: TranscriptProps) {
  const { api } = useApp()
  const { t } = useTranslation()
  const [isAway, setAway] = useState(false)
  const [words, setWords] = useState('')
  const sought = words.trim().toLocaleLowerCase()
  const box = useRef<HTMLDivElement>(null)
  const { found, failure } = useLoaded(() => api.episodes.transcript(episodeId), episodeId)
  const place = moment === null || !found ? -1 : placeAt(found.segments, moment)
  useEffect(() => {
    if (place !== -1 && !isAway && !sought) show(box.current?.children[place])
  }, [place, isAway, sought])
  if (failure !== null) return <p className="muted">{describeFailure(failure)}</p>
  if (!found) return <p role="status" aria-busy="true" aria-label={t('loading')} />
  const leave = () => setAway(true)
  const hits = found.segments.filter(({ text }) => text.toLocaleLowerCase().includes(sought))
  return (
    <>
      <input
        type="search"
        className="transcript-search"
        placeholder={t('search-in-transcript')}
        aria-label={t('search-in-transcript')}
        maxLength={200}
        value={words}
        onChange={event => setWords(event.target.value)}
      />
      {sought && (
        <p className="muted" role="status">
          {t('found-count', { count: hits.length })}
        </p>
      )}
      <div
        className="transcript"
        lang={found.language ?? undefined}
        role="region"
        aria-label={t('transcript')}
        ref={box}
        onWheel={leave}
        onTouchMove={leave}
      >
        {hits.map((segment, index) => (
          <Segment
            key={segment.idx}
            segment={segment}
            sought={sought}
            isMarked={segment === found.segments[place]}
            isNewSpeaker={segment.speaker !== (hits[index - 1]?.speaker ?? null)}
            onPlayAt={onPlayAt}
          />
        ))}
      </div>
      {isAway && !sought && place !== -1 && (
        <button type="button" className="secondary transcript-back" onClick={() => setAway(false)}>
          {t('follow-transcript')}
        </button>
      )}
    </>
  )
}

/** In the player only what scrolls by itself moves, and its controls stay; in a page the line comes into view. */
function show(line: Element | undefined) {
  if (!line?.closest('dialog')) return line?.scrollIntoView({ block: 'center' })
  const panel = [line.parentElement!, line.closest('.sheet-panel')!].find(box => box.scrollHeight > box.clientHeight)
  if (!panel) return
  const [around, here] = [panel.getBoundingClientRect(), line.getBoundingClientRect()]
  panel.scrollTop += here.top - around.top - (around.height - here.height) / 2
}

/** The line at a second; -1 before the first one. */
const placeAt = (segments: readonly TranscriptSegment[], second: number) =>
  segments.findLastIndex(({ startMs }) => startMs !== null && startMs < (second + 1) * 1000)

type SegmentProps = Pick<Props, 'onPlayAt'> & {
  segment: TranscriptSegment
  /** Words in small letters, to be marked; '' = none. */
  sought: string
  isNewSpeaker: boolean
  isMarked: boolean
}

/** Drawn anew only when its mark changes: a transcript has thousands of lines, and a player tells the time often. */
const Segment = memo(
  SegmentLine,
  (one, other) =>
    one.segment === other.segment &&
    one.isMarked === other.isMarked &&
    one.sought === other.sought &&
    one.isNewSpeaker === other.isNewSpeaker,
)

function SegmentLine({ segment, sought, isNewSpeaker, isMarked, onPlayAt }: SegmentProps) {
  const { startMs, speaker } = segment
  const text = sought ? <Marked text={segment.text} sought={sought} /> : segment.text
  return (
    <p className={isMarked ? 'is-sought' : ''}>
      {isNewSpeaker && speaker && <strong>{speaker}</strong>}
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
          <span>{text}</span>
        </button>
      )}
    </p>
  )
}

/** A text in which every place with the words is marked. */
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

/** Something of the server's, asked for anew where `key` is another. */
function useLoaded<T>(load: () => Promise<T>, key: string): { found: T | null; failure: unknown } {
  const [state, setState] = useState<{ found: T | null; failure: unknown }>({ found: null, failure: null })
  useEffect(() => {
    let isStale = false
    setState({ found: null, failure: null })
    load().then(
      found => !isStale && setState({ found, failure: null }),
      (failure: unknown) => !isStale && setState({ found: null, failure }),
    )
    return () => {
      isStale = true
    }
    // `load` is made anew at every drawing; what it asks for is told by the key.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [key])
  return state
}
