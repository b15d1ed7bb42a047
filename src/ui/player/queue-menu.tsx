import { useSignals } from '@preact/signals-react/runtime'
import { Ellipsis, ListVideo, Plus, Settings2, Shuffle, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'
import { lazily } from '../components/lazily'
import { Menu, type MenuItem } from '../components/menu'
import { useQueueActions } from './queue-actions'

const SaveQueueDialog = lazily(async () => (await import('./save-queue-dialog')).SaveQueueDialog)
const QueueNameDialog = lazily(async () => (await import('./queue-name-dialog')).QueueNameDialog)
const QueuesDialog = lazily(async () => (await import('./queues-dialog')).QueuesDialog)

/** The others that the menu itself offers. */
const MOST_OFFERED = 5

type Open = 'playlist' | 'new' | 'all'

/** What can be done with the queue as a whole, and the other queues. */
export function QueueMenu({ hasShuffle }: { hasShuffle: boolean }) {
  useSignals()
  const { queue, upcoming } = useApp()
  const { t } = useTranslation()
  const { clear, shuffle, use } = useQueueActions()
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const hasItems = upcoming.value.length > 0
  const others = queue.others.value
  const group = t('queues')
  const present: MenuItem = {
    group,
    label: queue.name.value ?? t('main-queue'),
    isChecked: true,
    onSelect: () => undefined,
  }
  const items: (MenuItem | false)[] = [
    hasItems && hasShuffle && { icon: Shuffle, label: t('shuffle-queue'), onSelect: shuffle },
    hasItems && { icon: ListVideo, label: t('save-as-playlist'), onSelect: () => setOpen('playlist') },
    hasItems && { icon: Trash2, label: t('clear-queue'), onSelect: clear },
    others.length > 0 && present,
    ...others.slice(0, MOST_OFFERED).map(other => ({
      label: other.name ?? t('main-queue'),
      isChecked: false,
      onSelect: () => use(other),
    })),
    { group: others.length > 0 ? '' : group, icon: Plus, label: t('new-queue'), onSelect: () => setOpen('new') },
    { icon: Settings2, label: t('manage-queues'), onSelect: () => setOpen('all') },
  ]
  return (
    <>
      <Menu icon={Ellipsis} label={t('more-for-queue')} items={items.filter(item => item !== false)} />
      {open === 'playlist' && <SaveQueueDialog onClose={close} />}
      {open === 'new' && <QueueNameDialog onClose={close} />}
      {open === 'all' && <QueuesDialog onClose={close} />}
    </>
  )
}
