import { useSignals } from '@preact/signals-react/runtime'
import { Check, type LucideIcon, Smartphone, ThumbsUp } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Episode } from '../../../shared/api/episode'
import { useApp } from '../../app-context'
import { formatDate, formatMinutes, formatRelative, formatTimeOn } from '../../format'
import { routes } from '../../routes'
import { useDerived } from '../../use-derived'
import type { LiveDownload } from '../../state/live-state'
import { DownloadedMark, shareOf } from './download-button'
import type { EpisodePlayback } from './play-button'
import './episode-facts.css'
import { translate } from '../../i18n'

type Props = {
  episode: Episode
  /** Null if all rows are of the same podcast. */
  podcastName: string | null
  /** On below the heading of a season. */
  isInSeason?: boolean
  playback: EpisodePlayback
  live: LiveDownload | null
}

/** The line below an episode's title: marks, and where it is from, or why its download failed. */
export function EpisodeFacts({ episode, podcastName, isInSeason = false, playback, live }: Props) {
  useSignals()
  const { kept, session } = useApp()
  const { t } = useTranslation()
  const failure = live && session.mayUpload.value && !episode.status ? describeDownload(live) : null
  const { episode_id: eid } = episode
  const keptShare = useDerived(() => kept.running.value.get(eid), [kept, eid])
  const isKept = useDerived(() => kept.ids.value.has(eid), [kept, eid])
  const left = useLeft(playback)
  const words = wordsOf(isInSeason ? { ...episode, season: null } : episode, podcastName === null, t)
  const hasWords = podcastName !== null || words.length > 0 || failure !== null || keptShare !== undefined
  const day = podcastName !== null || episode.undated ? null : formatDate(episode.date_of_recording)
  const short = 'episode-short numbers'
  const facts = failure
    ? [{ id: 'failure', text: failure.text, kind: failure.isFinal ? 'is-failure field-failure' : 'is-delay caution' }]
    : [
        { id: 'podcast', text: podcastName !== null && <PodcastLink {...{ episode, podcastName }} />, kind: '' },
        { id: 'played', text: playback.isFinished && t('played'), kind: 'is-played' },
        ...words.map(text => ({ id: text, text, kind: '' })),
        { id: 'day', text: day, kind: short },
        { id: 'left', text: left, kind: short },
      ].filter(({ text }) => Boolean(text))
  const before = (
    <>
      {playback.isNew && <span className="new-dot disc" role="img" aria-label={t('new')} />}
      {episode.favored && <Mark icon={ThumbsUp} label={t('liked')} className="is-liked filled accent" />}
    </>
  )
  const shown = facts.map(({ id, text, kind }, at) => (
    <span key={id} className={`fact row ${kind}`}>
      {at === 0 && before}
      {id === 'played' && <Check size={14} aria-hidden="true" />}
      <span className="truncate">{text}</span>
    </span>
  ))
  return (
    <p className={`episode-facts shrinks flush muted ${hasWords ? '' : 'is-marks'}`}>
      <span className="fact-list wrap">
        {shown.slice(0, -1)}
        <span className="fact-end row">
          {shown.at(-1) ?? <span className="fact row">{before}</span>}
          <span className="fact-marks row">
            {live?.state === 'running' && !failure && <Percent live={live} />}
            {episode.status && <DownloadedMark size={14} />}
            {isKept && <Mark icon={Smartphone} label={t('on-this-device')} />}
            {keptShare !== undefined && <span>{t('keeping', { percent: Math.round(100 * keptShare) })}</span>}
          </span>
        </span>
      </span>
    </p>
  )
}

const Mark = ({ icon: Icon, label, className }: { icon: LucideIcon; label: string; className?: string }) => (
  <Icon size={14} role="img" aria-label={label} className={className} />
)

/** Words that distinguish an episode from others; its number only among episodes of one podcast. */
const wordsOf = (episode: Episode, isNumbered: boolean, t: ReturnType<typeof useTranslation>['t']): string[] =>
  [
    isNumbered && numberOf(episode, t),
    episode.episode_type !== 'full' && t(`episode-type-${episode.episode_type}`),
    isGone(episode) && t('not-available'),
  ].filter(words => typeof words === 'string')

const PodcastLink = ({ episode, podcastName }: { episode: Episode; podcastName: string }) => (
  <Link className="link" href={routes.episodes(episode.podcast_id)} dir="auto">
    {podcastName}
  </Link>
)

function numberOf({ season, episode_number: number }: Episode, t: ReturnType<typeof useTranslation>['t']) {
  if (number === null) return null
  return season === null ? t('episode-number', { number }) : t('season-and-episode', { season, number })
}

function Percent({ live }: { live: LiveDownload }) {
  const { t } = useTranslation()
  const share = shareOf(live)
  return share === null ? null : (
    <span className="episode-percent accent numbers">{t('percent', { percent: Math.round(100 * share) })}</span>
  )
}

/** The day of an episode, or its time if the day is shown above; empty if the feed gives no date. */
export function EpisodeDate({ episode, form }: { episode: Episode; form: 'day' | 'hour' }) {
  if (episode.undated) return <span className="episode-date muted numbers nowrap" />
  const { date_of_recording: instant } = episode
  return (
    <time className="episode-date muted numbers nowrap" dateTime={instant}>
      {form === 'hour' ? formatTimeOn(instant) : formatDate(instant)}
    </time>
  )
}

/** The length of an episode, or what is left of it, in words and as a line. */
export function EpisodeLength({ playback }: { playback: EpisodePlayback }) {
  const left = useLeft(playback)
  return (
    <span className="episode-length muted numbers stack">
      {left}
      {playback.isStarted && <span className="meter" />}
    </span>
  )
}

function useLeft({ position, total, isStarted }: EpisodePlayback): string | null {
  const { t } = useTranslation()
  if (total === 0) return null
  return isStarted ? t('time-left', { time: formatMinutes(Math.max(0, total - position)) }) : formatMinutes(total)
}

type Failure = Pick<LiveDownload, 'state' | 'errorCode' | 'status' | 'nextAttemptAt'>

const gone = new Set([404, 410])
const refused = new Set([400, 401, 402, 403, 405, 406, 451])

/** Names the cause of a failure in a word or two: "gone (404)". */
function causeOf({ errorCode, status }: Pick<Failure, 'errorCode' | 'status'>): string {
  if (status !== null) {
    const kind = gone.has(status) ? 'gone' : refused.has(status) ? 'refused' : 'answered'
    return translate(`download-cause.${kind}`, { status })
  }
  return translate([`download-cause.${errorCode}`, 'download-cause.unknown'])
}

/**
 * Says why an episode is not downloaded, and when that is tried again; null while nothing went wrong. What nobody will
 * try again is final.
 */
export function describeDownload(live: Failure, now = Date.now()): { text: string; isFinal: boolean } | null {
  if (live.errorCode === null) return null
  if (live.state === 'failed') return { text: translate('not-downloaded', { cause: causeOf(live) }), isFinal: true }
  if (live.state !== 'waiting') return null
  const cause = causeOf(live)
  const text = live.nextAttemptAt
    ? translate('download-waits', { cause, time: formatRelative(live.nextAttemptAt, now) })
    : cause
  return { text, isFinal: false }
}

/**
 * Whether an episode can no longer be played: its address now holds a newer one, and its file was never
 * downloaded.
 */
export const isGone = ({ superseded, status }: Episode) => superseded && !status
