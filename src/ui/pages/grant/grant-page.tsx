import { useSignals } from '@preact/signals-react/runtime'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/client'
import { useApp } from '../../app-context'
import { BusyButton } from '../../components/buttons'
import { PageHeader } from '../../components/page-header'
import { Empty, Failed } from '../../components/states'
import { useAction } from '../../components/use-action'
import { useAdministrationApi } from '../../use-administration'
import { useResource } from '../../use-resource'

/** Asks the user whether a podcast app may sync with the account. `id`: the app's request. */
export function GrantPage({ id }: { id: string }) {
  const api = useAdministrationApi()
  const { t } = useTranslation()
  const [isGranted, setGranted] = useState(false)
  const request = useResource((_, wanted: string) => api.appPasswords.asking(wanted), [id])
  const granting = useAction(async () => {
    await api.appPasswords.grant(id)
    setGranted(true)
  })
  const error = granting.failure ?? request.error
  function retry() {
    granting.forgetFailure()
    void request.retry()
  }
  return (
    <>
      <PageHeader title={t('grant-access')} />
      {isGranted && (
        <div role="status">
          <Empty>{t('grant-done')}</Empty>
        </div>
      )}
      {isGone(error) && <Empty>{t('grant-gone')}</Empty>}
      {error !== null && !isGone(error) && <Failed error={error} onRetry={retry} />}
      {error === null && !request.data && <p role="status" aria-busy="true" aria-label={t('loading')} />}
      {!isGranted && !isGone(error) && request.data && (
        <Question app={request.data.app} isBusy={granting.isBusy} onGrant={() => granting.run()} />
      )}
    </>
  )
}

const isGone = (error: unknown) => error instanceof ApiError && error.status === 404

function Question({ app, isBusy, onGrant }: { app: string; isBusy: boolean; onGrant: () => void }) {
  useSignals()
  const { session } = useApp()
  const { t } = useTranslation()
  return (
    <Empty
      action={
        <BusyButton isBusy={isBusy} onClick={onGrant}>
          {t('grant-access')}
        </BusyButton>
      }
    >
      {t('grant-text', { app, name: session.user.value?.username ?? '' })}
    </Empty>
  )
}
