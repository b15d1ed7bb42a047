import { type Clock, DAY, MINUTE } from '../platform/clock'
import { makeToken } from '../platform/secret'
import type { Publish } from '../platform/events'
import { Problem } from '../platform/problem'
import { surroundingsOf } from '../outbound/address'
import type { Store } from '../store'
import type { NewAppSession, TokenOwner } from '../store/app-sessions'
import type { UserRow } from '../store/users'
import type { Arrivals } from './arrivals'
import { reportEnded, uuidMarkedBy } from './own-sessions'
import { keyHash } from './keys'
import { requireCurrent } from './sign-in/credentials'

// Why: docs/internals/decisions/0044

/** Long downloads, and playback with the screen off, take more than an hour. */
const ACCESS_MS = DAY
const REFRESH_MS = 365 * DAY
/** Two parts of one app may renew at the same time, and an answer may be lost. */
const OLD_REFRESH_MS = 10 * MINUTE
const MAX_RENEWED = 10_000

type Needs = {
  store: Store
  arrivals: Arrivals
  publish: Publish
  now: Clock
  /** Whether the use of a session may be written now. */
  mayNote: () => boolean
}
/** `apiKey`: the key that its user typed as the password; null = another way. */
export type NewSession = Omit<NewAppSession, 'uuid'> & { apiKey: string | null }
/** `lasting`: an access that needs no renewal, for apps that know of none. */
export type AppTokens = { access: string; refresh: string }
export type FirstTokens = AppTokens & { lasting: string }
/** An app's access: whose, and the session that it belongs to. */
export type AppAccess = { user: UserRow; appSessionId: number }

/**
 * Sign-ins of apps that show no password again: a short-lived token for requests, and one that renews it and changes
 * with each use. Only digests of them are stored.
 */
export function createAppSessions(needs: Needs) {
  const { store, publish, now, mayNote } = needs
  const { appSessions } = store
  const { issueAccess, issueLasting, issueRefresh, renewRefresh } = createTokens(appSessions, now)

  function noteUse(owner: TokenOwner, address: () => string) {
    if (now() - owner.last_used_at > MINUTE && mayNote()) appSessions.noteUse(owner.app_session_id, address(), now())
  }

  return {
    /**
     * Begins a session. If the user has too many, those used longest ago end. Throws `not-signed-in` if the sign-in has
     * ended since.
     */
    start: (user: UserRow, session: NewSession): FirstTokens =>
      begin(needs, user, session, id => ({
        access: issueAccess(id),
        refresh: issueRefresh(id),
        lasting: issueLasting(id),
      })),
    /**
     * Begins a session to which a key itself gives access, for programs that send it with each call and never sign in.
     * It ends with the key. Throws as `start`.
     */
    startByKey: (user: UserRow, key: string, session: NewSession): AppAccess =>
      begin(needs, user, session, id => {
        appSessions.addToken(id, keyHash(key), 'access', now() + REFRESH_MS)
        return { user, appSessionId: id }
      }),
    /**
     * New tokens for one that renews; null for an unknown or expired one. If a token is used long after it was
     * replaced, two parties have it: its session ends for both (RFC 9700, 4.14.2), and its user is notified.
     */
    renew(refresh: string, address: () => string): (AppAccess & AppTokens) | null {
      const hash = keyHash(refresh)
      const renewed = store.inTransaction(() => {
        const owner = appSessions.findOwner(hash, 'refresh', now())
        if (!owner) return null
        noteUse(owner, address)
        const id = owner.app_session_id
        return { user: owner, appSessionId: id, access: issueAccess(id), refresh: renewRefresh(id, hash) }
      })
      if (renewed === null) endReused({ store, publish, now }, hash, address)
      return renewed
    },
    /** The access of a token; null for an unknown or expired one. Notes the use, at most once a minute. */
    accessOf(token: string, address: () => string): AppAccess | null {
      const owner = appSessions.findOwner(keyHash(token), 'access', now())
      if (!owner) return null
      noteUse(owner, address)
      return { user: owner, appSessionId: owner.app_session_id }
    },
    isActive: (appSessionId: number) => appSessions.isValid(appSessionId),
    /** Ends the session of a token that renews, if there is one. */
    end(refresh: string) {
      const owner = appSessions.findOwner(keyHash(refresh), 'refresh', now())
      if (!owner) return
      const name = appSessions.removeById(owner.app_session_id)
      reportEnded(publish, owner.id, { apps: [{ id: owner.app_session_id, name }] })
    },
    /** Ends all sessions of the user whose token this is. */
    endAll(refresh: string) {
      const owner = appSessions.findOwner(keyHash(refresh), 'refresh', now())
      if (owner) reportEnded(publish, owner.id, { apps: appSessions.removeOf(owner.id) })
    },
    /** Ends one of a user's sessions. Throws `not-found`. */
    remove(userId: number, uuid: string) {
      const ended = appSessions.remove(userId, uuid)
      if (!ended) throw new Problem('not-found', 'Sign-in of an app not found')
      reportEnded(publish, userId, { apps: [ended] })
    },
    removeExpired: () => appSessions.removeExpired(now()),
  }
}
export type AppSessions = ReturnType<typeof createAppSessions>

