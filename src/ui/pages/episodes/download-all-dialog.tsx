import { useTranslation } from 'react-i18next'
import type { MissingFiles, Podcast } from '../../../shared/api/podcast'
import { useApp } from '../../app-context'
import { formatBytes } from '../../format'
import { FormDialog, useFailureNotice } from '../../library/forms/form-dialog'
import { useResource } from '../../use-resource'

type Props = { podcast: Podcast; onClose: () => void }

/** Says how many episodes would be downloaded, how large they are and how much room there is, and downloads them. */
export function DownloadAllDialog({ podcast, onClose }: Props) {
  const { api } = useApp()
  const { data, error } = useResource((_, id: string) => api.podcasts.missing(id), [podcast.id])
  useFailureNotice(error, onClose)
  return data && <Question podcast={podcast} missing={data} onClose={onClose} />
}

function Question({ podcast, missing, onClose }: Props & { missing: MissingFiles }) {
  const { api, failed, toasts } = useApp()
  const { t } = useTranslation()
  const { episodes, bytes, unknownSizes, freeBytes } = missing

  async function download() {
    const { queued, undo } = await api.podcasts.downloadAll(podcast.id)
    const takeBack = async () => {
      const { affected } = await api.podcasts.undoDownloadAll(podcast.id, undo)
      toasts.done(t('downloads-cancelled', { count: affected }))
    }
    toasts.done(t('downloads-queued', { count: queued }), {
      label: t('undo'),
      run: () => void takeBack().catch(failed),
    })
  }
  if (episodes === 0)
    return (
      <FormDialog title={t('download-all')} action={t('done')} onSubmit={async () => undefined} onClose={onClose}>
        <p>{t('all-downloaded')}</p>
      </FormDialog>
    )
  return (
    <FormDialog
      title={t('download-all')}
      action={t('download-count', { count: episodes })}
      onSubmit={download}
      onClose={onClose}
    >
      <p>
        {unknownSizes === episodes
          ? t('download-all-unknown', { count: episodes })
          : t(unknownSizes > 0 ? 'download-all-at-least' : 'download-all-size', {
              count: episodes,
              size: formatBytes(bytes),
            })}{' '}
        {freeBytes !== null && t('room-free', { size: formatBytes(freeBytes) })}
      </p>
      {freeBytes !== null && bytes > freeBytes && <p className="is-caution">{t('download-all-no-room')}</p>}
    </FormDialog>
  )
}
