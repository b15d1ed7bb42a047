import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { Podcast } from '../../../shared/api/podcast'
import { useApp } from '../../app-state'
import { Dialog } from '../../components/dialog'
import { routes } from '../../routes'

export function DeletePodcastDialog({ podcast, onClose }: { podcast: Podcast; onClose: () => void }) {
  const { library, player, toasts, failed } = useApp()
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const [withFiles, setWithFiles] = useState(false)
  const [isBusy, setBusy] = useState(false)

  async function remove() {
    setBusy(true)
    try {
      if (player.current.value?.podcastId === podcast.id) player.clear()
      await library.remove(podcast.id, withFiles)
      toasts.done(t('podcast-deleted', { name: podcast.name }))
      onClose()
      navigate(routes.podcasts)
    } catch (error) {
      failed(error)
      setBusy(false)
    }
  }
  return (
    <Dialog title={t('delete-podcast-title', { name: podcast.name })} onClose={onClose}>
      {close => (
        <>
          <p>{t('delete-podcast-text')}</p>
          <label>
            <input type="checkbox" checked={withFiles} onChange={event => setWithFiles(event.target.checked)} />
            {t('delete-files-too')}
          </label>
          <footer>
            <button type="button" className="secondary" onClick={close}>
              {t('cancel')}
            </button>
            <button
              type="button"
              className="is-danger"
              aria-busy={isBusy}
              disabled={isBusy}
              onClick={() => void remove()}
            >
              {withFiles ? t('delete-podcast-and-files') : t('delete-podcast')}
            </button>
          </footer>
        </>
      )}
    </Dialog>
  )
}
