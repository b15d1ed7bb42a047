import { useTranslation } from 'react-i18next'
import type { Bookmark } from '../../shared/api/bookmark'
import { formatDuration } from '../../shared/duration'
import { useApp } from '../app-context'
import { useResource } from '../use-resource'

export type Bookmarks = ReturnType<typeof useBookmarks>

/** The bookmarks of an episode, by its `id`, and what can be done with them; failures become notices. */
export function useBookmarks(episodeId: string) {
  const { api, player, toasts, failed } = useApp()
  const { t } = useTranslation()
  const { data, error, retry } = useResource((_, id: string) => api.bookmarks.ofEpisode(id), [episodeId])
  const guarded = (work: () => Promise<unknown>) => work().then(retry, failed)

  return {
    all: data,
    error,
    retry: () => void retry(),
    /** Marks this moment. */
    add: (note = '') =>
      guarded(async () => {
        const { time } = await api.bookmarks.add({ episode: episodeId, time: player.position.peek(), note })
        toasts.done(t('bookmarked', { time: formatDuration(time) }))
      }),
    edit: (id: string, note: string) => guarded(() => api.bookmarks.edit(id, { note })),
    /** Removes a bookmark, and offers to bring it back. */
    remove: ({ id, time, note }: Bookmark) =>
      guarded(async () => {
        await api.bookmarks.remove(id)
        const restore = () => guarded(() => api.bookmarks.add({ episode: episodeId, time, note }))
        toasts.done(t('bookmark-removed'), { label: t('undo'), run: () => void restore() })
      }),
  }
}
