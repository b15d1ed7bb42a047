import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { Podcast } from '../../../shared/api/podcast'
import { useApp } from '../../app-context'
import { FormDialog } from '../../library/forms/form-dialog'
import { routes } from '../../routes'

/** Deletes a podcast, with its files or without. */
export function DeletePodcastDialog({ podcast, onClose }: { podcast: Podcast; onClose: () => void }) {
  const { library, player, toasts } = useApp()
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const [withFiles, setWithFiles] = useState(false)

  async function remove() {
    if (player.current.value?.podcastId === podcast.id) player.clear()
    await library.remove(podcast.id, withFiles)
    toasts.done(t('podcast-deleted', { name: podcast.name }))
    navigate(routes.podcasts)
  }
  return (
    <FormDialog
      isDanger
      title={t('delete-podcast-title', { name: podcast.name })}
      action={withFiles ? t('delete-podcast-and-files') : t('delete-podcast')}
      onSubmit={remove}
      onClose={onClose}
    >
      <p>{t('delete-podcast-text')}</p>
      <label>
        <input type="checkbox" checked={withFiles} onChange={event => setWithFiles(event.target.checked)} />
        {t('delete-files-too')}
      </label>
    </FormDialog>
  )
}
