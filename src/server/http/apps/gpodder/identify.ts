import type { Context } from '../../../context'
import type { UserRow } from '../../../store/users'
import { addressOf, type Peer } from '../../core/server-url'
import { readSyncCookie } from './cookie'
import { SyncRefusal } from './protocol'

const MOST_REMEMBERED = 1000

/** Who a podcast app speaks for, and the token of a session that was begun for it. Throws `SyncRefusal` and `Problem`. */
export function createIdentify({ signIn, sessions, appPasswords, config }: Context) {
  // The same Basic header gets the same session: some apps never show a cookie.
  const given = new Map<string, string>()

  /** By password or key, or by the session that this began; a session of its own where there is none yet. */
  return async function identify(request: Request, peer: Peer): Promise<{ user: UserRow; token: string | null }> {
    const authorization = request.headers.get('authorization')
    const cookie = readSyncCookie(request)
    if (authorization === null) {
      const owner = cookie === null ? null : sessions.syncOwnerOf(cookie)
      if (!owner) throw new SyncRefusal(401, 'Sign in first')
      return { user: owner, token: null }
    }
    if (/^basic /i.test(authorization) && !isReadable(authorization)) throw new SyncRefusal(400, 'Unreadable header')
    const address = () => addressOf(request, peer, config)
    // Some apps show the password that Nextcloud's way gave them as a token.
    const bearer = /^bearer +([0-9a-f]{32})$/i.exec(authorization)?.[1]
    const holder = bearer === undefined ? null : appPasswords.ownerOf(bearer.toLowerCase(), address())
    if (holder) return { user: holder, token: null }
    const { user } = await signIn.require({
      surface: 'sync',
      isReading: false,
      authorization,
      proxied: null,
      key: null,
      session: null,
      address,
    })
    // A token that ends by itself in an hour is no reason for a session of a year.
    if (!/^basic /i.test(authorization)) return { user, token: null }
    if (cookie !== null && sessions.syncOwnerOf(cookie)?.id === user.id) return { user, token: null }
    const digest = new Bun.CryptoHasher('sha256').update(authorization).digest('base64')
    const known = given.get(digest)
    if (known && sessions.syncOwnerOf(known)?.id === user.id) return { user, token: known }
    const token = sessions.startSync(user)
    if (given.size >= MOST_REMEMBERED) given.clear()
    given.set(digest, token)
    return { user, token }
  }
}

/** The password that a request shows, or what it shows in its place. */
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
