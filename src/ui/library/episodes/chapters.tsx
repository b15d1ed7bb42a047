import { ExternalLink } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Chapter } from '../../../shared/api/chapter'
import type { Episode } from '../../../shared/api/episode'
import { formatDuration } from '../../../shared/duration'
import { useApp } from '../../app-context'
import { useResource } from '../../use-resource'
import './episode-texts.css'

type Props = {
  episodeId: string
  /** The reason why chapters in the media file are unread; null where there is none. */
  unread: Episode['chapters_unread']
  onPlayAt: (seconds: number) => void
}

/** The chapters of an episode; a click plays from there. */
export function Chapters({ episodeId, unread, onPlayAt }: Props) {
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

/** Loads an episode's chapters, by its `id`; null until they are here, none where they cannot be loaded. */
export function useChapters(episodeId: string, isWanted = true): readonly Chapter[] | null {
  const { api } = useApp()
  const { data, error, isStale } = useResource(
    async (_, id: string, wanted: boolean) => (wanted ? api.episodes.chapters(id) : noChapters),
    [episodeId, isWanted],
  )
  if (error !== null) return noChapters
  return isStale ? null : data
}

const noChapters: readonly Chapter[] = []

type ListProps = {
  chapters: readonly Chapter[]
  /** The one that plays. */
  current?: Chapter | undefined
  onPlayAt: (seconds: number) => void
}

/** Chapters with their times and links. */
export function ChapterList({ chapters, current, onPlayAt }: ListProps) {
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
