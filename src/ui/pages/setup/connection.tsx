import { CircleCheck, CircleX } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SetupView } from '../../../shared/api/setup'
import { checkConnection, type ConnectionFinding } from '../../../shared/connection-check'
import { useApp } from '../../app-context'

/** Shows what a proxy in front of the server lets through, with what to change. */
export function Connection({
  view,
  trusts,
  onTrust,
}: {
  view: SetupView
  trusts: boolean
  onTrust: (trusts: boolean) => void
}) {
  const { client } = useApp()
  const { t } = useTranslation()
  const [findings, setFindings] = useState<readonly ConnectionFinding[] | null>(null)
  const base = new URL(client.address('').replace(/api\/v1$/, ''), location.href).href
  const seen = trusts ? view.trustedUrl : view.serverUrl
  useEffect(() => {
    let isOver = false
    void checkConnection({ base, view: { serverUrl: seen }, fetch: (url, options) => fetch(url, options) }).then(
      found => !isOver && setFindings(found),
    )
    return () => void (isOver = true)
  }, [base, seen])
  return (
    <section aria-label={t('setup-connection')} className="below-12">
      <h2 className="text-s strong">{t('setup-connection')}</h2>
      {findings === null && <p role="status" aria-busy="true" aria-label={t('loading')} />}
      <ul className="unlisted text-s">
        {findings?.map(({ part, isRight }) => (
          <li key={part} className="flex gap-8 below-4">
            {isRight ? (
              <CircleCheck className="accent rigid" size={18} aria-hidden="true" />
            ) : (
              <CircleX className="field-failure rigid" size={18} aria-hidden="true" />
            )}
            <span className="shrinks breaks">
              {t(`setup-${part}-${isRight ? 'right' : 'wrong'}`, { address: seen })}
            </span>
          </li>
        ))}
      </ul>
      {view.untrustedProxy !== null && !view.given.includes('TRUSTED_PROXIES') && (
        <label className="check row gap-4 pressable">
          <input type="checkbox" checked={trusts} onChange={event => onTrust(event.target.checked)} />
          {t('setup-trust', { address: view.untrustedProxy })}
        </label>
      )}
    </section>
  )
}
