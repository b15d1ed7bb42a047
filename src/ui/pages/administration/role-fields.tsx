import { useTranslation } from 'react-i18next'
import { roles, type Role } from '../../../shared/roles'
import { Check } from '../../components/check'
import { SelectField } from '../../components/select-field'

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
