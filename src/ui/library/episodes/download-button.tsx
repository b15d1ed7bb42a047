import { useSignals } from '@preact/signals-react/runtime'
import { CircleDashed, Download, type LucideIcon, Pause, Play, RotateCw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Episode } from '../../../shared/api/episode'
import { useApp } from '../../app-context'
import '../../components/components.css'
import { IconButton } from '../../components/buttons'
import type { LiveDownload } from '../../state/live-state'
import type { EpisodeActions } from './episode-actions'

type Props = {
  episode: Episode
  /** Null if nothing is being downloaded. */
  live: LiveDownload | null
  actions: Pick<EpisodeActions, 'download' | 'pauseDownload' | 'removeDownload'>
}

/** Downloads an episode to the server and shows the progress; a mark once the file is complete. */
export function DownloadButton({ episode, live, actions }: Props) {
  useSignals()
  const { session } = useApp()
  const { t } = useTranslation()
  const { name } = episode
  if (episode.status)
    return (
      <span className="episode-downloaded center">
        <DownloadedMark size={18} />
      </span>
    )
  if (!session.mayUpload.value || episode.superseded) return null
  if (!live)
    return (
      <IconButton
        icon={Download}
        label={t('download-episode', { name })}
        className="is-quiet"
        onClick={actions.download}
      />
    )
  if (live.state === 'running')
    return <Partial icon={Pause} label="download-running-pause" {...{ name, live }} onClick={actions.pauseDownload} />
  if (live.state === 'paused')
    return <Partial icon={Play} label="download-paused-retry" {...{ name, live }} onClick={actions.download} />
  if (live.state === 'failed')
    return (
      <IconButton
        icon={RotateCw}
        label={t('download-failed-retry', { name })}
        className="is-failed"
        onClick={actions.download}
      />
    )
  return (
    <IconButton
      icon={CircleDashed}
      label={t(`download-${live.state}-cancel`, { name })}
      onClick={actions.removeDownload}
    />
  )
}

/** The sign of a download that is complete: an arrow in a disc, since a tick would say that it was played. */
export function DownloadedMark({ size }: { size: number }) {
  const { t } = useTranslation()
  return (
    <svg className="is-on-server positive" width={size} viewBox="0 0 22 22" role="img">
      <title>{t('on-the-server')}</title>
      <circle cx="11" cy="11" r="11" fill="currentColor" />
      <path d="M11 6v9.5M6 11l5 5 5-5" fill="none" stroke="var(--surface)" strokeWidth="2.5" />
    </svg>
  )
}

type PartialProps = { icon: LucideIcon; label: string; name: string; live: LiveDownload; onClick: () => void }

/** A download that is partly received, as the ring shows. */
function Partial({ icon, label, name, live, onClick }: PartialProps) {
  const { t } = useTranslation()
  const share = shareOf(live)
  const percent = Math.round((share ?? 0) * 100)
  return (
    <IconButton
      icon={icon}
      label={t(label, { name, percent })}
      className="is-partial"
      data-percent={share === null ? undefined : percent}
      onClick={onClick}
    >
      <DownloadRing share={live.state === 'paused' ? (share ?? 0) : share} />
    </IconButton>
  )
}

/** The received part of a download, 0 to 1; null while its size is unknown. */
export const shareOf = ({ receivedBytes, totalBytes }: LiveDownload) => (totalBytes ? receivedBytes / totalBytes : null)

const RADIUS = 9.5
const LENGTH = 2 * Math.PI * RADIUS

/** The progress of a download around the icon of its button, 0 to 1. Null = unknown: the ring turns. */
function DownloadRing({ share }: { share: number | null }) {
  return (
    <svg className={`ring ${share === null ? 'is-indeterminate' : ''}`} viewBox="0 0 22 22" aria-hidden="true">
      <circle cx="11" cy="11" r={RADIUS} className="ring-track" />
      <circle
        cx="11"
        cy="11"
        r={RADIUS}
        className="ring-value"
        strokeDasharray={LENGTH}
        strokeDashoffset={LENGTH * (1 - (share ?? 0.25))}
      />
    </svg>
  )
}
