import { useSignals } from '@preact/signals-react/runtime'
import { LayoutGrid, type LucideIcon, Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'
import { lazily } from '../../components/lazily'
import { Empty } from '../../components/states'

const FirstRun = lazily(async () => (await import('./first-run')).FirstRun)

/**
 * Says that there is no podcast yet. Those who may add one choose the first here; with its own `text`, a page has
 * a button for that alone.
 */
export function EmptyLibrary({ text, icon = LayoutGrid }: { text?: string; icon?: LucideIcon }) {
  useSignals()
  const { session } = useApp()
  const { t } = useTranslation()
  if (!session.mayAdd.value) return <Empty icon={icon}>{t('library-empty-for-listeners')}</Empty>
  if (text === undefined) return <FirstRun />
  return (
    <Empty icon={icon} action={<AddPodcastButton />}>
      {text}
    </Empty>
  )
}

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