/** Begins a session, and issues what gives access to it. */
function begin<T>(
  { store, arrivals, publish, now }: Needs,
  user: UserRow,
  { apiKey: key, ...session }: NewSession,
  issue: (sessionId: number) => T,
): T {
  const { ended, issued, news } = store.inTransaction(() => {
    requireCurrent(store, user, session.provider_session)
    const uuid = key === null ? crypto.randomUUID() : uuidMarkedBy(key)
    const { id, ended } = store.appSessions.add(user, { ...session, uuid }, now())
    const place = {
      device: session.name === '–' ? '' : session.name,
      address: surroundingsOf(session.last_address),
    }
    return { ended, issued: issue(id), news: arrivals.note(user.id, place) }
  })
  reportEnded(publish, user.id, { apps: ended })
  for (const event of news) publish(event)
  publish({ type: 'recorded', kind: 'signed-in', actor: user, about: user, via: 'app', detail: session.name })
  return issued
}

/** Issues tokens of sessions, and remembers for a while which refresh token replaced which. */
function createTokens(appSessions: Needs['store']['appSessions'], now: Needs['now']) {
  /**
   * The tokens that replaced used ones, by the hash of the used one: for a while, using it again returns its
   * replacement.
   */
  const renewed = new Map<string, { refresh: string; at: number }>()

  function issueAccess(sessionId: number, lifetimeMs = ACCESS_MS): string {
    const access = makeToken()
    appSessions.addToken(sessionId, keyHash(access), 'access', now() + lifetimeMs)
    return access
  }
  const issueLasting = (sessionId: number) => issueAccess(sessionId, REFRESH_MS)

  function issueRefresh(sessionId: number): string {
    const refresh = makeToken()
    appSessions.replaceRefresh(sessionId, now() + OLD_REFRESH_MS)
    appSessions.addToken(sessionId, keyHash(refresh), 'refresh', now() + REFRESH_MS)
    return refresh
  }

  /** The newest of the tokens that replaced this one in turn; null = it was not used yet. */
  function replacementOf(used: string): string | null {
    let current: string | null = null
    for (let next = renewed.get(used); next; next = renewed.get(keyHash(current))) current = next.refresh
    return current
  }

  /** The current refresh token, if this one was used a moment ago; otherwise a new one. */
  function renewRefresh(sessionId: number, used: string): string {
    for (const [hash, { at }] of renewed) {
      if (at > now() - OLD_REFRESH_MS && renewed.size < MAX_RENEWED) break
      renewed.delete(hash)
    }
    const current = replacementOf(used)
    if (current !== null && appSessions.findOwner(keyHash(current), 'refresh', now())) return current
    const refresh = issueRefresh(sessionId)
    renewed.set(used, { refresh, at: now() })
    return refresh
  }

  return { issueAccess, issueLasting, issueRefresh, renewRefresh }
}

/** Ends the session of a refresh token that somebody used again after it was replaced, and notifies its user. */
function endReused(
  { store, publish, now }: Pick<Needs, 'store' | 'publish' | 'now'>,
  hash: string,
  address: () => string,
) {
  const reused = store.inTransaction(() => {
    const session = store.appSessions.findReplaced(hash)
    if (!session) return null
    store.appSessions.removeById(session.id)
    const place = surroundingsOf(address())
    const message = [session.name, place].filter(part => part !== '').join(' · ')
    return {
      session,
      notificationId: store.notifications.addPersonal('RenewalReused', session.user_id, message, now()),
    }
  })
  if (!reused) return
  const { uuid, user_id: userId, name } = reused.session
  reportEnded(publish, userId, { apps: [reused.session] })
  publish({ type: 'renewalReused', userId, session: uuid, app: name, address: address() })
  publish({ type: 'notification', userId, notificationId: reused.notificationId })
}
