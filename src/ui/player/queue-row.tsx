import { ListStart, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { QueueItem } from '../../shared/api/queue'
import { useApp } from '../app-context'
import { Cover } from '../components/cover'
import { IconButton } from '../components/icon-button'
import { formatMinutes } from '../format'
import { useSwipe } from '../library/episodes/use-swipe'
import { isBegun, secondsLeft } from './queue-times'

type Props = { item: QueueItem; podcastName: string; onRemove: () => void }

/** An entry of the queue: pressing it plays, a swipe towards the start of the line or the cross removes. */
export function QueueRow({ item, podcastName, onRemove }: Props) {
  const { player, failed } = useApp()
  const { t } = useTranslation()
  const { state, handlers } = useSwipe({ onBack: onRemove })
  const { podcastEpisode: episode } = item
  const time = secondsLeft(item) > 0 && formatMinutes(secondsLeft(item))
  return (
    <>
      {state && (
        <span className={`queue-swipe ${state.isEnough ? 'is-enough' : ''}`} aria-hidden="true">
          <X size={20} strokeWidth={1.75} />
        </span>
      )}
      <div className="queue-row" {...handlers}>
        <Cover
          src={episode.local_image_url}
          name={podcastName || episode.name}
          isMissing={episode.image_url === ''}
          size={64}
        />
        <span className="queue-text">
          <button
            type="button"
            className="queue-play"
            aria-label={t('play-episode', { name: episode.name })}
            title={episode.name}
            dir="auto"
            onClick={() => void player.play(item, podcastName).catch(failed)}
          >
            {episode.name}
          </button>
          <span className="queue-meta">
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
          className="queue-remove"
          label={t('remove-from-queue', { name: episode.name })}
          onClick={onRemove}
        />
      </div>
    </>
  )
}
