import { useSignals } from '@preact/signals-react/runtime'
import { ListPlus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { QueueItem } from '../../shared/api/queue'
import { useApp } from '../app-context'
import { SortableList } from '../components/sortable-list'
import { useQueueActions } from './queue-actions'
import { QueueRow } from './queue-row'
import { useKeptFocus } from './use-kept-focus'
import { useQueues } from './use-queues'
import './queue-list.css'

/** The episodes that play next, in an order that their listener may change. */
export function QueueList() {
  useSignals()
  const { queue, upcoming, library, failed } = useApp()
  const { remove } = useQueueActions()
  const queues = useQueues()
  const focus = useKeptFocus()
  const items = upcoming.value
  const placeOf = (index: number) => queue.items.value.indexOf(items[index]!)
  const podcastOf = ({ podcastEpisode }: QueueItem) => library.byId.value.get(podcastEpisode.podcast_id)?.name ?? ''

  return (
    <div className="queue-list" {...focus}>
      {items.length === 0 ? (
        <EmptyQueue />
      ) : (
        <SortableList
          items={items}
          idOf={item => item.id}
          nameOf={item => item.podcastEpisode.name}
          onMove={(from, to) => void queues.move(placeOf(from), placeOf(to)).catch(failed)}
        >
          {item => <QueueRow item={item} podcastName={podcastOf(item)} onRemove={() => remove(item)} />}
        </SortableList>
      )}
    </div>
  )
}

function EmptyQueue() {
  const { t } = useTranslation()
  const text = t(matchMedia('(pointer: coarse)').matches ? 'queue-empty-touch' : 'queue-empty')
  const [before, after] = text.split('{icon}')
  return (
    <section className="state queue-empty">
      <p tabIndex={-1}>
        {before}
        <ListPlus size={18} strokeWidth={1.75} role="img" aria-label={t('add-to-queue')} />
        {after}
      </p>
    </section>
  )
}
