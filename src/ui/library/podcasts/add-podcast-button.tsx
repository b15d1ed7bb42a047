import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazily } from '../../components/lazily'

const AddPodcastDialog = lazily(async () => (await import('./add-podcast-dialog')).AddPodcastDialog)

/** Opens the dialog in which a podcast is added. */
export function AddPodcastButton() {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="with-icon" onClick={() => setOpen(true)}>
        <Plus size={18} aria-hidden="true" />
        {t('add-podcast')}
      </button>
      {isOpen && <AddPodcastDialog onClose={() => setOpen(false)} />}
    </>
  )
}
