import { useTranslation } from 'react-i18next'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import type { Playlist } from '../../../shared/api/playlist'
import { useApp } from '../../app-context'
import { useQueueing } from '../../library/episodes/use-bulk-actions'
import type { PagedList } from '../../state/paged-list'

/** Returns a function that plays the first of a playlist's episodes and puts the others at the head of the queue. */
export function usePlayInOrder() {
  const { library, player, queue, toasts, failed, beginIn } = useApp()
  const { t } = useTranslation()
  return async (playlist: Pick<Playlist, 'id' | 'name'>, [first, ...rest]: readonly EpisodeWrapper[]) => {
    if (!first) return
    try {
      const restore = await queue.replace([...rest, ...queue.items.peek()])
      beginIn(playlist, first.podcastEpisode.id)
      await player.play(first, library.byId.value.get(first.podcastEpisode.podcast_id)?.name ?? '')
      if (rest.length > 0)
        toasts.done(t('queued-count', { count: rest.length }), {
          label: t('undo'),
          run: () => void restore().catch(failed),
        })
    } catch (error) {
      failed(error)
    }
  }
}

/** Returns functions that play a playlist, queue it, and remove an episode from it; each can be undone. */
export function usePlaylistActions(playlist: Playlist | null, list: PagedList<EpisodeWrapper>) {
  const { api, queue, toasts, failed } = useApp()
  const { t } = useTranslation()
  const play = usePlayInOrder()
  const queueing = useQueueing()

  /** Plays an episode and puts the following ones at the head of the queue. */
  const playFrom = async (index: number) => playlist && play(playlist, list.items.peek().slice(index))

  const queueAll = () =>
    queueing(() => api.queue.reorder({ items: orderOf([...queue.items.peek(), ...list.items.peek()]) }))

  async function remove({ podcastEpisode }: EpisodeWrapper) {
    if (!playlist) return
    const { id, name } = playlist
    const items = orderOf(list.items.peek())
    const takeBack = () => api.playlists.replace(id, { name, items }).then(list.reload)
    try {
      await api.playlists.removeItem(id, podcastEpisode.id)
      await list.reload()
      toasts.done(t('removed-from-playlist'), { label: t('undo'), run: () => void takeBack().catch(failed) })
    } catch (error) {
      failed(error)
    }
  }
  return { playFrom, queueAll, remove }
}

/** Each episode once: the server keeps the first mention. */
const orderOf = (items: readonly Pick<EpisodeWrapper, 'podcastEpisode'>[]) =>
  [...new Set(items.map(({ podcastEpisode }) => podcastEpisode.id))].map(episode => ({ episode }))
