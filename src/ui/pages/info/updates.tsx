import { useSignals } from '@preact/signals-react/runtime'
import type { UpdateNotice } from '../../../shared/api/info'
import { useApp } from '../../app-context'
import { formatRelative } from '../../format'
import { useTranslation } from '../../i18n'
import { useAdministrationApi } from '../../use-administration'
import { useResource } from '../../use-resource'

/** Whether there is a newer version; only for admins, and only where the configuration has it looked for. */
export function Updates() {
  useSignals()
  const { session } = useApp()
  return session.isAdmin.value ? <Found /> : null
}

function Found() {
  const { t } = useTranslation()
  const api = useAdministrationApi()
  const { data } = useResource(api.info.update, [])
  if (!data?.isOn) return null
  return (
    <section className="info-update">
      <h2>{t('updates')}</h2>
      <Newer update={data} />
      <p className="muted">
        {data.checkedAt ? t('update-checked', { when: formatRelative(data.checkedAt) }) : t('update-unchecked')}
      </p>
      {data.failure && (
        <p className="field-failure">
          {t(`update-failure-${data.failure.reason}`, { status: data.failure.status ?? '' })}
        </p>
      )}
    </section>
  )
}

function Newer({ update: { newer, checkedAt, failure } }: { update: UpdateNotice }) {
  const { t } = useTranslation()
  if (!newer) return checkedAt && !failure ? <p>{t('update-none')}</p> : null
  const text = t('update-available', { version: newer.version })
  return (
    <>
      <p>
        {newer.url ? (
          <a href={newer.url} target="_blank" rel="noopener noreferrer">
            {text}
          </a>
        ) : (
          text
        )}
      </p>
      {newer.notes && <p>{newer.notes}</p>}
    </>
  )
}
