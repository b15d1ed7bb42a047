import type { Context } from '../../../context'
import { surroundingsOf } from '../../../outbound/address'
import type { UserRow } from '../../../store/users'
import { addressOf, type Peer } from '../../core/server-url'
import { visitorOf } from '../../core/visitor'
import { readSyncCookie } from './cookie'
import { SyncRefusal } from './protocol'

const MOST_REMEMBERED = 1000

export function createIdentify({ signIn, sessions, appPasswords, config }: Context) {
  // Some apps never send a cookie; the same Basic header gets the same session each time.
  const begun = new Map<string, string>()

  /**
   * Identifies the user of a podcast app by password, key or session. `token` belongs to a session that was begun for
   * the app, null if it has one. Throws `SyncRefusal` and `Problem`.
   */
  return async function identify(request: Request, peer: Peer): Promise<{ user: UserRow; token: string | null }> {
    const authorization = request.headers.get('authorization')
    const address = () => addressOf(request, peer, config)
    const place = () => surroundingsOf(address())
    const cookie = readSyncCookie(request)
    if (authorization === null) {
      const owner = cookie === null ? null : sessions.syncOwnerOf(cookie, place)
      if (!owner) throw new SyncRefusal(401, 'Sign in with your user name and password')
      return { user: owner, token: null }
    }
    if (/^basic /i.test(authorization) && !isReadable(authorization))
      throw new SyncRefusal(400, 'The Authorization header is not valid Basic')
    // Some apps send the password that Nextcloud's login flow gave them as a Bearer token.
    const bearer = /^bearer +([0-9a-f]{32})$/i.exec(authorization)?.[1]
    const holder = bearer === undefined ? null : appPasswords.ownerOf(bearer.toLowerCase(), address())
    if (holder) return { user: holder, token: null }
    const { user, by } = await signIn.require({
      surface: 'sync',
      isReading: false,
      authorization,
      proxied: null,
      key: null,
      mediaKey: null,
      session: null,
      isOurPage: false,
      address,
      place,
    })
    // Other tokens expire within hours; they must not begin a session of a year.
    if (!/^basic /i.test(authorization)) return { user, token: null }
    if (cookie !== null && sessions.syncOwnerOf(cookie)?.id === user.id) return { user, token: null }
    const digest = new Bun.CryptoHasher('sha256').update(authorization).digest('base64')
    const known = begun.get(digest)
    if (known && sessions.syncOwnerOf(known)?.id === user.id) return { user, token: known }
    const way = by === 'api-key' ? 'key' : 'password'
    const shown = way === 'key' ? passwordIn(request) : null
    const apiKey = shown !== null && appPasswords.find(shown) === null ? shown : null
    const token = sessions.startSync(user, way, apiKey, visitorOf(request, peer, config))
    if (begun.size >= MOST_REMEMBERED) begun.clear()
    begun.set(digest, token)
    return { user, token }
  }
}

/** The password or token in a request's Authorization header; null if there is none. */
export function passwordIn(request: Request): string | null {
  const [, scheme, shown] = /^(basic|bearer) +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  if (scheme === undefined || shown === undefined) return null
  if (scheme.toLowerCase() === 'bearer') return shown.toLowerCase()
  const text = Buffer.from(shown, 'base64').toString('latin1')
  return text.slice(text.indexOf(':') + 1)
}

function isReadable(authorization: string): boolean {
  const payload = authorization.slice(6).trim()
  return /^[A-Za-z0-9+/]+=*$/.test(payload) && Buffer.from(payload, 'base64').includes(':')
}
