import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { useApp } from '../app-context'
import { TextField } from '../components/fields'
import { FormDialog } from '../library/forms/form-dialog'
import { routes } from '../routes'

/** Copies the episodes of the queue into a playlist, which keeps them after they are played. */
export function SaveQueueDialog({ onClose }: { onClose: () => void }) {
  const { api, upcoming, toasts } = useApp()
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const [name, setName] = useState('')
  async function save() {
    const items = upcoming.peek().map(({ podcastEpisode }) => ({ episode: podcastEpisode.id }))
    const { id } = await api.playlists.create({ name: name.trim(), items })
    toasts.done(t('playlist-saved'), { label: t('open'), run: () => navigate(routes.playlist(id)) })
  }
  return (
    <FormDialog title={t('save-as-playlist')} action={t('save')} onSubmit={save} onClose={onClose}>
      <p>{t('save-as-playlist-text')}</p>
      <TextField label={t('name')} value={name} onChange={setName} maxLength={200} required />
    </FormDialog>
  )
}
