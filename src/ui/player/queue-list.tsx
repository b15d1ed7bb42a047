import { useSignals } from '@preact/signals-react/runtime'
import { Play, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { QueueItem } from '../../shared/api/queue'
import { useApp } from '../app-context'
import { Cover } from '../components/cover'
import { Dialog } from '../components/dialog'
import { IconButton } from '../components/icon-button'
import { SortableList } from '../components/sortable-list'
import { Empty } from '../components/states'

/** The queue over the page. */
export function QueueDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('up-next')} onClose={onClose}>
      {() => <QueueList />}
    </Dialog>
  )
}

/** The queue, in an order that its listener may change. */
export function QueueList() {
  useSignals()
  const { queue, upcoming, library, toasts, failed } = useApp()
  const { t } = useTranslation()
  const items = upcoming.value
  const placeOf = (index: number) => queue.items.value.indexOf(items[index]!)
  const podcastOf = ({ podcastEpisode }: QueueItem) => library.byId.value.get(podcastEpisode.podcast_id)?.name ?? ''

  async function clear() {
    const restore = await queue.clear()
    toasts.done(t('queue-cleared'), { label: t('undo'), run: () => void restore().catch(failed) })
  }
  return (
    <>
      {items.length === 0 && <Empty>{t('queue-empty')}</Empty>}
      <SortableList
        items={items}
        idOf={item => item.id}
        nameOf={item => item.podcastEpisode.name}
        onMove={(from, to) => void queue.move(placeOf(from), placeOf(to)).catch(failed)}
      >
        {item => <QueueRow item={item} podcastName={podcastOf(item)} />}
      </SortableList>
      {items.length > 0 && (
        <footer>
          <button type="button" className="secondary" onClick={() => void clear().catch(failed)}>
            {t('clear-queue')}
          </button>
        </footer>
      )}
    </>
  )
}

function QueueRow({ item, podcastName }: { item: QueueItem; podcastName: string }) {
  const { queue, player, failed } = useApp()
  const { t } = useTranslation()
  const { podcastEpisode: episode } = item
  return (
    <>
      <Cover src={episode.local_image_url} name={podcastName} isMissing={episode.image_url === ''} size={64} />
      <span className="sortable-text">
        <span>{episode.name}</span>
        <span className="muted">{podcastName}</span>
      </span>
      <IconButton
        icon={Play}
        label={t('play-episode', { name: episode.name })}
        onClick={() => void player.play(item, podcastName).catch(failed)}
      />
      <IconButton
        icon={X}
        label={t('remove-from-queue', { name: episode.name })}
        onClick={() => void queue.remove(item).catch(failed)}
      />
    </>
  )
}
