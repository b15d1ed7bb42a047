import { useTranslation } from 'react-i18next'
import { roles, type Role } from '../../../shared/roles'

export type RoleChoice = { role: Role; explicitConsent: boolean }

/** What somebody may do, and whether explicit content is shown. */
export function RoleFields({ value, onChange }: { value: RoleChoice; onChange: (value: RoleChoice) => void }) {
  const { t } = useTranslation()
  return (
    <>
      <label>
        {t('role')}
        <select value={value.role} onChange={event => onChange({ ...value, role: event.target.value as Role })}>
          {roles.map(role => (
            <option key={role} value={role}>
              {t(`role-${role}`)}
            </option>
          ))}
        </select>
        <small>{t(`role-${value.role}-help`)}</small>
      </label>
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
