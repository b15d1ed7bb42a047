import { useSignals } from '@preact/signals-react/runtime'
import { RotateCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'
import { createPull, ENOUGH_PX, type Pull } from '../device/pull'
import './sheets.css'

/** Refreshes the page when a finger pulls it down from its top; feeds are checked as well, by those who may. */
export function PullToRefresh() {
  useSignals()
  const app = useApp()
  const { t } = useTranslation()
  const [pull, setPull] = useState<Pull | null>(null)
  useEffect(() => {
    const { library, changes, session, failed } = app
    async function refresh() {
      changes.all()
      await library.load()
      if (session.mayUpload.value && !library.isEmpty.value) await library.refreshAll()
    }
    const isCovered = () => document.querySelector('dialog:modal, :popover-open') !== null
    const page = {
      addEventListener: addEventListener.bind(window),
      removeEventListener: removeEventListener.bind(window),
      get scrollY() {
        return scrollY
      },
      isCovered,
    }
    const made = createPull(page, () => refresh().catch(failed))
    setPull(made)
    return made.stop
  }, [app])

  const distance = pull?.distance.value ?? 0
  const isRefreshing = pull?.isRefreshing.value ?? false
  if (distance === 0 && !isRefreshing) return null
  return (
    <div
      className={`pull disc ${distance >= ENOUGH_PX ? 'is-enough' : ''}`}
      role="status"
      aria-label={isRefreshing ? t('refreshing') : undefined}
      style={{ translate: `0 ${isRefreshing ? ENOUGH_PX / 2 : distance}px` }}
    >
      <RotateCw
        size={20}
        aria-hidden="true"
        className={isRefreshing ? 'is-turning' : ''}
        style={{ rotate: `${distance * 4}deg` }}
      />
    </div>
  )
}
