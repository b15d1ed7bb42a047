import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { KeptQueue, QueueItem } from '../../shared/api/queue'
import { queuesApi } from '../api/queues'
import { useApp } from '../app-context'
import { createQueues } from '../state/queues'

/** Returns the actions on the queue. Each change is followed by a notice that can undo it. */
export function useQueueActions() {
  const { queue, player, library, toasts, failed } = useApp()
  const queues = useQueues()
  const { t } = useTranslation()
  const undoable = (change: Promise<() => Promise<unknown>>, text: string) =>
    void change.then(
      restore => toasts.done(text, { label: t('undo'), run: () => void restore().catch(failed) }),
      failed,
    )
  const playing = () => player.current.peek()?.episode.id

  /** Puts what follows the queue into the bar; playback is not interrupted. */
  async function showFirst() {
    const [first] = queue.items.peek()
    if (!first || player.isPlaying.peek() || player.isWaiting.peek()) return
    await player.show(first, library.byId.peek().get(first.podcastEpisode.podcast_id)?.name ?? '')
  }
  async function use({ id }: KeptQueue) {
    const restore = await queues.use(id, playing())
    await showFirst()
    return () => restore().then(showFirst)
  }
  const nameOf = ({ name }: KeptQueue) => name ?? t('main-queue')
  return {
    clear: () => undoable(queues.clear(), t('queue-cleared')),
    shuffle: () => undoable(queues.shuffle(), t('queue-shuffled')),
    remove: (item: QueueItem) => undoable(queue.remove(item), t('queue-removed', { name: item.podcastEpisode.name })),
    /** Begins an empty queue and saves this one. Throws the server's refusal. */
    begin: (name: string) => queues.begin(name, playing()),
    /** Uses another queue, and saves this one as it is. */
    use: (other: KeptQueue) => undoable(use(other), t('queue-used', { name: nameOf(other) })),
    removeKept: (other: KeptQueue) =>
      undoable(queues.removeKept(other.id), t('queue-deleted', { name: nameOf(other) })),
  }
}

/** Returns the commands about all queues of the listener. */
export function useQueues() {
  const { api, client, queue } = useApp()
  return useMemo(
    () => createQueues({ api: { ...queuesApi(client), reorder: order => api.queue.reorder(order) }, queue }),
    [api, client, queue],
  )
}
