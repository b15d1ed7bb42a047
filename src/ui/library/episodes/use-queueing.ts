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
