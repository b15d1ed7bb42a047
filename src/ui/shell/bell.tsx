import { useSignals } from '@preact/signals-react/runtime'
import { Bell as BellIcon } from 'lucide-react'
import { useCallback, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'
import { IconButton } from '../components/icon-button'
import { lazily } from '../components/lazily'
import { useDismiss } from '../components/use-dismiss'
import './bell.css'

const BellList = lazily(async () => (await import('./bell-list')).BellList)

/** Opens the notifications. A dot says that there are some. */
export function Bell() {
  useSignals()
  const { notifications } = useApp()
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const close = useCallback(() => setOpen(false), [])
  const count = notifications.all.value.length
  useDismiss(root, isOpen, close)
  return (
    <div className="bell" ref={root}>
      <IconButton
        icon={BellIcon}
        label={t('notifications-count', { count })}
        aria-expanded={isOpen}
        aria-controls="notifications"
        onClick={() => setOpen(!isOpen)}
      >
        {count > 0 && <span className="bell-dot" />}
      </IconButton>
      {isOpen && <BellList onChosen={close} />}
    </div>
  )
}
