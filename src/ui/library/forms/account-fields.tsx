import i18next from 'i18next'
import { Eye } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/client'
import { Field, TextField } from '../../components/fields'
import { IconButton } from '../../components/buttons'
import { describeFailure } from '../../failure'
import { translate } from '../../i18n'
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

export type AccountFailure = { at: 'username' | 'password' | 'form'; reason: string }

/** Finds the field of an account form that an error is about, and describes the error. */
export function accountFailure(error: unknown): AccountFailure {
  const code = error instanceof ApiError ? error.code : ''
  const isName = code.startsWith('username-') || (error instanceof ApiError && error.args['field'] === 'username')
  const at = isName ? 'username' : code === 'password-too-weak' ? 'password' : 'form'
  const reason = isName && code === 'invalid-field' ? describeNameFault(error as ApiError) : describeFailure(error)
  return { at, reason }
}

/** Says what is wrong with a name; the whole rule if the server names no single fault. */
function describeNameFault({ args }: ApiError): string {
  const key = `username-fault-${args['fault']}`
  return translate(i18next.exists(key) ? key : 'username-rule')
}
