import { useSignals } from '@preact/signals-react/runtime'
import { useState } from 'react'
import { useTranslation } from '../../../i18n'
import { useApp } from '../../../app-context'
import { AccessList } from './access-list'
import { AddressCard } from './address-card'
import { Guides } from './guides'
import { NewPassword } from './new-password'
import { useAccess } from './use-access'
import './apps-tab.css'

/** Everything about apps on phones, in cars and on speakers: how they connect, and which have access. */
export function AppsTab() {
  useSignals()
  const { session } = useApp()
  const { t } = useTranslation()
  const access = useAccess()
  const [isMaking, setMaking] = useState(false)
  const { podcastSync, appSignIn } = session.config.value ?? {}
  const takesPasswords = session.user.value !== null && (podcastSync || appSignIn)
  return (
    <>
      <AddressCard />
      <Guides onMakePassword={() => setMaking(true)} />
      <section className="apps-access">
        <header>
          <h2>{t('apps-with-access')}</h2>
          {takesPasswords && (
            <button type="button" className="secondary" onClick={() => setMaking(true)}>
              {t('new-app-password')}
            </button>
          )}
        </header>
        <AccessList {...access} />
      </section>
      {isMaking && <NewPassword onMade={() => void access.retry()} onClose={() => setMaking(false)} />}
    </>
  )
}
