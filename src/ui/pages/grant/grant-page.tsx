import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAdministrationApi } from '../../use-administration'
import { useApp } from '../../app-context'
import { PageHeader } from '../../components/page-header'
import { Empty, Failed } from '../../components/states'
import { ApiError } from '../../api/client'

type Asked = { app: string } | 'granted' | 'gone' | null

/** A podcast app wants to sync: its user says yes here. */
export function GrantPage({ id }: { id: string }) {
  const { session } = useApp()
  const api = useAdministrationApi()
  const { t } = useTranslation()
  const [asked, setAsked] = useState<Asked>(null)
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const settle = useCallback((failure: unknown) => {
    if (failure instanceof ApiError && failure.status === 404) setAsked('gone')
    else setError(failure)
  }, [])
  const load = useCallback(() => {
    setError(null)
    api.appPasswords.asking(id).then(setAsked, settle)
  }, [api, id, settle])
  useEffect(load, [load])

  async function grant() {
    setBusy(true)
    await api.appPasswords.grant(id).then(() => setAsked('granted'), settle)
    setBusy(false)
  }
  return (
    <>
      <PageHeader title={t('grant-access')} />
      {error !== null && <Failed error={error} onRetry={load} />}
      {asked === null && error === null && <p role="status" aria-busy="true" aria-label={t('loading')} />}
      {asked === 'gone' && <Empty>{t('grant-gone')}</Empty>}
      {asked === 'granted' && (
        <div role="status">
          <Empty>{t('grant-done')}</Empty>
        </div>
      )}
      {asked !== null && typeof asked === 'object' && (
        <Empty
          action={
            <button type="button" aria-busy={isBusy} disabled={isBusy} onClick={() => void grant()}>
              {t('grant-access')}
            </button>
          }
        >
          {t('grant-text', { app: asked.app, name: session.user.value?.username ?? '' })}
        </Empty>
      )}
    </>
  )
}
