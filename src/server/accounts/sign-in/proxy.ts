import type { Config, ProxySettings } from '../../config'
import type { Publish } from '../../platform/events'
import { isUsername } from '../../../shared/username'
import type { Store } from '../../store'
import type { UserRow } from '../../store/users'
import type { Roles, Users } from '../users'
import { isSameName } from '../names'
import type { Throttle } from '../throttle'
import { type Credentials, notSignedIn, type SignedIn } from './credentials'

type ProxyNeeds = {
  store: Store
  users: Users
  roles: Roles
  config: Config
  throttle: Throttle
  publish: Publish
  settings: ProxySettings
}

/** Signs in by the name in a proxy's header. The caller has checked that the peer is a trusted proxy. */
export function proxySignIn({ store, users, roles, config, throttle, publish, settings }: ProxyNeeds) {
  /**
   * Whether the account of this name belongs to the person behind the proxy. Equal names alone prove nothing: an
   * account with another way to sign in may be somebody else's. The built-in admin is the configuration's; an account
   * made on the command line has no other way to sign in if passwords are off.
   */
  function isTheirs(user: UserRow, isAdmin: boolean): boolean {
    if (user.built_in) return config.username !== null || isAdmin
    return user.proxied === 1 || (user.subject === null && !config.byPassword)
  }

  return ({ proxied, address }: Credentials): SignedIn | null => {
    if (proxied === null) return null
    const name = proxied.trim()
    const refused = () => {
      throttle.reportRefusal({ way: 'proxy', name }, address())
      return notSignedIn()
    }
    // A second header of the same name arrives joined by a comma: a client sent one, too.
    if (!isUsername(name) || name.includes(',')) throw refused()
    const isAdmin = config.admins.some(admin => isSameName(admin, name))
    const known = store.users.findByName(name)
    if (known && !isTheirs(known, isAdmin)) throw refused()
    if (!known && !settings.autoSignUp) throw refused()
    if (known) return { user: roles.apply(known, isAdmin), by: 'proxy' }
    const user = users.add({ username: users.requireProxied(name), proxied: 1, ...roles.forNewUser(isAdmin) })
    publish({ type: 'recorded', kind: 'user-added', actor: user, about: user, via: 'proxy', detail: user.role })
    return { user: roles.apply(user, isAdmin), by: 'proxy' }
  }
}
