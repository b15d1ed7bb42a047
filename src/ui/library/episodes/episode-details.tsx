import { useTranslation } from 'react-i18next'
import type { Episode } from '../../../shared/api/episode'
import { lazily } from '../../components/lazily'

const Chapters = lazily(async () => (await import('./chapters')).Chapters)
const Transcript = lazily(async () => (await import('./transcript')).Transcript)

type Props = {
  id: string
  episode: Episode
  /** The second that a link points to. */
  moment: number | null
  onPlayAt: (seconds: number) => void
}

/** The notes, chapters and transcript of an opened episode. */
export function EpisodeDetails({ id, episode, moment, onPlayAt }: Props) {
  return (
    <div id={id} className="episode-details">
      <Notes html={episode.description} />
      {(episode.has_chapters || episode.chapters_unread) && (
        <Chapters episodeId={episode.id} unread={episode.chapters_unread} onPlayAt={onPlayAt} />
      )}
      {episode.has_transcript && <Transcript episodeId={episode.id} moment={moment} onPlayAt={onPlayAt} />}
    </div>
  )
}

/** Show notes. `html` is sanitised by the server. */
function Notes({ html }: { html: string }) {
  const { t } = useTranslation()
  if (html === '') return <p className="episode-notes muted">{t('no-notes')}</p>
  return <div className="episode-notes" dangerouslySetInnerHTML={{ __html: html }} />
}
