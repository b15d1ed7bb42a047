import { useTranslation } from 'react-i18next'
import { TextField } from '../../components/text-field'
import { PasswordField } from '../../library/forms/password-field'
import type { Proof } from '../../../shared/api/sign-in'

type Props = { proof: Proof; onChange: (proof: Proof) => void; needsCode: boolean }

export const noProof: Proof = { password: '', code: '' }

/** Asks for the password again, and for a code where a second factor is on. */
export function ProofFields({ proof, onChange, needsCode }: Props) {
  return (
    <>
      <PasswordField
        value={proof.password}
        onChange={password => onChange({ ...proof, password })}
        autoComplete="current-password"
        required
      />
      {needsCode && <CodeField value={proof.code ?? ''} onChange={code => onChange({ ...proof, code })} />}
    </>
  )
}

type CodeProps = { value: string; onChange: (code: string) => void; failure?: string | null }

/** A code of the authenticator app, or a recovery code. */
export function CodeField({ value, onChange, failure }: CodeProps) {
  const { t } = useTranslation()
  return (
    <TextField
      label={t('second-factor-code')}
      failure={failure}
      value={value}
      onChange={onChange}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={100}
      required
    />
  )
}
