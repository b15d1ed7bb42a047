import type { UserRow } from '../../src/server/store/users'
import type { Beginning } from '../../src/server/accounts/sign-in/session'
import type { NewPasskey } from '../../src/server/store/passkeys'
import type { NewSession } from '../../src/server/store/sessions'
import type { TestApp } from './app'

export const visitor = { device: 'Firefox, Linux', address: '203.0.113.*' }

/** The session of a browser that holds other credentials: its cookie reads media and opens the socket. */
export const besidesHeader: Beginning = {
  apiKey: null,
  way: 'password',
  carriesApi: false,
  remembered: true,
  keepsPassword: true,
  providerSession: null,
  visitor,
}

/** A `Cookie` header of somebody whose browser holds other credentials, too. */
export const cookieOf = ({ context }: TestApp, user: UserRow) =>
  `castellan=${context.sessions.start(user, null, besidesHeader)}`

/** The public half of a passkey that nobody has. */
export const passkeyRow = (credential_id: string): NewPasskey => ({
  credential_id,
  public_key: new Uint8Array(9),
  counter: 0,
  transports: '[]',
  host: 'localhost',
  name: 'Phone',
  device: 'Firefox, Linux',
})

/** A row of a session as the store begins it. */
export const sessionRow = (token_hash: string, kind: NewSession['kind'], expires_at: number): NewSession => ({
  uuid: crypto.randomUUID(),
  token_hash,
  kind,
  way: 'password',
  carries_api: 0,
  remembered: 1,
  keeps_password: 0,
  provider_session: null,
  ...visitor,
  expires_at,
})
