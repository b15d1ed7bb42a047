import { useTranslation } from 'react-i18next'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import { formatBytes } from '../../format'
import { FormDialog } from '../forms/form-dialog'

type Props = { chosen: readonly EpisodeWrapper[]; onDownload: () => Promise<unknown>; onClose: () => void }

/** Says how many of the selected episodes would be downloaded and how large they are, and downloads them. */
export function SelectionDownload({ chosen, onDownload, onClose }: Props) {
  const { t } = useTranslation()
  const missing = chosen.map(row => row.podcastEpisode).filter(({ status, superseded }) => !status && !superseded)
  const count = missing.length
  const sizes = missing.flatMap(({ file_size }) => file_size ?? [])
  const size = formatBytes(sizes.reduce((sum, bytes) => sum + bytes, 0))
  const text = sizes.length === 0 ? 'unknown' : sizes.length < count ? 'at-least' : 'size'
  if (count === 0)
    return (
      <FormDialog title={t('download-to-server')} action={t('done')} onSubmit={async () => undefined} onClose={onClose}>
        <p>{t('all-downloaded')}</p>
      </FormDialog>
    )
  return (
    <FormDialog
      title={t('download-to-server')}
      action={t('download-count', { count })}
      onSubmit={onDownload}
      onClose={onClose}
    >
      <p>{t(`download-all-${text}`, { count, size })}</p>
    </FormDialog>
  )
}
