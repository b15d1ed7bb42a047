import { useSignals } from '@preact/signals-react/runtime'
import { ListMusic, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'
import { IconButton } from '../components/buttons'
import { lazily } from '../components/lazily'
import './bar.css'
import { useRef } from 'react'
import { isVideo, type Playing } from '../playback/state'
import { useTint } from './tint'

const RegionContent = lazily(async () => (await import('./bar')).RegionContent)

const SampleBar = lazily(async () => (await import('../library/podcasts/sample-bar')).SampleBar)

/** The place of the player at the bottom of every page; absent until something was played. */
export function PlayerRegion() {
  useSignals()
  const { player, sample } = useApp()
  const playing = player.current.value
  return sample.value ? <SampleBar /> : playing && <Region playing={playing} />
}

/** The player's landmark, which the skip link leads to while the controls in it are still loading. */
function Region({ playing }: { playing: Playing }) {
  const { t } = useTranslation()
  const region = useRef<HTMLElement>(null)
  return (
    <section
      className="player ink level stack tinted"
      style={useTint(playing)}
      id="player"
      ref={region}
      tabIndex={-1}
      aria-label={t('player')}
    >
      <RegionContent region={region} />
    </section>
  )
}

const PagePicture = lazily(async () => (await import('./picture')).PagePicture)

/** The place of a video at the head of its podcast's page, while it plays. */
export function PictureRegion({ podcastId }: { podcastId: string }) {
  useSignals()
  const playing = useApp().player.current.value
  return playing?.podcastId === podcastId && isVideo(playing) && <PagePicture playing={playing} />
}

const QueuePanel = lazily(async () => (await import('./queue-panel')).QueuePanel)
const QueueDialog = lazily(async () => (await import('./queue-panel')).QueueDialog)

/** The queue next to the page on wide screens, over it on others; absent while it is hidden. */
export function QueueRegion() {
  useSignals()
  const { queuePanel } = useApp()
  if (queuePanel.isDocked.value) return <QueueDock />
  return queuePanel.isOpen.value && <QueueDialog onClose={queuePanel.close} />
}

/** The column itself is part of the page, so that nothing moves when its content is loaded. */
function QueueDock() {
  const { queuePanel } = useApp()
  const { t } = useTranslation()
  function hide() {
    queuePanel.toggle()
    const opener = document.querySelector<HTMLElement>('[aria-controls="queue"]')
    ;(opener ?? document.getElementById('content'))?.focus()
  }
  return (
    <aside className="queue-dock sticky" id="queue" tabIndex={-1} aria-label={t('queue')}>
      <QueuePanel headingId="queue-heading">
        <IconButton icon={X} label={t('hide-queue')} onClick={hide} />
      </QueuePanel>
    </aside>
  )
}

/** The button for the queue, or for saved ones, while nothing plays; otherwise the player has it. */
export function QueueOpener() {
  useSignals()
  const { player, queue, queuePanel } = useApp()
  const { t } = useTranslation()
  const count = queue.items.value.length
  if (player.current.value || (count === 0 && queue.others.value.length === 0)) return null
  return (
    <IconButton
      icon={ListMusic}
      label={t('queue')}
      badge={count}
      className="queue-opener"
      aria-controls="queue"
      aria-expanded={queuePanel.isShown.value}
      onClick={queuePanel.toggle}
    />
  )
}
