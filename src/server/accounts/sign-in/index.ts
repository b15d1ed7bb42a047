import type { Clock } from '../../platform/clock'
import type { Config } from '../../config'
import type { Publish } from '../../platform/events'
import type { Log } from '../../platform/log'
import type { Outbound } from '../../outbound/request'
import type { Store } from '../../store'
import type { UserRow } from '../../store/users'
import type { FeedKeys, MediaKeys } from '../keys'
import type { AppPasswords } from '../app-passwords'
import { createRolesByRule, type Users } from '../users'
import type { SecondFactor } from '../second-factor'
import type { Throttle } from '../throttle'
import { apiKeySignIn, createFindKeyOwner, createKeyUses, mediaKeySignIn, urlKeySignIn } from './keys'
import { createAppKeySignIn, createAppSignIn, createAssistantSignIn } from './apps'
import { createBasicSignIn } from './basic'
import { type Credentials, notSignedIn, type SignedIn, type SignIn } from './credentials'
import { createOidcSignIn } from './oidc'
import { proxySignIn } from './proxy'
import type { Sessions } from './session'

type SignInNeeds = {
  store: Store
  config: Config
  users: Users
  sessions: Sessions
  feedKeys: FeedKeys
  mediaKeys: MediaKeys
  throttle: Throttle
  appPasswords: AppPasswords
  secondFactor: SecondFactor
  outbound: Outbound
  publish: Publish
  now: Clock
  log: Log
  /** The password of the configuration is in the database. */
  ready: Promise<void>
}

/**
 * Finds out who sends a request. The ways to sign in are tried in order; one that is tried and fails ends the search,
 * even if another would succeed. The credentials of a mode that is off are ignored.
 */
export function createSignIn(needs: SignInNeeds) {
  const { store, config, users, sessions, feedKeys, throttle, appPasswords, secondFactor } = needs
  const { outbound, publish, now, log, ready } = needs
  const roles = createRolesByRule(store, publish)
  const findKeyOwner = createFindKeyOwner(store, config.apiKey)
  const isOn = config.byPassword
  const { noteKey, noteCodeWanted } = createKeyUses({ publish, now })
  const basic = createBasicSignIn({ store, throttle, findKeyOwner, appPasswords, isOn, ready, noteCodeWanted })
  const { oidc, proxy, admins } = config
  const singleSignOn =
    oidc && createOidcSignIn({ store, users, roles, outbound, settings: oidc, admins, now, log, throttle, publish })
  const ways: readonly SignIn[] = [
    mediaKeySignIn(needs),
    basic.signIn,
    ...(singleSignOn ? [singleSignOn.signIn] : []),
    ...(proxy ? [proxySignIn({ store, users, roles, config, throttle, publish, settings: proxy })] : []),
    apiKeySignIn(findKeyOwner, throttle),
    urlKeySignIn(findKeyOwner, feedKeys, store, throttle),
    sessions.signIn,
  ]

  return {
    /** Checks a name and a password alone: the caller asks for the second factor. */
    checkPassword: basic.checkPassword,
    /**
     * Signs in by the fields of the sign-in form; `code` where a second factor is on. Throws what
     * `SecondFactor.require` throws, too.
     */
    async byPassword(username: string, password: string, code: string | null, address: string): Promise<UserRow> {
      const user = await basic.checkPassword(username, password, address)
      if (secondFactor.isMissing(user, code)) noteCodeWanted(user, () => address)
      await secondFactor.require(user, code, address)
      return user
    },
    /** Signs in an app that has fields for a name and a password. */
    ofApp: createAppSignIn({ ...basic, throttle, findKeyOwner, appPasswords, isOn, ready }),
    /** Signs in a program that sends a key as its token. */
    ofAppKey: createAppKeySignIn({ throttle, findKeyOwner, appPasswords }),
    /** Signs in an assistant by its key. */
    ofAssistant: createAssistantSignIn({
      throttle,
      findKeyOwner,
      appPasswords,
      noteKey,
      config,
    }),
    /** Signs in an app by the OpenID provider; null if none is configured. */
    ofAppByCode: singleSignOn?.ofApp ?? null,
    /** Gets a page its tokens from the OpenID provider; null if none is configured. */
    ofPageByCode: singleSignOn?.ofPage ?? null,
    /** Origins that the interface must be allowed to show in a frame in order to renew a sign-in. */
    providerOrigins: () => singleSignOn?.providerOrigins() ?? [],

    /** Throws `not-signed-in`, or the reason why a way that was tried is refused. */
    async require(credentials: Credentials): Promise<SignedIn> {
      for (const way of ways) {
        const found = await way(credentials)
        if (found) noteKey(found.user, found.by, credentials.address)
        if (found) return found
      }
      throw notSignedIn()
    },
  }
}
