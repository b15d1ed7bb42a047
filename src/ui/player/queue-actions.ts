import { useTranslation } from '../i18n'
import type { QueueItem } from '../../shared/api/queue'
import { useApp } from '../app-context'

/** Returns what can be done with the queue. Each change is followed by a notice that undoes it. */
export function useQueueActions() {
  const { queue, toasts, failed } = useApp()
  const { t } = useTranslation()
  const undoable = (change: Promise<() => Promise<unknown>>, text: string) =>
    void change.then(
      restore => toasts.done(text, { label: t('undo'), run: () => void restore().catch(failed) }),
      failed,
    )
  return {
    clear: () => undoable(queue.clear(), t('queue-cleared')),
    shuffle: () => undoable(queue.shuffle(), t('queue-shuffled')),
    remove: (item: QueueItem) => undoable(queue.remove(item), t('queue-removed', { name: item.podcastEpisode.name })),
  }
}
