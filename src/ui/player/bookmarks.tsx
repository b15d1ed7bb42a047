import { BookmarkPlus, Trash2 } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Bookmark } from '../../shared/api/bookmark'
import { formatDuration } from '../../shared/duration'
import { useApp } from '../app-context'
import { IconButton } from '../components/icon-button'
import { Empty, Failed } from '../components/states'
import { useResource } from '../use-resource'

type Props = { episodeId: string; onPlayAt: (seconds: number) => void }

/** The bookmarks of an episode: a new one is made here with a note, the others play on a click. */
export function Bookmarks({ episodeId, onPlayAt }: Props) {
  const { api } = useApp()
  const { t } = useTranslation()
  const { data: bookmarks, error, retry } = useResource((_, id: string) => api.bookmarks.ofEpisode(id), [episodeId])
  const remove = useRemove(episodeId, retry)
  return (
    <>
      <NewBookmark episodeId={episodeId} onAdded={retry} />
      {error !== null && <Failed error={error} onRetry={() => void retry()} />}
      {bookmarks?.length === 0 && <Empty>{t('no-bookmarks')}</Empty>}
      <ul className="chapters">
        {bookmarks?.map(bookmark => (
          <li key={bookmark.id}>
            <button type="button" className="moment" onClick={() => onPlayAt(bookmark.time)}>
              <time className="numbers">{formatDuration(bookmark.time)}</time>
              <span>{bookmark.note ?? t('bookmark-without-note')}</span>
            </button>
            <IconButton
              icon={Trash2}
              label={t('remove-bookmark', { time: formatDuration(bookmark.time) })}
              onClick={() => void remove(bookmark)}
            />
          </li>
        ))}
      </ul>
    </>
  )
}

/** Removes a bookmark, and offers to bring it back. */
function useRemove(episodeId: string, reload: () => Promise<void>) {
  const { api, toasts, failed } = useApp()
  const { t } = useTranslation()
  return async ({ id, time, note }: Bookmark) => {
    try {
      await api.bookmarks.remove(id)
      const restore = () => api.bookmarks.add({ episode: episodeId, time, note }).then(reload)
      toasts.done(t('bookmark-removed'), { label: t('undo'), run: () => void restore().catch(failed) })
      await reload()
    } catch (error) {
      failed(error)
    }
  }
}

function NewBookmark({ episodeId, onAdded }: { episodeId: string; onAdded: () => Promise<void> }) {
  const { api, player, toasts, failed } = useApp()
  const { t } = useTranslation()
  const [note, setNote] = useState('')

  async function add(event: FormEvent) {
    event.preventDefault()
    try {
      const { time } = await api.bookmarks.add({ episode: episodeId, time: player.position.peek(), note })
      setNote('')
      toasts.done(t('bookmarked', { time: formatDuration(time) }))
      await onAdded()
    } catch (error) {
      failed(error)
    }
  }
  return (
    <form className="bookmark-new" onSubmit={event => void add(event)}>
      <input
        value={note}
        maxLength={1000}
        placeholder={t('bookmark-note')}
        aria-label={t('bookmark-note')}
        autoComplete="off"
        onChange={event => setNote(event.target.value)}
      />
      <button type="submit" className="with-icon">
        <BookmarkPlus size={18} strokeWidth={1.75} aria-hidden="true" />
        {t('bookmark-this')}
      </button>
    </form>
  )
}
