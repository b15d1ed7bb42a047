import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Chapter } from '../../../shared/api/texts'
import type { Episode } from '../../../shared/api/episode'
import { formatDuration } from '../../../shared/duration'
import { useApp } from '../../app-context'
import { isMarked, partsOf } from '../../state/marked-parts'
import { useResource } from '../../use-resource'
import './episode-texts.css'
import { ChapterCauses } from './transcript-choice'

type Props = {
  episodeId: string
  /** The reason why chapters in the media file are unread; null if there is none. */
  unread: Episode['chapters_unread']
  onPlayAt: (seconds: number) => void
}

/** The chapters of an episode; a click plays from there. */
export function Chapters({ episodeId, unread, onPlayAt }: Props) {
  const chapters = useChapters(episodeId)
  const { t } = useTranslation()
  if (chapters?.length === 0)
    return unread ? <p className="muted">{t(`chapters-${unread}`)}</p> : <ChapterCauses episodeId={episodeId} />
  return (
    <section className="episode-texts spaced" aria-label={t('chapters')}>
      <h4>{t('chapters')}</h4>
      {!chapters && <p role="status" aria-busy="true" aria-label={t('loading')} />}
      {chapters && (
        <ol className="chapters">
          {chapters.map(chapter => (
            <ChapterItem
              key={chapter.id}
              className="moment shrinks entry"
              chapter={chapter}
              isAdvertising={chapter.isMarked}
              onPlayAt={onPlayAt}
            />
          ))}
        </ol>
      )}
    </section>
  )
}

type MarkedChapter = Chapter & { isMarked: boolean }

/**
 * Loads an episode's chapters, by its `id`, with what its listener marked; null until they are loaded, none if they
 * cannot be.
 */
function useChapters(episodeId: string): readonly MarkedChapter[] | null {
  const { api } = useApp()
  const { data, error, isStale } = useResource(
    async (_, id: string): Promise<readonly MarkedChapter[]> => {
      const [chapters, marks] = await Promise.all([api.episodes.chapters(id), api.skipMarks.ofEpisode(id)])
      const parts = partsOf(chapters, marks, 0)
      return chapters.map(chapter => ({ ...chapter, isMarked: isMarked(parts, chapter, 0) }))
    },
    [episodeId],
  )
  if (error !== null) return noChapters
  return isStale ? null : data
}

const noChapters: readonly MarkedChapter[] = []

type ChapterItemProps = {
  chapter: Chapter
  className: string
  isCurrent?: boolean
  isAdvertising?: boolean
  /** Shown after the title. */
  children?: ReactNode
  /** Shown at the end of the row. */
  menu?: ReactNode
  onPlayAt: (seconds: number) => void
}

/** A chapter of a list: its time and title, which play from there on a click, and its link. */
export function ChapterItem({
  chapter,
  className,
  isCurrent = false,
  isAdvertising = false,
  children,
  menu,
  onPlayAt,
}: ChapterItemProps) {
  const { t } = useTranslation()
  const { startTime, title, href } = chapter
  const name = t('play-from', { time: formatDuration(startTime), title })
  return (
    <li className="row gap-4">
      <button
        type="button"
        className={className}
        // The current one is named by its content, which shows what is left of it.
        aria-label={isCurrent ? undefined : isAdvertising ? `${name}, ${t('advertising')}` : name}
        aria-current={isCurrent ? 'true' : undefined}
        onClick={() => onPlayAt(startTime)}
      >
        <time className="numbers">{formatDuration(startTime)}</time>{' '}
        <span dir="auto">{title || t('chapter-without-title')}</span>{' '}
        {isAdvertising && <small className="inset-8 count caution">{t('advertising')}</small>} {children}
      </button>
      {href && (
        <a
          className="chapter-link center rigid"
          href={href}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={t('link-of', { name: title })}
        >
          <ExternalLink size={16} aria-hidden="true" />
        </a>
      )}
      {menu}
    </li>
  )
}
