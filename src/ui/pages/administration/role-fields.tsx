import { useTranslation } from 'react-i18next'
import { roles, type Role } from '../../../shared/roles'
import { Field } from '../../components/field'

export type RoleChoice = { role: Role; explicitConsent: boolean }

/** What somebody may do, and whether explicit content is shown. */
export function RoleFields({ value, onChange }: { value: RoleChoice; onChange: (value: RoleChoice) => void }) {
  const { t } = useTranslation()
  return (
    <>
      <Field label={t('role')} help={t(`role-${value.role}-help`)}>
        {props => (
          <select
            {...props}
            value={value.role}
            onChange={event => onChange({ ...value, role: event.target.value as Role })}
          >
            {roles.map(role => (
              <option key={role} value={role}>
                {t(`role-${role}`)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <label className="check">
        <input
          type="checkbox"
          checked={value.explicitConsent}
          onChange={event => onChange({ ...value, explicitConsent: event.target.checked })}
        />
        {t('allow-explicit')}
      </label>
    </>
  )
}
