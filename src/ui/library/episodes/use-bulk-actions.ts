import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'

/** Returns a function that queues episodes with `add`, says how many there were, and offers to undo it. */
export function useQueueing() {
  const { api, failed, queue, toasts } = useApp()
  const { t } = useTranslation()
  const orderNow = () => queue.items.peek().map(({ podcastEpisode }) => ({ episode: podcastEpisode.id }))
  return async (add: () => Promise<unknown>) => {
    const items = orderNow()
    const takeBack = () => void api.queue.reorder({ items }).then(queue.load).catch(failed)
    try {
      await add()
      await queue.load()
      const count = Math.max(0, orderNow().length - items.length)
      toasts.done(t('queued-these', { count }), count > 0 ? { label: t('undo'), run: takeBack } : undefined)
    } catch (error) {
      failed(error)
    }
  }
}

/** Marks all episodes of a podcast, or those up to `until` (an `id`), as played or not. */
export type MarkPodcast = (finished: boolean, until?: string) => void

/** Returns a function that marks the episodes of a podcast, and offers to undo that. */
export function usePodcastMarking(podcastId: string): MarkPodcast {
  const { api, changes, failed, library, toasts } = useApp()
  const { t } = useTranslation()
  function onMarked() {
    changes.added(podcastId)
    void library.load()
  }
  async function mark(finished: boolean, until?: string) {
    const { affected, undo } = await api.podcasts.markListened(podcastId, { finished, ...(until && { until }) })
    const takeBack = () => void api.podcasts.undoListened(podcastId, undo).then(onMarked, failed)
    toasts.done(
      t(finished ? 'marked-count-played' : 'marked-count-unplayed', { count: affected }),
      affected > 0 ? { label: t('undo'), run: takeBack } : undefined,
    )
    onMarked()
  }
  return (finished, until) => void mark(finished, until).catch(failed)
}
