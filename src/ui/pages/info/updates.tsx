import { useTranslation } from 'react-i18next'
import type { UpdateNotice } from '../../../shared/api/info'
import { formatRelative } from '../../format'

/** Whether there is a newer version; where the configuration has it looked for. */
export function Updates({ update }: { update: UpdateNotice }) {
  const { t } = useTranslation()
  const { checkedAt, failure } = update
  return (
    <section className="info-update">
      <h2>{t('updates')}</h2>
      <Newer update={update} />
      <p className="muted">
        {checkedAt ? t('update-checked', { when: formatRelative(checkedAt) }) : t('update-unchecked')}
      </p>
      {failure && (
        <p className="field-failure">{t(`update-failure-${failure.reason}`, { status: failure.status ?? '' })}</p>
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
