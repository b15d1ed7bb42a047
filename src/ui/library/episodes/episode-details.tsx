import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import type { Episode, EpisodeExtras } from '../../../shared/api/episode'
import { useApp } from '../../app-context'
import { lazily } from '../../components/lazily'
import { useResource } from '../../use-resource'
import './episode-texts.css'
import { type MouseEvent, useMemo } from 'react'
import { linkTimes, secondsOfLink } from './time-links'

const Chapters = lazily(async () => (await import('./chapters')).Chapters)
const Transcript = lazily(async () => (await import('./transcript')).Transcript)
const PublishedAgain = lazily(async () => (await import('./published-again')).PublishedAgain)
const Extras = lazily(async () => (await import('./episode-extras')).EpisodeExtrasList)

type Props = {
  id: string
  episode: Episode
  /** The second that a link points to. */
  moment: number | null
  onPlayAt: (seconds: number) => void
}

/** The notes, chapters and transcript of an opened episode, and what else its feed says. */
export function EpisodeDetails({ id, episode, moment, onPlayAt }: Props) {
  useSignals()
  const { api, session } = useApp()
  // Loaded when the notes are opened: lists don't need it. If loading fails, it is left out.
  const { data } = useResource((_, eid: string) => api.episodes.find(eid), [episode.episode_id])
  const extras = data?.extras
  const isEmpty = !extras || Object.values(extras).every(tag => Array.isArray(tag) && tag.length === 0)
  return (
    <div id={id} className="episode-details">
      <Numbers episode={episode} extras={extras} />
      {(episode.first_published || episode.newer_recording) && <PublishedAgain episode={episode} />}
      <Notes html={episode.description} longest={episode.total_time} onPlayAt={onPlayAt} />
      {!isEmpty && <Extras episode={episode} extras={extras} onPlayAt={onPlayAt} />}
      {(episode.has_chapters || episode.chapters_unread) && (
        <Chapters episodeId={episode.id} unread={episode.chapters_unread} onPlayAt={onPlayAt} />
      )}
      {(episode.has_transcript || session.mayUpload.value) && (
        <Transcript episode={episode} moment={moment} onPlayAt={onPlayAt} />
      )}
    </div>
  )
}

type NumbersProps = Pick<Props, 'episode'> & { extras: EpisodeExtras | undefined }

/** The season and number, by the names that the feed gives them. */
function Numbers({ episode: { season, episode_number }, extras }: NumbersProps) {
  const { t } = useTranslation()
  const { seasonName, episodeDisplay } = extras ?? {}
  const parts = [
    seasonName ?? (season !== null && t('season', { number: season })),
    episodeDisplay ?? (season !== null && episode_number !== null && t('episode-number', { number: episode_number })),
  ].filter(Boolean)
  if (parts.length === 0) return null
  return (
    <p className="flush muted numbers" dir="auto">
      {parts.join(' · ')}
    </p>
  )
}

type NotesProps = {
  /** Sanitised by the server. */
  html: string
  /** Length of the episode in seconds; 0 = unknown. */
  longest: number
  onPlayAt: (seconds: number) => void
}

/** Show notes. Every time in them is a link that plays from there. */
function Notes({ html, longest, onPlayAt }: NotesProps) {
  const { t } = useTranslation()
  const linked = useMemo(
    () => linkTimes(html, { longest, nameOf: time => t('play-from-time', { time }) }),
    [html, longest, t],
  )
  if (html === '') return <p className="episode-notes flush prose shrinks breaks muted">{t('no-notes')}</p>
  function onClick(event: MouseEvent) {
    const seconds = secondsOfLink(event.target)
    if (seconds === null) return
    event.preventDefault()
    onPlayAt(seconds)
  }
  // Its links are clicked and focused.
  return (
    <div
      role="presentation"
      className="episode-notes flush prose shrinks breaks"
      dir="auto"
      onClick={onClick}
      dangerouslySetInnerHTML={{ __html: linked }}
    />
  )
}
