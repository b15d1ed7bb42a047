import type { Config, ProxySettings } from '../../config'
import { isUsername } from '../../../shared/username'
import type { Store } from '../../store'
import type { Roles } from '../roles-by-rule'
import type { Users } from '../users'
import { notSignedIn, type Credentials, type SignedIn } from './credentials'

type ProxyNeeds = { store: Store; users: Users; roles: Roles; config: Config; settings: ProxySettings }

/** A proxy that signs people in says their name in a header; whether it may say so was seen to before. */
export const proxySignIn =
  ({ store, users, roles, config, settings }: ProxyNeeds) =>
  ({ proxied }: Credentials): SignedIn | null => {
    if (proxied === null) return null
    const name = proxied.trim()
    // A second header of the same name arrives joined by a comma: somebody put one in front of the proxy's own.
    if (!isUsername(name) || name.includes(',')) throw notSignedIn()
    const known = store.users.findByName(name)
    const isAdmin = config.admins.includes(name)
    if (!known && !settings.autoSignUp) throw notSignedIn()
    // The built-in admin is whoever the configuration says, never who happens to be called so.
    if (known?.built_in && config.username === null && !isAdmin) throw notSignedIn()
    const user = known ?? users.add({ username: name, proxied: 1, ...roles.ofNewcomer(isAdmin) })
    return { user: roles.apply(user, isAdmin), by: 'proxy' }
  }
