import { useSignals } from '@preact/signals-react/runtime'
import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../../app-context'
import type { Way } from './ways'

type Props = { way: Way; isOn: boolean; children: ReactNode }

/** One way for apps to reach the library: what it gives, and its steps, or what would turn it on. */
export function Guide({ way: { name, apps, setting }, isOn, children }: Props) {
  const { t } = useTranslation()
  return (
    <details className="guide">
      <summary>
        <span className="guide-title">
          <b>{t(`apps-${name}`)}</b>
          {!isOn && <span className="guide-off">{t('apps-off')}</span>}
        </span>
        <ChevronDown size={18} aria-hidden="true" />
        {apps.length > 0 && <small className="guide-apps">{apps.join(' · ')}</small>}
        <small>{t(`apps-${name}-text`)}</small>
      </summary>
      {isOn ? children : <TurnedOff name={name} setting={setting} />}
    </details>
  )
}

function TurnedOff({ name, setting }: { name: string; setting: string | undefined }) {
  useSignals()
  const { session } = useApp()
  const { t } = useTranslation()
  if (session.isOpen.value && name !== 'library') return <p>{t('gpodder-off')}</p>
  return <p>{session.isAdmin.value ? t('apps-off-admin', { setting }) : t('apps-off-text')}</p>
}
