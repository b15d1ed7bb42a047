import type {
  NewPasskey,
  Passkey,
  PasskeyLogin,
  Proof,
  RecoveryCodes,
  SecondFactorSecret,
  SecondFactorState,
} from '../../shared/api/sign-in'
import type { User } from '../../shared/api/user'
import type { Client } from './client'

/** The options of WebAuthn in JSON, which go to the browser as they are. */
type Options = Record<string, unknown>

/** Passkeys: those of the user, and the sign-in by one. */
export const passkeysApi = (client: Client) => ({
  list: () => client.get<Passkey[]>('/users/me/passkeys'),
  registration: (proof: Proof) => client.post<Options>('/users/me/passkeys/options', proof),
  add: (passkey: NewPasskey) => client.post<Passkey>('/users/me/passkeys', passkey),
  rename: (id: string, name: string) => client.put<Passkey>(`/users/me/passkeys/${id}`, { name }),
  remove: (id: string) => client.remove(`/users/me/passkeys/${id}`),
  request: () => client.post<Options>('/login/passkey/options'),
  signIn: (login: PasskeyLogin) => client.post<User>('/login/passkey', login),
})

/** The second factor of the user's own sign-in. */
export const secondFactorApi = (client: Client) => ({
  state: () => client.get<SecondFactorState>('/users/me/secondFactor'),
  begin: (proof: Proof) => client.post<SecondFactorSecret>('/users/me/secondFactor', proof),
  confirm: (code: string) => client.post<RecoveryCodes>('/users/me/secondFactor/confirm', { code }),
  renewCodes: (proof: Proof) => client.post<RecoveryCodes>('/users/me/secondFactor/recoveryCodes', proof),
  remove: (proof: Proof) => client.remove('/users/me/secondFactor', proof),
  /** Takes that of another away, as an admin. */
  removeOf: (id: string) => client.remove(`/users/${encodeURIComponent(id)}/secondFactor`),
})
