import { BookmarkPlus, Trash2 } from 'lucide-react'
import { useCallback, useEffect, useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Bookmark } from '../../shared/api/bookmark'
import { formatDuration } from '../../shared/duration'
import { useApp } from '../app-context'
import { IconButton } from '../components/icon-button'
import { Empty } from '../components/states'

/** Moments of an episode to come back to: this one is kept with a note, the others play on a click. */
export function Bookmarks({ episodeId, onPlayAt }: { episodeId: string; onPlayAt: (seconds: number) => void }) {
  const { api, player, toasts, failed } = useApp()
  const { t } = useTranslation()
  const [bookmarks, setBookmarks] = useState<readonly Bookmark[] | null>(null)
  const [note, setNote] = useState('')
  const load = useCallback(
    () => api.bookmarks.ofEpisode(episodeId).then(setBookmarks, failed),
    [api, episodeId, failed],
  )
  useEffect(() => void load(), [load])

  async function add(event: FormEvent) {
    event.preventDefault()
    try {
      const { time } = await api.bookmarks.add({ episode: episodeId, time: player.position.peek(), note })
      setNote('')
      toasts.done(t('bookmarked', { time: formatDuration(time) }))
      await load()
    } catch (error) {
      failed(error)
    }
  }
  async function remove({ id, time, note: text }: Bookmark) {
    try {
      await api.bookmarks.remove(id)
      const restore = () => api.bookmarks.add({ episode: episodeId, time, note: text }).then(load)
      toasts.done(t('bookmark-removed'), { label: t('undo'), run: () => void restore().catch(failed) })
      await load()
    } catch (error) {
      failed(error)
    }
  }
  return (
    <>
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
