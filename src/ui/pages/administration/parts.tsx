import { useTranslation } from 'react-i18next'
import { type Role, roles } from '../../../shared/choices'
import { showName } from '../../../shared/username'
import { ApiError } from '../../api/client'
import { Check, SelectField } from '../../components/fields'
import { Notice } from '../../components/notice'
import { describeFailure } from '../../failure'
import { Portrait } from '../../library/covers'

/** Says that a list is for admins, or why else it could not be loaded. */
export function NotAdmin({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation()
  const isRefused = error instanceof ApiError && error.code === 'not-admin'
  return (
    <Notice title={t('not-admin')} isFailure>
      {!isRefused && (
        <>
          <p>{describeFailure(error)}</p>
          <button type="button" className="link-button plain accent" onClick={onRetry}>
            {t('try-again')}
          </button>
        </>
      )}
    </Notice>
  )
}

/** The person of an account, by the first letter and the name. */
export function PersonName({ name }: { name: string }) {
  const shown = showName(name)
  return (
    <span className="person-name with-icon">
      <Portrait name={shown} picture={null} />
      <bdi>{shown}</bdi>
    </span>
  )
}

export type RoleChoice = { role: Role; explicitConsent: boolean }

/** An account's role, and whether explicit episodes are shown to it. */
export function RoleFields({ value, onChange }: { value: RoleChoice; onChange: (value: RoleChoice) => void }) {
  const { t } = useTranslation()
  return (
    <>
      <SelectField
        label={t('role')}
        help={t(`role-${value.role}-help`)}
        value={value.role}
        options={roles}
        textOf={role => t(`role-${role}`)}
        onChange={role => onChange({ ...value, role })}
      />
      <Check isOn={value.explicitConsent} onChange={explicitConsent => onChange({ ...value, explicitConsent })}>
        {t('allow-explicit')}
      </Check>
    </>
  )
}
