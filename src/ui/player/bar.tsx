import { useSignals } from '@preact/signals-react/runtime'
import { ListMusic, Maximize2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { formatDuration } from '../../shared/duration'
import { useApp } from '../app-context'
import { Cover } from '../components/cover'
import { IconButton } from '../components/icon-button'
import { lazily } from '../components/lazily'
import { routes } from '../routes'
import { NextButton, RateButton, SeekBar, Transport, VolumeControl } from './controls'
import type { Player } from './player'
import type { Playing } from './state'
import './bar.css'

const PlayerSheet = lazily(async () => (await import('./sheet')).PlayerSheet)
const QueueDialog = lazily(async () => (await import('./queue-list')).QueueDialog)

/** The player bar: the current episode and its controls. Empty while no episode is loaded. */
export function PlayerBar() {
  useSignals()
  const { player } = useApp()
  const playing = player.current.value
  if (!playing) return null
  return <LoadedBar player={player} playing={playing} />
}

function LoadedBar({ player, playing }: { player: Player; playing: Playing }) {
  useSignals()
  const { t } = useTranslation()
  const { episode, podcastName, podcastId } = playing
  const { upcoming, playerSheet } = useApp()
  const [isQueueOpen, setQueueOpen] = useState(false)
  return (
    <>
      <div className="player-what">
        {/* For touch and mouse only: keyboard and screen reader users have the button at the end of the bar. */}
        <button type="button" className="player-cover" aria-hidden="true" tabIndex={-1} onClick={playerSheet.open}>
          <Cover
            src={episode.local_image_url}
            name={podcastName || episode.name}
            isMissing={episode.image_url === ''}
            size={64}
          />
        </button>
        <div className="player-titles">
          <Link className="player-title" href={routes.episodes(podcastId, episode.id)}>
            {episode.name}
          </Link>
          <Link className="player-podcast muted" href={routes.episodes(podcastId)}>
            {podcastName}
          </Link>
          <span className="player-clock muted numbers">
            {formatDuration(player.position.value)} / {formatDuration(player.duration.value)}
          </span>
        </div>
      </div>
      <div className="player-controls">
        <Transport player={player} />
        <NextButton />
      </div>
      <SeekBar player={player} />
      <div className="player-extras">
        <RateButton player={player} />
        <IconButton
          icon={ListMusic}
          label={t('up-next')}
          badge={upcoming.value.length}
          className="player-queue"
          onClick={() => setQueueOpen(true)}
        />
        <VolumeControl player={player} />
        <IconButton
          icon={Maximize2}
          label={t('open-player')}
          aria-haspopup="dialog"
          className="player-expand"
          onClick={playerSheet.open}
        />
      </div>
      {isQueueOpen && <QueueDialog onClose={() => setQueueOpen(false)} />}
      {playerSheet.isOpen.value && <PlayerSheet playing={playing} onClose={playerSheet.close} />}
    </>
  )
}
