import { useSignals } from '@preact/signals-react/runtime'
import { ListPlus, ListStart, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { QueueItem } from '../../shared/api/queue'
import { useApp } from '../app-context'
import { SortableList } from '../components/sortable-list'
import { useQueueActions, useQueues } from './queue-actions'
import './queue.css'
import { type FocusEvent, useLayoutEffect, useRef } from 'react'
import { Cover } from '../components/cover'
import { IconButton } from '../components/buttons'
import { formatMinutes } from '../format'
import { useSwipe } from '../library/episodes/use-swipe'
import { isBegun, secondsLeft } from './queue-summary'

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
    <section className="state faint middle stack gap-16 queue-empty">
      <p tabIndex={-1}>
        {before}
        <ListPlus size={18} strokeWidth={1.75} role="img" aria-label={t('add-to-queue')} />
        {after}
      </p>
    </section>
  )
}

/** The parts of a row that take the focus. */
const parts = ['.queue-remove', '.queue-play', '.grip']

/**
 * Keeps the focus in the list when the row that holds it is removed, for whatever reason: on the same part of the row
 * that replaces it, or else of the last one; in an empty list on the text that says so.
 */
function useKeptFocus() {
  const ref = useRef<HTMLDivElement>(null)
  const held = useRef<{ element: Element; part: string; place: number } | null>(null)
  useLayoutEffect(() => {
    if (!held.current || held.current.element.isConnected) return
    const { part, place } = held.current
    held.current = null
    const rows = ref.current!.querySelectorAll('li')
    const row = rows[Math.min(place, rows.length - 1)]
    const next = row ? row.querySelector<HTMLElement>(part) : ref.current!.querySelector<HTMLElement>('.queue-empty p')
    next?.focus()
  })
  return {
    ref,
    onFocus({ target }: FocusEvent) {
      const row = target.closest('li')
      const part = parts.find(name => target.matches(name))
      held.current =
        row && part ? { element: target, part, place: [...row.parentElement!.children].indexOf(row) } : null
    },
    onBlur: () => void (held.current = null),
  }
}

type Props = { item: QueueItem; podcastName: string; onRemove: () => void }

/** An entry of the queue: pressing it plays, a swipe towards the start of the line or the cross removes. */
function QueueRow({ item, podcastName, onRemove }: Props) {
  const { player, failed } = useApp()
  const { t } = useTranslation()
  const { state, handlers } = useSwipe({ onBack: onRemove })
  const { podcastEpisode: episode } = item
  const time = secondsLeft(item) > 0 && formatMinutes(secondsLeft(item))
  return (
    <>
      {state && (
        <span
          className={`queue-swipe absolute faint rounded shaded center ${state.isEnough ? 'is-enough' : ''}`}
          aria-hidden="true"
        >
          <X size={20} strokeWidth={1.75} />
        </span>
      )}
      <div className="queue-row row gap-10 grow" {...handlers}>
        <Cover
          src={episode.local_image_url}
          name={podcastName || episode.name}
          isMissing={episode.image_url === ''}
          size={64}
        />
        <span className="queue-text stack grow">
          <button
            type="button"
            className="queue-play ink start plain truncate whole"
            aria-label={t('play-episode', { name: episode.name })}
            title={episode.name}
            dir="auto"
            onClick={() => void player.play(item, podcastName).catch(failed)}
          >
            {episode.name}
          </button>
          <span className="queue-meta text-xs faint truncate">
            {item.automatic && (
              <ListStart size={14} strokeWidth={1.75} role="img" aria-label={t('queued-by-itself')}>
                <title>{t('queued-by-itself')}</title>
              </ListStart>
            )}
            <bdi>{podcastName}</bdi>
            {time && (
              <span>
                {' · '}
                {isBegun(item) ? t('time-left', { time }) : time}
              </span>
            )}
          </span>
        </span>
        <IconButton
          icon={X}
          className="queue-remove over"
          label={t('remove-from-queue', { name: episode.name })}
          onClick={onRemove}
        />
      </div>
    </>
  )
}
