import { useTranslation } from '../../i18n'
import type { Chapter } from '../../../shared/api/chapter'
import type { Episode } from '../../../shared/api/episode'
import { useApp } from '../../app-context'
import { useResource } from '../../use-resource'
import { ChapterItem } from './chapter-item'
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
      {chapters && (
        <ol className="chapters">
          {chapters.map(chapter => (
            <ChapterItem key={chapter.id} className="moment" chapter={chapter} onPlayAt={onPlayAt} />
          ))}
        </ol>
      )}
    </section>
  )
}

/** Loads an episode's chapters, by its `id`; null until they are here, none where they cannot be loaded. */
function useChapters(episodeId: string): readonly Chapter[] | null {
  const { api } = useApp()
  const { data, error, isStale } = useResource(async (_, id: string) => api.episodes.chapters(id), [episodeId])
  if (error !== null) return noChapters
  return isStale ? null : data
}

const noChapters: readonly Chapter[] = []
