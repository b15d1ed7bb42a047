import { useSignals } from '@preact/signals-react/runtime'
import { Bell as BellIcon } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'
import { lazily } from '../components/lazily'
import { IconButton } from '../components/icon-button'
import './bell.css'

const BellList = lazily(async () => (await import('./bell-list')).BellList)

/** What happened meanwhile. A dot says that there is something. */
export function Bell() {
  useSignals()
  const { notifications } = useApp()
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const all = notifications.all.value

  useEffect(() => {
    if (!isOpen) return
    const closeOutside = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false)
    }
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpen(false)
      root.current?.querySelector('button')?.focus()
    }
    document.addEventListener('pointerdown', closeOutside)
    document.addEventListener('focusin', closeOutside)
    document.addEventListener('keydown', closeOnEscape)
    return () => {
      document.removeEventListener('pointerdown', closeOutside)
      document.removeEventListener('focusin', closeOutside)
      document.removeEventListener('keydown', closeOnEscape)
    }
  }, [isOpen])

  return (
    <div className="bell" ref={root}>
      <IconButton
        icon={BellIcon}
        label={t('notifications-count', { count: all.length })}
        aria-expanded={isOpen}
        aria-controls="notifications"
        onClick={() => setOpen(!isOpen)}
      >
        {all.length > 0 && <span className="bell-dot" />}
      </IconButton>
      {isOpen && <BellList onChosen={() => setOpen(false)} />}
    </div>
  )
}
