import { Eye } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Field, TextField } from '../../components/fields'
import { IconButton } from '../../components/buttons'
import '../library.css'

type Props = Omit<ComponentProps<typeof TextField>, 'label'> & { label?: string }

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

type PasswordFieldProps = Omit<ComponentProps<typeof TextField>, 'label'> & {
  /** Names for password managers which password it is. */
  autoComplete: 'current-password' | 'new-password'
}

/** The password of an account, with a button that shows it. */
export function PasswordField({ help, failure, onChange, ...input }: PasswordFieldProps) {
  const { t } = useTranslation()
  const [isShown, setShown] = useState(false)
  return (
    <Field label={t('password')} help={help} failure={failure}>
      {props => (
        <div className="password-field relative spaced">
          <input
            maxLength={1000}
            autoCapitalize="none"
            spellCheck={false}
            {...input}
            {...props}
            type={isShown ? 'text' : 'password'}
            {...(onChange && { onChange: event => onChange(event.target.value) })}
          />
          <IconButton
            icon={Eye}
            label={t('show-typed')}
            aria-pressed={isShown}
            onClick={() => setShown(shown => !shown)}
          />
        </div>
      )}
    </Field>
  )
}
