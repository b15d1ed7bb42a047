import { useSignals } from '@preact/signals-react/runtime'
import { ArrowDownToLine, CircleCheck, CircleDashed, RotateCw, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Episode } from '../../../shared/api/episode'
import { useApp } from '../../app-context'
import { DownloadRing } from '../../components/download-ring'
import { IconButton } from '../../components/icon-button'
import type { LiveDownload } from '../../state/live-downloads'

type Props = { episode: Episode; onDownload: () => void; onCancel: () => void }

/** Downloads an episode to the server and shows the progress; a mark once the file is there. */
export function DownloadButton({ episode, onDownload, onCancel }: Props) {
  useSignals()
  const { downloads, session } = useApp()
  const { t } = useTranslation()
  if (episode.status)
    return (
      <span className="episode-downloaded" role="img" aria-label={t('downloaded')} title={t('downloaded')}>
        <CircleCheck size={20} strokeWidth={1.75} aria-hidden="true" />
      </span>
    )
  if (!session.mayUpload.value || episode.superseded) return null
  const live = downloads.byEpisode.value.get(episode.episode_id)
  if (!live)
    return (
      <IconButton icon={ArrowDownToLine} label={t('download-episode', { name: episode.name })} onClick={onDownload} />
    )
  if (live.state === 'failed' || live.state === 'paused')
    return (
      <IconButton
        icon={RotateCw}
        label={t(`download-${live.state}-retry`, { name: episode.name })}
        className={`is-${live.state}`}
        onClick={onDownload}
      />
    )
  return <CancelButton name={episode.name} live={live} onCancel={onCancel} />
}

function CancelButton({ name, live, onCancel }: { name: string; live: LiveDownload; onCancel: () => void }) {
  const { t } = useTranslation()
  const share = live.totalBytes ? live.receivedBytes / live.totalBytes : null
  const percent = share === null ? undefined : Math.round(share * 100)
  return (
    <IconButton
      icon={live.state === 'running' ? X : CircleDashed}
      label={t(`download-${live.state}-cancel`, { name, percent: percent ?? 0 })}
      className="is-downloading"
      data-percent={percent}
      onClick={onCancel}
    >
      {live.state === 'running' && <DownloadRing share={share} />}
    </IconButton>
  )
}
