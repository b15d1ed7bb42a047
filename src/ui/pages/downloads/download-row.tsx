import { Pause, Play, RotateCw, X } from 'lucide-react'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Download } from '../../../shared/api/download'
import { IconButton } from '../../components/icon-button'
import { formatBytes, formatRelative } from '../../format'
import { routes } from '../../routes'
import type { LiveDownload } from '../../state/live-downloads'

type Props = {
  download: Download
  /** State and progress from the socket, newer than `download`; null = none received yet. */
  live: LiveDownload | null
  mayEdit: boolean
  onPause: () => void
  onResume: () => void
  onCancel: () => void
}

/** A download with its live state and progress. */
type Shown = Omit<Download, 'state'> & Pick<LiveDownload, 'state'>

/** A row of the download list: the episode, the progress, the reason for waiting or failing, and the buttons. */
export function DownloadRow({ download, live, mayEdit, ...commands }: Props) {
  const shown: Shown = { ...download, ...live }
  return (
    <li className={`download is-${shown.state}`}>
      <div className="download-what">
        <Link href={routes.episodes(download.podcastId, download.episodeId)}>{download.episodeName}</Link>
        <span className="muted">{download.podcastName}</span>
      </div>
      <Progress download={shown} />
      {mayEdit && <Commands state={shown.state} {...commands} />}
    </li>
  )
}

function Progress({ download }: { download: Shown }) {
  const { t } = useTranslation()
  const { state, receivedBytes, totalBytes, bytesPerSecond, episodeName } = download
  const isRunning = state === 'running'
  // Without a value, the browser shows an indeterminate bar.
  const value = totalBytes ? { value: receivedBytes, max: totalBytes } : isRunning ? {} : { value: 0 }
  const speed = isRunning && bytesPerSecond ? t('per-second', { bytes: formatBytes(bytesPerSecond) }) : null
  return (
    <div className="download-how">
      {(isRunning || receivedBytes > 0) && <progress {...value} aria-label={episodeName} />}
      <span className="muted numbers">
        {[stateText(download, t), bytesText(download, t), speed].filter(Boolean).join(' · ')}
      </span>
    </div>
  )
}

function stateText({ state, errorCode, message, nextAttemptAt }: Shown, t: TFunction): string {
  if ((state !== 'waiting' && state !== 'failed') || !errorCode) return t(`download-state-${state}`)
  const reason = t([`download-error.${errorCode}`, `error.${errorCode}`], { defaultValue: message ?? '' })
  return state === 'waiting' && nextAttemptAt
    ? `${reason} ${t('next-try', { when: formatRelative(nextAttemptAt) })}`
    : reason
}

function bytesText({ receivedBytes, totalBytes }: Shown, t: TFunction): string | null {
  if (totalBytes) return t('bytes-of', { received: formatBytes(receivedBytes), total: formatBytes(totalBytes) })
  return receivedBytes === 0 ? null : formatBytes(receivedBytes)
}

type CommandProps = Pick<Props, 'onPause' | 'onResume' | 'onCancel'> & Pick<Shown, 'state'>

function Commands({ state, onPause, onResume, onCancel }: CommandProps) {
  const { t } = useTranslation()
  return (
    <div className="download-actions">
      {state === 'paused' && <IconButton icon={Play} label={t('resume')} onClick={onResume} />}
      {state === 'failed' && <IconButton icon={RotateCw} label={t('try-again')} onClick={onResume} />}
      {state !== 'paused' && state !== 'failed' && <IconButton icon={Pause} label={t('pause')} onClick={onPause} />}
      <IconButton icon={X} label={t('cancel-download')} onClick={onCancel} />
    </div>
  )
}
