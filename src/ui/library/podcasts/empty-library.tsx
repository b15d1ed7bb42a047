import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'
import { Empty } from '../../components/states'
import { AddPodcastButton } from './add-podcast-button'

/** Says that there is no podcast yet, and offers to add one to those who may. */
export function EmptyLibrary({ text }: { text?: string }) {
  useSignals()
  const { session } = useApp()
  const { t } = useTranslation()
  if (!session.mayAdd.value) return <Empty>{t('library-empty-for-listeners')}</Empty>
  return <Empty action={<AddPodcastButton />}>{text ?? t('library-empty')}</Empty>
}
