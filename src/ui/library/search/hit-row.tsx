import { Check, ChevronRight, CornerDownLeft, History, type LucideIcon, Play } from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { EpisodeHit, PersonListed } from '../../../shared/api/search'
import { formatDuration } from '../../../shared/duration'
import { fold, foldWithPlaces, unspaced } from '../../../shared/fold'
import type { DirectoryHit } from '../../api/directory'
import { formatDate, formatMinutes } from '../../format'
import { EpisodeCover, ForeignCover, PodcastCover, Portrait } from '../covers'
import { useEpisodePlayback } from '../episodes/play-button'
import type { Hit, HitActions } from './hits'

type Props = { hit: Hit; words: string; actions: HitActions }

/** The content of one option. */
export function HitRow({ hit, words, actions }: Props) {
  const { t } = useTranslation()
  if (hit.kind === 'episode') return <EpisodeRow hit={hit.hit} actions={actions} />
  if (hit.kind === 'said') return <SaidRow hit={hit.hit} actions={actions} />
  if (hit.kind === 'directory') return <DirectoryRow hit={hit.hit} words={words} actions={actions} />
  if (hit.kind === 'recent') return <Row lead={<Glyph icon={History} />} title={hit.words} />
  if (hit.kind === 'all')
    return (
      <span className="hit-all text-s strong accent row gap-4">
        {t('show-all-count', { amount: hit.count })} <ChevronRight className="flip" size={16} aria-hidden="true" />
      </span>
    )
  if (hit.kind === 'command') {
    const { icon, title, about } = hit.command
    return <Row lead={<Glyph icon={icon} />} title={<Marked text={title} words={words} />} meta={about} opens />
  }
  if (hit.kind === 'person') return <PersonRow person={hit.person} words={words} />
  const { podcast } = hit
  return (
    <Row
      lead={<PodcastCover podcast={podcast} size={64} />}
      title={<Marked text={podcast.name} words={words} />}
      meta={[podcast.author, t('episodes-count', { count: podcast.episode_count })].filter(Boolean).join(' · ')}
      opens
    />
  )
}

type RowProps = {
  lead: ReactNode
  title: ReactNode
  meta?: ReactNode
  note?: ReactNode
  end?: ReactNode
  opens?: boolean
}

function Row({ lead, title, meta, note, end, opens = false }: RowProps) {
  return (
    <>
      {lead}
      <span className="hit-text stack">
        <span className="title truncate" dir="auto">
          {title}
        </span>
        {note}
        {meta && (
          <span className="fine faint truncate numbers" dir="auto">
            {meta}
          </span>
        )}
      </span>
      {end}
      {opens && <CornerDownLeft className="hit-opens unseen faint flip" size={16} aria-hidden="true" />}
    </>
  )
}

const Glyph = ({ icon: Icon }: { icon: LucideIcon }) => (
  <span className="rounded disc">
    <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
  </span>
)

/** The server has escaped the snippet and marked the words in it. */
const Snippet = ({ html, className }: { html: string; className?: string }) => (
  <span className={className} dir="auto" dangerouslySetInnerHTML={{ __html: html }} />
)

function PersonRow({ person, words }: { person: PersonListed; words: string }) {
  const { t } = useTranslation()
  const { name, picture, episodes } = person
  return (
    <Row
      lead={<Portrait name={name} picture={picture} />}
      title={<Marked text={name} words={words} />}
      meta={episodes > 0 && t('episodes-count', { count: episodes })}
      opens
    />
  )
}

function EpisodeRow({ hit, actions }: { hit: EpisodeHit; actions: HitActions }) {
  const { t } = useTranslation()
  const { podcastEpisode: episode, podcastName, matchedIn, snippet, startMs } = hit
  const { position, total, isFinished } = useEpisodePlayback(hit)
  const isStarted = position > 0 && !isFinished && total > 0
  const length = isStarted
    ? t('time-left', { time: formatMinutes(Math.max(0, total - position)) })
    : total > 0 && formatMinutes(total)
  return (
    <Row
      lead={<EpisodeCover episode={episode} podcastName={podcastName} size={64} />}
      title={matchedIn === 'titles' ? <Snippet html={snippet} /> : episode.name}
      note={matchedIn !== 'titles' && <Snippet html={snippet} className="fine faint truncate" />}
      meta={[
        podcastName,
        formatDate(episode.date_of_recording),
        startMs === undefined ? length : t('chapter-at', { time: formatDuration(startMs / 1000) }),
      ]
        .filter(Boolean)
        .join(' · ')}
      end={<PlayHit onClick={() => actions.play(hit)} title={t('play-episode', { name: episode.name })} />}
    />
  )
}

