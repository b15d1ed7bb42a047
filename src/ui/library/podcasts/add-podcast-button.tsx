import { Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'

/** Opens the dialog in which a podcast is added. */
export function AddPodcastButton() {
  const { addPodcast } = useApp()
  const { t } = useTranslation()
  return (
    <button type="button" className="with-icon" onClick={() => addPodcast.open()}>
      <Plus size={18} aria-hidden="true" />
      {t('add-podcast')}
    </button>
  )
}
