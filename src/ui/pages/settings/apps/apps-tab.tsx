import { useSignals } from '@preact/signals-react/runtime'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../../app-context'
import { AccessList } from './access-list'
import { AddressCard } from './address-card'
import { Guides } from './guides'
import { NewAssistantKey } from './new-assistant-key'
import { NewPassword } from './new-password'
import { useAccess } from './use-access'
import './apps-tab.css'

/** Everything about apps on phones, in cars and on speakers: how they connect, and which have access. */
export function AppsTab() {
  useSignals()
  const { session } = useApp()
  const { t } = useTranslation()
  const access = useAccess()
  const [making, setMaking] = useState<'password' | 'key' | null>(null)
  const { podcastSync, appSignIn } = session.config.value ?? {}
  const takesPasswords = session.user.value !== null && (podcastSync || appSignIn)
  return (
    <>
      <AddressCard />
      <Guides onMakePassword={() => setMaking('password')} onMakeKey={() => setMaking('key')} />
      <section className="apps-access">
        <header>
          <h2>{t('apps-with-access')}</h2>
          {takesPasswords && (
            <button type="button" className="secondary" onClick={() => setMaking('password')}>
              {t('new-app-password')}
            </button>
          )}
        </header>
        <AccessList {...access} />
      </section>
      {making === 'password' && <NewPassword onMade={() => void access.retry()} onClose={() => setMaking(null)} />}
      {making === 'key' && <NewAssistantKey onMade={() => void access.retry()} onClose={() => setMaking(null)} />}
    </>
  )
}
