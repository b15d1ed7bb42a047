import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import type { Episode } from '../../../shared/api/episode'
import { useApp } from '../../app-context'
import { lazily } from '../../components/lazily'
import { useResource } from '../../use-resource'
import { Notes } from './notes'
import './episode-texts.css'

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
  const { session } = useApp()
  return (
    <div id={id} className="episode-details">
      <Numbers episode={episode} />
      {(episode.first_published || episode.newer_recording) && <PublishedAgain episode={episode} />}
      <Notes html={episode.description} longest={episode.total_time} onPlayAt={onPlayAt} />
      <FeedExtras episode={episode} onPlayAt={onPlayAt} />
      {(episode.has_chapters || episode.chapters_unread) && (
        <Chapters episodeId={episode.id} unread={episode.chapters_unread} onPlayAt={onPlayAt} />
      )}
      {(episode.has_transcript || session.mayUpload.value) && (
        <Transcript episode={episode} moment={moment} onPlayAt={onPlayAt} />
      )}
    </div>
  )
}

function Numbers({ episode: { season, episode_number } }: Pick<Props, 'episode'>) {
  const { t } = useTranslation()
  if (season === null) return null
  return (
    <p className="episode-numbers numbers">
      {t('season', { number: season })}
      {episode_number !== null && ` · ${t('episode-number', { number: episode_number })}`}
    </p>
  )
}

/** Loaded when the notes are opened: lists do without. A failure leaves them out. */
function FeedExtras({ episode, onPlayAt }: Pick<Props, 'episode' | 'onPlayAt'>) {
  const { api } = useApp()
  const { data } = useResource((_, eid: string) => api.episodes.find(eid), [episode.episode_id])
  if (!data) return null
  const isEmpty = Object.values(data.extras).every(tag => Array.isArray(tag) && tag.length === 0)
  return isEmpty ? null : <Extras episode={episode} extras={data.extras} onPlayAt={onPlayAt} />
}
