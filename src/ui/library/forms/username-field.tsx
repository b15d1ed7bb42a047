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
