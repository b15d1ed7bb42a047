import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { TextField } from '../../components/text-field'

type Props = Omit<ComponentProps<typeof TextField>, 'label'>

/** The user name of an account. Password managers recognise the field. */
export function UsernameField(props: Props) {
  const { t } = useTranslation()
  return (
    <TextField
      label={t('username')}
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={200}
      required
      {...props}
    />
  )
}

/** The password of an account; `autoComplete` says whether it is the current or a new one. */
export function PasswordField(props: Props & { autoComplete: 'current-password' | 'new-password' }) {
  const { t } = useTranslation()
  return <TextField label={t('password')} type="password" maxLength={1000} {...props} />
}
