import { BookmarkPlus, Ellipsis, Link as LinkIcon, Pencil, Share2, Trash2 } from 'lucide-react'
import { type FormEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Bookmark } from '../../shared/api/marks'
import { formatDuration } from '../../shared/duration'
import { useApp } from '../app-context'
import { Menu } from '../components/menu'
import { Empty, Failed } from '../components/states'
import { canShare } from '../device/share'
import type { Playing } from '../playback/state'
import { useResource } from '../use-resource'
import { useShare } from './use-moment-address'

type Props = { playing: Playing; bookmarks: Bookmarks; onPlayAt: (seconds: number) => void }

/** The bookmarks of an episode: new ones are made here with a note, existing ones play when pressed. */
export function BookmarkPanel({ playing, bookmarks, onPlayAt }: Props) {
  const { t } = useTranslation()
  const { all, error, retry } = bookmarks
  return (
    <>
      <NewBookmark onAdd={bookmarks.add} />
      {error !== null && <Failed error={error} onRetry={retry} />}
      {all?.length === 0 && <Empty>{t('no-bookmarks')}</Empty>}
      <BookmarkRows playing={playing} bookmarks={bookmarks} onPlayAt={onPlayAt} />
    </>
  )
}

export function BookmarkRows({ playing, bookmarks, onPlayAt }: Props) {
  return (
    <ul className="moments">
      {bookmarks.all?.map(bookmark => (
        <BookmarkRow
          key={bookmark.id}
          bookmark={bookmark}
          playing={playing}
          bookmarks={bookmarks}
          onPlayAt={onPlayAt}
        />
      ))}
    </ul>
  )
}

function BookmarkRow({ bookmark, playing, bookmarks, onPlayAt }: Props & { bookmark: Bookmark }) {
  const { t } = useTranslation()
  const share = useShare(playing)
  const [isEdited, setEdited] = useState(false)
  const time = formatDuration(bookmark.time)
  if (isEdited)
    return (
      <li className="row">
        <NoteForm
          note={bookmark.note ?? ''}
          label={t('save')}
          onSave={async note => {
            await bookmarks.edit(bookmark.id, note)
            setEdited(false)
          }}
        />
      </li>
    )
  return (
    <li className="row">
      <button type="button" className="chap grow entry" onClick={() => onPlayAt(bookmark.time)}>
        <time className="numbers">{time}</time>
        <span dir="auto">{bookmark.note ?? t('bookmark-without-note')}</span>
      </button>
      <Menu
        icon={Ellipsis}
        label={t('more-of-bookmark', { time })}
        items={[
          { icon: Pencil, label: t('edit-note'), onSelect: () => setEdited(true) },
          {
            icon: canShare ? Share2 : LinkIcon,
            label: canShare ? t('share-moment') : t('copy-link-at-time'),
            onSelect: () => share(bookmark.time),
          },
          {
            icon: Trash2,
            label: t('delete-bookmark'),
            isDanger: true,
            onSelect: () => void bookmarks.remove(bookmark),
          },
        ]}
      />
    </li>
  )
}

const NewBookmark = ({ onAdd }: { onAdd: (note: string) => Promise<void> }) => {
  const { t } = useTranslation()
  return <NoteForm note="" label={t('bookmark-this')} withIcon onSave={onAdd} />
}

type FormProps = { note: string; label: string; withIcon?: boolean; onSave: (note: string) => Promise<void> }

function NoteForm({ note: initial, label, withIcon = false, onSave }: FormProps) {
  const { t } = useTranslation()
  const [note, setNote] = useState(initial)
  async function save(event: FormEvent) {
    event.preventDefault()
    await onSave(note)
    setNote('')
  }
  return (
    <form className="bookmark-form grow below-8 wrap gap-8" onSubmit={event => void save(event)}>
      <input
        value={note}
        maxLength={1000}
        dir="auto"
        placeholder={t('bookmark-note')}
        aria-label={t('bookmark-note')}
        autoComplete="off"
        onChange={event => setNote(event.target.value)}
      />
      <button type="submit" className="with-icon">
        {withIcon && <BookmarkPlus size={18} strokeWidth={1.75} aria-hidden="true" />}
        {label}
      </button>
    </form>
  )
}

export type Bookmarks = ReturnType<typeof useBookmarks>

/** The bookmarks of an episode, by its `id`, and the actions on them; failures become notices. */
export function useBookmarks(episodeId: string) {
  const { api, changes, player, toasts, failed } = useApp()
  const { t } = useTranslation()
  const { data, error, retry } = useResource((_, id: string) => api.bookmarks.ofEpisode(id), [episodeId])
  const guarded = (work: () => Promise<unknown>) => work().then(retry, failed)
  useEffect(
    () =>
      changes.listenToLists(playlist => {
        if (playlist === null) void retry()
      }),
    [changes, retry],
  )

  return {
    all: data,
    error,
    retry: () => void retry(),
    /** Marks this moment, or another. */
    add: (note = '', at = player.position.peek()) =>
      guarded(async () => {
        const { time } = await api.bookmarks.add({ episode: episodeId, time: at, note })
        toasts.done(t('bookmarked', { time: formatDuration(time) }))
      }),
    edit: (id: string, note: string) => guarded(() => api.bookmarks.edit(id, { note })),
    /** Removes a bookmark, and offers to undo that. */
    remove: ({ id, time, note }: Bookmark) =>
      guarded(async () => {
        await api.bookmarks.remove(id)
        const restore = () => guarded(() => api.bookmarks.add({ episode: episodeId, time, note }))
        toasts.done(t('bookmark-removed'), { label: t('undo'), run: () => void restore() })
      }),
  }
}
