import { useSignals } from '@preact/signals-react/runtime'
import { ChevronDown, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ContinueWith } from '../../shared/api/queue'
import { useApp } from '../app-context'
import { Cover } from '../components/cover'
import { IconButton } from '../components/icon-button'
import { Menu } from '../components/menu'
import type { Continuation, Continued } from './continuation'
import { useQueues } from './use-queues'
import './queue-end.css'

const choices = ['nothing', 'podcast', 'playlist', 'newest'] as const satisfies readonly ContinueWith[]

/** What plays when the queue has ended: the choice, and the very episode once it is the next one. */
export function QueueEnd() {
  useSignals()
  const { queue, failed } = useApp()
  const queues = useQueues()
  const { t } = useTranslation()
  const chosen = queue.continueWith.value
  return (
    <section className="queue-end" aria-label={t('after-the-queue')}>
      <div className="queue-end-choice">
        <span aria-hidden="true">{t('after-the-queue')}</span>
        <Menu
          icon={ChevronDown}
          label={t('after-the-queue')}
          text={t(`continue-${chosen}`)}
          heading={t('after-the-queue')}
          items={choices.map(choice => ({
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
      <p className="queue-end-note">
        {t('stops-after-this')}
        <button type="button" className="quiet small" onClick={continuation.goOn}>
          {t('undo')}
        </button>
      </p>
    )
  const isLast = player.current.value !== null && upcoming.value.length === 0
  if (!isLast || queue.continueWith.value === 'nothing') return null
  const hasNoList = queue.continueWith.value === 'playlist' && !continuation?.playlist.value
  return <p className="queue-end-note">{t(hasNoList ? 'continue-no-playlist' : 'continue-none')}</p>
}

function Next({ next, continuation }: { next: Continued; continuation: Continuation }) {
  const { library, playNext } = useApp()
  const { t } = useTranslation()
  const { podcastEpisode: episode } = next.wrapper
  const podcastName = library.byId.value.get(episode.podcast_id)?.name ?? ''
  const list = next.with === 'playlist' ? continuation.playlist.value?.name : undefined
  return (
    <div className="queue-end-next" role="group" aria-label={t('continued-with', { name: episode.name })}>
      <Cover
        src={episode.local_image_url}
        name={podcastName || episode.name}
        isMissing={episode.image_url === ''}
        size={64}
      />
      <span className="queue-text">
        <span className="queue-meta" aria-hidden="true">
          {t('continues-with')}
        </span>
        <button
          type="button"
          className="queue-play"
          aria-label={t('play-episode', { name: episode.name })}
          title={episode.name}
          dir="auto"
          onClick={playNext}
        >
          {episode.name}
        </button>
        <span className="queue-meta">
          <bdi>{list ?? podcastName}</bdi>
        </span>
      </span>
      <IconButton icon={X} className="queue-remove" label={t('stop-after-this')} onClick={continuation.stopHere} />
    </div>
  )
}
