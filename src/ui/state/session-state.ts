import type { ReadonlySignal, Signal } from '@preact/signals-core'
import type { Config, OidcConfig } from '../../shared/api/config'
import type { User } from '../../shared/api/user'
import type { Api } from '../api'
import type { Credentials } from './credentials'
import type { Oidc } from './oidc'

export type Needs = {
  system: Pick<Api['system'], 'config'>
  users: Pick<Api['users'], 'me' | 'edit' | 'removeApiKey' | 'renewFeedKey'>
  session: Api['session']
  credentials: Credentials
  createOidc: (config: OidcConfig) => Promise<Oidc>
  /** Deletes everything that this browser holds of the user, and ends the messages to it. */
  onLeaving: () => void | Promise<void>
  /** Loads the page anew: the start page where `isAtHome`, otherwise the same one. */
  beginAnew: (isAtHome: boolean) => void
  pause?: (ms: number) => Promise<unknown>
}

export type State = {
  config: Signal<Config | null>
  user: Signal<User | null>
  phase: Signal<'loading' | 'signed-in' | 'signed-out'>
  startError: Signal<unknown>
  oidc: Signal<Oidc | null>
  /** Whether the server asks nobody to sign in. */
  isOpen: ReadonlySignal<boolean>
}

/** Sets the cookie that media, covers and the socket need. */
export const setCookie = ({ session, credentials }: Needs, { oidc }: State) =>
  session.start(credentials.isRemembered() || oidc.value !== null)
