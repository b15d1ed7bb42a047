import { useSignals } from '@preact/signals-react/runtime'
import { Shuffle } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'
import { Cover } from '../components/cover'
import { IconButton } from '../components/icon-button'
import { formatMinutes } from '../format'
import { useQueueActions } from './queue-actions'
import { QueueEnd } from './queue-end'
import { QueueList } from './queue-list'
import { QueueMenu } from './queue-menu'
import { QueueSummary } from './queue-summary'
import type { Playing } from './state'
import { useTint } from './tint'
import './queue-panel.css'

type Props = {
  /** The id of the heading; without one there is none, as the place of the panel names it already. */
  headingId?: string
  /** Shows the words in full, and shuffling as its own button. */
  isRoomy?: boolean
  /** Shown at the end of the header. */
  children?: ReactNode
}

/** The queue: what plays now, what plays next, what plays after all of it, and what can be done with it. */
export function QueuePanel({ headingId, isRoomy = false, children }: Props) {
  useSignals()
  const { queue, upcoming } = useApp()
  const { t } = useTranslation()
  const { shuffle } = useQueueActions()
  const hasItems = upcoming.value.length > 0
  return (
    <div className={`queue-panel ${isRoomy ? 'is-roomy' : ''}`}>
      <header className="queue-header">
        <div className="queue-titles">
          <div className="queue-heading">
            {headingId && <h2 id={headingId}>{t('queue')}</h2>}
            {queue.name.value !== null && (
              <b className="queue-name" dir="auto" title={queue.name.value}>
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
      <div className="queue-scroll">
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
    <section className="queue-now tinted" style={useTint(playing)} aria-label={t('now-playing')}>
      <Cover src={episode.local_image_url} name={name} isMissing={episode.image_url === ''} size={64} eager />
      <div className="queue-text">
        <span className="queue-meta" aria-hidden="true">
          {t('now-playing')}
        </span>
        <b dir="auto" title={episode.name}>
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
  return <span className="queue-meta numbers">{t(rate === 1 ? 'time-left' : 'time-left-at', { time, rate })}</span>
}
