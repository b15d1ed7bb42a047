import { Pause, Play, RotateCw, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Download } from '../../../shared/api/download'
import { IconButton } from '../../components/icon-button'
import { formatBytes, formatRelative } from '../../format'
import { routes } from '../../routes'
import type { LiveDownload } from '../../state/live-downloads'

type Props = {
  download: Download
  /** Fresher figures, from the socket. */
  live: LiveDownload | null
  /** Whether the listener may stop it and start it. */
  isMine: boolean
  onPause: () => void
  onResume: () => void
  onCancel: () => void
}

export function DownloadRow({ download, live, isMine, onPause, onResume, onCancel }: Props) {
  const { t } = useTranslation()
  const { state, receivedBytes, totalBytes, bytesPerSecond } = { ...download, ...live }
  const isStopped = state === 'paused' || state === 'failed'
  return (
    <li className={`download is-${state}`}>
      <div className="download-what">
        <Link href={routes.episodes(download.podcastId, download.episodeId)}>{download.episodeName}</Link>
        <span className="muted">{download.podcastName}</span>
      </div>
      <div className="download-how">
        {(state === 'running' || receivedBytes > 0) && (
          <progress
            {...(totalBytes ? { value: receivedBytes, max: totalBytes } : state === 'running' ? {} : { value: 0 })}
            aria-label={download.episodeName}
          />
        )}
        <span className="muted numbers">
          {[
            stateText(),
            bytesText(),
            state === 'running' && bytesPerSecond ? t('per-second', { bytes: formatBytes(bytesPerSecond) }) : null,
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </div>
      {isMine && (
        <div className="download-actions">
          {isStopped ? (
            <IconButton
              icon={state === 'failed' ? RotateCw : Play}
              label={t(state === 'failed' ? 'try-again' : 'resume')}
              onClick={onResume}
            />
          ) : (
            <IconButton icon={Pause} label={t('pause')} onClick={onPause} />
          )}
          <IconButton icon={X} label={t('cancel-download')} onClick={onCancel} />
        </div>
      )}
    </li>
  )

  function stateText(): string {
    const { errorCode, message, nextAttemptAt } = download
    if ((state !== 'waiting' && state !== 'failed') || !errorCode) return t(`download-state-${state}`)
    const reason = t([`download-error.${errorCode}`, `error.${errorCode}`], { defaultValue: message ?? '' })
    return state === 'waiting' && nextAttemptAt
      ? `${reason} ${t('next-try', { when: formatRelative(nextAttemptAt) })}`
      : reason
  }
  function bytesText(): string | null {
    if (receivedBytes === 0 && !totalBytes) return null
    return totalBytes
      ? t('bytes-of', { received: formatBytes(receivedBytes), total: formatBytes(totalBytes) })
      : formatBytes(receivedBytes)
  }
}
