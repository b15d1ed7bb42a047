import type { Session } from '../../../shared/api/session'
import type { Passkey, SecondFactorState } from '../../../shared/api/sign-in'
import type { User } from '../../../shared/api/user'
import { useAdministrationApi } from '../../use-administration'
import { useResource } from '../../use-resource'

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
