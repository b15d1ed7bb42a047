import type { JWTPayload } from 'jose'
import type { OidcSettings } from '../../config'
import type { Publish } from '../../platform/events'
import { Problem } from '../../platform/problem'
import type { Outbound } from '../../outbound/request'
import type { Clock } from '../../platform/clock'
import type { Log } from '../../platform/log'
import type { Store } from '../../store'
import type { UserRow } from '../../store/users'
import type { Roles } from '../roles-by-rule'
import type { Throttle } from '../throttle'
import type { Users } from '../users'
import { notSignedIn } from '../not-signed-in'
import type { Credentials, SignedIn } from './credentials'
import { createCodeSignIn } from './oidc-code'
import { createOidcProvider, isExpired } from './oidc-provider'

type OidcNeeds = {
  store: Store
  users: Users
  roles: Roles
  outbound: Outbound
  settings: OidcSettings
  admins: readonly string[]
  now: Clock
  log: Log
  throttle: Throttle
  publish: Publish
}

/** Signs in by a bearer token of the OpenID provider: an ID token, or a JWT access token for our client. */
export function createOidcSignIn(needs: OidcNeeds) {
  const provider = createOidcProvider(needs)

  async function userOf(token: string): Promise<UserRow> {
    const payload = await provider.verify(token)
    if (!isForUs(payload, needs.settings.clientId)) throw notSignedIn()
    return requireUser(needs, payload.iss!, payload)
  }

  return {
    /** Leaves alone what is not a token of the provider, such as an API key. */
    async signIn({ authorization, address }: Credentials): Promise<SignedIn | null> {
      const token = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
      if (!token || /^[0-9a-f]{32}$/i.test(token)) return null
      try {
        return { user: await userOf(token), by: 'token' }
      } catch (error) {
        // A page that was open for a while sends an expired token, and gets another one.
        if (error instanceof Problem && error.code === 'not-signed-in' && !isExpired(error))
          needs.throttle.reportRefusal({ way: 'openid', name: '' }, address())
        throw error
      }
    },
    /** Signs in apps that have no separate client at the provider. */
    ofApp: createCodeSignIn({ ...needs, provider, userOf }),
    /** The origins that the interface must be allowed to call. */
    providerOrigins: provider.origins,
  }
}

/** The user that the token names, made at first sight. */
function requireUser(
  { store, users, roles, settings, admins, publish }: OidcNeeds,
  issuer: string,
  payload: JWTPayload,
): UserRow {
  const subject = payload.sub!
  const isAdmin = admins.includes(subject) || hasAdminClaim(payload, settings)
  const known = store.users.findBySubject(issuer, subject)
  if (known) return roles.apply(known, isAdmin)
  const names = [payload['preferred_username'], payload['email'], subject]
  const wishes = names.filter((name): name is string => typeof name === 'string' && name.trim() !== '')
  const user = users.add({
    username: users.requireOneOf(wishes),
    issuer,
    subject,
    ...roles.forNewUser(isAdmin),
  })
  publish({ type: 'recorded', kind: 'user-added', actor: user, about: user, via: 'single-sign-on', detail: user.role })
  return user
}

/** Whether the token is meant for us: an ID token names us as its audience, an access token may name an API there. */
const isForUs = (payload: JWTPayload, clientId: string) =>
  [payload.aud, payload['azp'], payload['client_id']].flat().includes(clientId)

/** A claim may be one value or a list of them; scopes are words in one text. */
function hasAdminClaim(payload: JWTPayload, { adminClaim }: OidcSettings): boolean {
  if (adminClaim === null) return false
  const { name, value } = adminClaim
  const claim = payload[name]
  if (Array.isArray(claim)) return claim.includes(value)
  if (typeof claim === 'string')
    return claim === value || (/^(scope|scp)$/.test(name) && claim.split(' ').includes(value))
  return claim === true && value === 'true'
}
