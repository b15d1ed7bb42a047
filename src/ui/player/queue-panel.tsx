import { useSignals } from '@preact/signals-react/runtime'
import { ChevronDown, Ellipsis, ListVideo, Plus, Settings2, Shuffle, Trash2, X } from 'lucide-react'
import { type ReactNode, useState, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'
import { Cover } from '../components/cover'
import { IconButton } from '../components/buttons'
import { formatMinutes } from '../format'
import { useQueueActions, useQueues } from './queue-actions'
import { QueueList } from './queue-list'
import { QueueSummary } from './queue-summary'
import type { Playing } from '../playback/state'
import { useTint } from './tint'
import './queue.css'
import { lazily } from '../components/lazily'
import { Menu, type MenuItem } from '../components/menu'
import { continuations } from '../../shared/choices'
import type { Continuation, Continued } from '../playback/continuation'
import { ofItself, useModal } from '../components/dialog'
import { pullDown } from './follow-finger'

type Props = {
  /** The id of the heading; without one there is none, as the place of the panel names it already. */
  headingId?: string
  /** Shows the words in full, and shuffling as a separate button. */
  isRoomy?: boolean
  /** Shown at the end of the header. */
  children?: ReactNode
}

/** The queue: what plays now, what plays next, what plays after it, and the actions on it. */
export function QueuePanel({ headingId, isRoomy = false, children }: Props) {
  useSignals()
  const { queue, upcoming } = useApp()
  const { t } = useTranslation()
  const { shuffle } = useQueueActions()
  const hasItems = upcoming.value.length > 0
  return (
    <div className={`queue-panel flex ${isRoomy ? 'is-roomy' : ''}`}>
      <header className="queue-header rigid row gap-4">
        <div className="queue-titles wrap spread grow">
          <div className="queue-heading flex gap-8 grow">
            {headingId && (
              <h2 className="rigid flush" id={headingId}>
                {t('queue')}
              </h2>
            )}
            {queue.name.value !== null && (
              <b className="queue-name truncate muted" dir="auto" title={queue.name.value}>
                {queue.name.value}
              </b>
            )}
          </div>
          {hasItems && <QueueSummary isFull={isRoomy} />}
        </div>
        {isRoomy && hasItems && <IconButton icon={Shuffle} label={t('shuffle-queue')} onClick={shuffle} />}
        <QueueMenu hasShuffle={!isRoomy} />
        {children}
      </header>
      <div className="queue-scroll grow">
        {headingId && <QueueNow />}
        <QueueList />
      </div>
      <QueueEnd />
    </div>
  )
}

/** The episode that plays, on the colour of its podcast. */
function QueueNow() {
  useSignals()
  const playing = useApp().player.current.value
  return playing && <Now playing={playing} />
}

function Now({ playing }: { playing: Playing }) {
  const { t } = useTranslation()
  const { episode, podcastName } = playing
  const name = podcastName || episode.name
  return (
    <section
      className="queue-now below-4 rounded row gap-10 tinted"
      style={useTint(playing)}
      aria-label={t('now-playing')}
    >
      <Cover src={episode.local_image_url} name={name} isMissing={episode.image_url === ''} size={64} eager />
      <div className="queue-text stack gap-2 grow">
        <span className="queue-meta text-xs faint truncate" aria-hidden="true">
          {t('now-playing')}
        </span>
        <b className="truncate" dir="auto" title={episode.name}>
          {episode.name}
        </b>
        <TimeLeft />
      </div>
    </section>
  )
}

function TimeLeft() {
  useSignals()
  const { player } = useApp()
  const { t } = useTranslation()
  const rate = player.rate.value
  const left = (player.duration.value - player.position.value) / rate
  if (!(left > 0)) return null
  const time = formatMinutes(left)
  return (
    <span className="queue-meta text-xs faint truncate numbers">
      {t(rate === 1 ? 'time-left' : 'time-left-at', { time, rate })}
    </span>
  )
}

const SaveQueueDialog = lazily(async () => (await import('./queues-dialog')).SaveQueueDialog)
const QueueNameDialog = lazily(async () => (await import('./queues-dialog')).QueueNameDialog)
const QueuesDialog = lazily(async () => (await import('./queues-dialog')).QueuesDialog)

/** The others that the menu itself offers. */
const MAX_OFFERED = 5

type Open = 'playlist' | 'new' | 'all'

/** Actions for the whole queue, and the other queues. */
function QueueMenu({ hasShuffle }: { hasShuffle: boolean }) {
  useSignals()
  const { queue, upcoming } = useApp()
  const { t } = useTranslation()
  const { clear, shuffle, use } = useQueueActions()
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const hasItems = upcoming.value.length > 0
  const others = queue.others.value
  const group = t('queues')
  const present: MenuItem = {
    group,
    label: queue.name.value ?? t('main-queue'),
    isChecked: true,
    onSelect: () => undefined,
  }
  const items: (MenuItem | false)[] = [
    hasItems && hasShuffle && { icon: Shuffle, label: t('shuffle-queue'), onSelect: shuffle },
    hasItems && { icon: ListVideo, label: t('save-as-playlist'), onSelect: () => setOpen('playlist') },
    hasItems && { icon: Trash2, label: t('clear-queue'), onSelect: clear },
    others.length > 0 && present,
    ...others.slice(0, MAX_OFFERED).map(other => ({
      label: other.name ?? t('main-queue'),
      isChecked: false,
      onSelect: () => use(other),
    })),
    { group: others.length > 0 ? '' : group, icon: Plus, label: t('new-queue'), onSelect: () => setOpen('new') },
    { icon: Settings2, label: t('manage-queues'), onSelect: () => setOpen('all') },
  ]
  return (
    <>
      <Menu icon={Ellipsis} label={t('more-for-queue')} items={items.filter(item => item !== false)} />
      {open === 'playlist' && <SaveQueueDialog onClose={close} />}
      {open === 'new' && <QueueNameDialog onClose={close} />}
      {open === 'all' && <QueuesDialog onClose={close} />}
    </>
  )
}

/** The choice of what plays after the queue, and the episode itself once it is next. */
function QueueEnd() {
  useSignals()
  const { queue, failed } = useApp()
  const queues = useQueues()
  const { t } = useTranslation()
  const chosen = queue.continueWith.value
  return (
    <section className="queue-end ruled-above rigid spaced stack gap-4" aria-label={t('after-the-queue')}>
      <div className="queue-end-choice wrap row spread muted">
        <span aria-hidden="true">{t('after-the-queue')}</span>
        <Menu
          icon={ChevronDown}
          label={t('after-the-queue')}
          text={t(`continue-${chosen}`)}
          heading={t('after-the-queue')}
          items={continuations.map(choice => ({
            label: t(`continue-${choice}`),
            isChecked: choice === chosen,
            onSelect: () => void queues.setContinueWith(choice).catch(failed),
          }))}
        />
      </div>
      <QueueEndNext />
    </section>
  )
}

function QueueEndNext() {
  useSignals()
  const { player, queue, upcoming, ...app } = useApp()
  const { t } = useTranslation()
  const continuation = app.continuation.value
  const next = continuation?.next.value
  if (continuation && next) return <Next next={next} continuation={continuation} />
  if (continuation?.isStopped.value)
    return (
      <p className="inset-8 flush wrap row gap-8 muted">
        {t('stops-after-this')}
        <button type="button" className="quiet small" onClick={continuation.goOn}>
          {t('undo')}
        </button>
      </p>
    )
  const isLast = player.current.value !== null && upcoming.value.length === 0
  if (!isLast || queue.continueWith.value === 'nothing') return null
  const hasNoList = queue.continueWith.value === 'playlist' && !continuation?.playlist.value
  return <p className="inset-8 flush wrap row gap-8 muted">{t(hasNoList ? 'continue-no-playlist' : 'continue-none')}</p>
}

function Next({ next, continuation }: { next: Continued; continuation: Continuation }) {
  useSignals()
  const { library, playNext } = useApp()
  const { t } = useTranslation()
  const { podcastEpisode: episode } = next.wrapper
  const podcastName = library.byId.value.get(episode.podcast_id)?.name ?? ''
  const list = next.with === 'playlist' ? continuation.playlist.value?.name : undefined
  return (
    <div
      className="queue-end-next rounded relative row gap-10"
      role="group"
      aria-label={t('continued-with', { name: episode.name })}
    >
      <Cover
        src={episode.local_image_url}
        name={podcastName || episode.name}
        isMissing={episode.image_url === ''}
        size={64}
      />
      <span className="queue-text stack grow">
        <span className="queue-meta text-xs faint truncate" aria-hidden="true">
          {t('continues-with')}
        </span>
        <button
          type="button"
          className="queue-play ink start plain truncate whole"
          aria-label={t('play-episode', { name: episode.name })}
          title={episode.name}
          dir="auto"
          onClick={playNext}
        >
          {episode.name}
        </button>
        <span className="queue-meta text-xs faint truncate">
          <bdi>{list ?? podcastName}</bdi>
        </span>
      </span>
      <IconButton icon={X} className="queue-remove over" label={t('stop-after-this')} onClick={continuation.stopHere} />
    </div>
  )
}

/** The queue over the page: a dialog, on phones a sheet. */
export function QueueDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const dialog = useRef<HTMLDialogElement>(null)
  useModal(dialog)
  const close = () => dialog.current?.close()
  useEffect(() => {
    // A grip sorts.
    const mayPull = (target: Element) => matchMedia('(width < 768px)').matches && !target.closest('.grip')
    return pullDown(dialog.current!.querySelector('article')!, () => dialog.current?.close(), mayPull)
  }, [])
  return (
    <dialog
      ref={dialog}
      className="queue-dialog"
      aria-labelledby="queue-heading"
      onClose={ofItself(onClose)}
      onPointerDown={event => {
        if (event.target === dialog.current) close()
      }}
    >
      <article>
        <button type="button" className="queue-grab plain on-phone" aria-label={t('close')} onClick={close} />
        <QueuePanel headingId="queue-heading" isRoomy>
          <IconButton icon={X} label={t('close')} className="above-phone" onClick={close} />
        </QueuePanel>
      </article>
    </dialog>
  )
}
