import { useSignals } from '@preact/signals-react/runtime'
import { Pause, Play } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { formatDuration } from '../../shared/duration'
import { useApp } from '../app-context'
import { Cover } from '../components/cover'
import { IconButton } from '../components/icon-button'
import type { Playing } from './state'

/** A small stage above the panels that were pulled up. */
export function MiniStage({ playing: { episode, podcastName }, onLower }: { playing: Playing; onLower: () => void }) {
  useSignals()
  const { player, chapters } = useApp()
  const { t } = useTranslation()
  const left = `−${formatDuration(Math.max(0, player.duration.value - player.position.value))}`
  const isActive = player.isPlaying.value || player.isWaiting.value
  return (
    <div className="mini-stage">
      <span className="player-cover">
        <Cover src={episode.local_image_url} name={podcastName} isMissing={episode.image_url === ''} size={128} />
        {/* Over the cover, whose initials are no part of its name. */}
        <button type="button" aria-label={t('show-controls')} onClick={onLower} />
      </span>
      <span className="mini-stage-text">
        <b dir="auto">{episode.name}</b>
        <span className="muted numbers" dir="auto">
          {[chapters.current.value?.title, left].filter(Boolean).join(' · ')}
        </span>
        <i style={{ '--at': player.percentage.value / 100 } as React.CSSProperties} />
      </span>
      <IconButton
        icon={isActive ? Pause : Play}
        label={isActive ? t('pause') : t('play')}
        className="player-toggle"
        onClick={player.toggle}
      />
    </div>
  )
}