function SaidRow({ hit, actions }: { hit: EpisodeHit; actions: HitActions }) {
  const { t } = useTranslation()
  const { podcastEpisode: episode, podcastName, snippet, startMs } = hit
  const time = startMs === undefined ? null : formatDuration(startMs / 1000)
  return (
    <Row
      lead={<EpisodeCover episode={episode} podcastName={podcastName} size={64} />}
      title={<Snippet html={`“${snippet}”`} />}
      meta={[time, episode.name, podcastName].filter(Boolean).join(' · ')}
      end={
        <PlayHit
          onClick={() => actions.play(hit)}
          title={time ? t('play-from', { time, title: episode.name }) : t('play-episode', { name: episode.name })}
        />
      }
    />
  )
}

/** A press on the row plays here. Keyboards play with Shift and Enter: an option must not contain a button. */
function PlayHit({ title, onClick }: { title: string; onClick: () => void }) {
  return (
    <HitEnd className="hit-play disc" title={title} onClick={onClick}>
      <Play size={20} fill="currentColor" />
    </HitEnd>
  )
}

type EndProps = { className: string; title: string; onClick: () => void; children: ReactNode }

function HitEnd({ className, title, onClick, children }: EndProps) {
  return (
    <span
      className={className}
      title={title}
      role="presentation"
      onClick={(event: MouseEvent) => {
        event.stopPropagation()
        onClick()
      }}
    >
      {children}
    </span>
  )
}

function DirectoryRow({ hit, words, actions }: { hit: DirectoryHit; words: string; actions: HitActions }) {
  const { t } = useTranslation()
  const { idOf, isBusy, add } = actions.adding
  const isKnown = idOf(hit) !== null
  return (
    <Row
      lead={<ForeignCover src={hit.image} name={hit.title} size={64} />}
      title={<Marked text={hit.title} words={words} />}
      meta={[hit.author, t(isKnown ? 'already-added' : 'not-subscribed')].filter(Boolean).join(' · ')}
      end={
        isKnown ? (
          <span className="hit-add inset-12 text-s strong rounded shaded with-icon gap-6 is-added positive">
            <Check size={16} aria-hidden="true" />
            {t('added')}
          </span>
        ) : (
          <HitEnd
            className="hit-add inset-12 text-s strong rounded shaded with-icon gap-6"
            title={t('add-named', { name: hit.title })}
            onClick={() => add(hit)}
          >
            {isBusy(hit) ? t('adding') : t('add')}
          </HitEnd>
        )
      }
    />
  )
}

/** A text in which the matches of a search are marked: words that begin with them. */
function Marked({ text, words }: { text: string; words: string }) {
  return <>{partsOf(text, words).map(({ part, at, isMarked }) => (isMarked ? <mark key={at}>{part}</mark> : part))}</>
}

const wordsIn = (text: string) => text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
const isUnspaced = new RegExp(`^[${unspaced}]`, 'u')

/** Splits a text into parts with and without a match. `words`: the words of the search; `at`: where a part begins. */
export function partsOf(text: string, words: string): { part: string; at: number; isMarked: boolean }[] {
  const wanted = wordsIn(fold(words))
  if (wanted.length === 0) return [{ part: text, at: 0, isMarked: false }]
  const beginnings = wanted.map(word => (isUnspaced.test(word) ? word : `(?<![\\p{L}\\p{N}\\p{M}])${word}`))
  const { folded, placeOf } = foldWithPlaces(text)
  const ends = [...folded.matchAll(new RegExp(beginnings.join('|'), 'gu'))].flatMap(({ 0: match, index }) => [
    placeOf(index),
    placeOf(index + match.length),
  ])
  // Plain and marked parts alternate, plain first.
  let at = 0
  return [...ends, text.length].map((end, index) => {
    const part = { part: text.slice(at, end), at, isMarked: index % 2 === 1 }
    at = end
    return part
  })
}

/** Whether each of the words begins a word of the text, accents aside. */
export function matches(text: string, words: string): boolean {
  const there = wordsIn(fold(text))
  return wordsIn(fold(words)).every(word => there.some(other => other.startsWith(word)))
}
