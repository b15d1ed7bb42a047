import { useTranslation } from 'react-i18next'
import type { Passkey, Proof, SecondFactorState, Session } from '../../../shared/api/sign-in'
import type { User } from '../../../shared/api/user'
import { TextField } from '../../components/fields'
import { PasswordField } from '../../library/forms/account-fields'
import { useAdministrationApi } from '../../use-administration'
import { useResource } from '../../use-resource'

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

type SignInState = {
  passkeys: readonly Passkey[]
  secondFactor: SecondFactorState
  sessions: readonly Session[]
}

/** How a user signs in, and where. Loaded together, so that nothing on the page moves when one of it arrives. */
export function useSignInState({ hasPassword, secondFactor: isOn }: User) {
  const api = useAdministrationApi()
  const state = useResource(
    async (_signal: AbortSignal, _isOn: boolean): Promise<SignInState> => {
      const [passkeys, secondFactor, sessions] = await Promise.all([
        hasPassword ? api.passkeys.list() : [],
        hasPassword ? api.secondFactor.state() : { isOn: false, recoveryCodesLeft: 0 },
        api.sessions.list(),
      ])
      return { passkeys, secondFactor, sessions }
    },
    // Turning a second factor on ends sessions.
    [isOn],
  )
  return {
    state,
    changePasskeys: (change: (all: readonly Passkey[]) => readonly Passkey[]) =>
      state.change(all => ({ ...all, passkeys: change(all.passkeys) })),
    changeSessions: (change: (all: readonly Session[]) => readonly Session[]) =>
      state.change(all => ({ ...all, sessions: change(all.sessions) })),
  }
}
export type SignIn = ReturnType<typeof useSignInState>
