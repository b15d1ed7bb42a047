import { type Clock, DAY, MINUTE } from '../../platform/clock'
import { makeToken } from '../../platform/secret'
import type { Publish } from '../../platform/events'
import type { Store } from '../../store'
import type { SessionWay } from '../../../shared/api/sign-in'
import type { NewSession, SessionOwner } from '../../store/sessions'
import type { UserRow } from '../../store/users'
import type { Arrivals, Visitor } from '../arrivals'
import { reportEnded, uuidMarkedBy } from '../own-sessions'
import { keyHash } from '../keys'
import { type Credentials, requireCurrent, type SignedIn, type Surface } from './credentials'

/** Days after its last use when a session ends. */
export const SESSION_DAYS = 30
/** Days after its last use when a session ends whose cookie ends with the browser. */
const BRIEF_DAYS = 7
export const SYNC_DAYS = 365
/** The last use is noted at most this often. */
const NOTED_EVERY_MS = 10 * MINUTE
/** Surfaces that a page opens without an Authorization header. */
const surfaces = new Set<Surface>(['media', 'download', 'socket'])

type Needs = {
  store: Store
  arrivals: Arrivals
  publish: Publish
  now: Clock
  /** Whether the use of a session may be written now. */
  mayNote: () => boolean
  /** Lets a sign-in succeed on a full disk. */
  makeRoom: () => void
}

/**
 * A session to be begun. `carriesApi`: its cookie may call the API, for a browser that keeps no password. `apiKey`: the
 * key that begins it, with which it ends; null = another way.
 */
export type Beginning = {
  apiKey: string | null
  way: SessionWay
  carriesApi: boolean
  remembered: boolean
  keepsPassword: boolean
  /** The sign-in at a provider with which it ends; null = none. */
  providerSession: string | null
  visitor: Visitor
}

export type Sessions = ReturnType<typeof createSessions>

/**
 * Manages sessions. A browser session's cookie reads media, downloads its user's archive and opens the socket; if a
 * browser signed in by passkey or with a second factor, it also authenticates the calls of our pages to the API. A sync
 * session's token lets a podcast app sync without its password. Only digests of the tokens are stored.
 */
export function createSessions(needs: Needs) {
  const { store, publish, now, mayNote } = needs
  const ownerOf = (token: string): SessionOwner | null => store.sessions.findOwner(keyHash(token), 'browser', now())

  /** Ends the session of a token, if there is one, and reports that to its sockets. */
  function end(token: string) {
    const ended = store.sessions.remove(keyHash(token))
    if (ended) reportEnded(publish, ended.user_id, { sessions: [ended] })
  }

  /** Notes the use of a session, seldom, and never if a request that reads would have to wait for it or fail. */
  function noteUse(owner: SessionOwner, address: () => string) {
    if (now() - owner.seen_at < NOTED_EVERY_MS || !mayNote()) return
    store.sessions.noteUse(owner.session_id, address(), now() + lifetimeOf(owner.remembered === 1), now())
  }

  return {
    ownerOf,
    end,
    noteUse,
    isActive: (id: number) => store.sessions.isValid(id, now()),
    /** Issues a token for a browser: see `startBrowser`. Throws `not-signed-in` if the sign-in has ended since. */
    start: (user: UserRow, oldToken: string | null, beginning: Beginning): string =>
      startBrowser(needs, user, oldToken === null ? null : ownerOf(oldToken), beginning),
    /** Restarts the time of the session that signed a request in; returns whether its browser remembers it. */
    prolong(owner: SessionOwner, address: string): boolean {
      const isRemembered = owner.remembered === 1
      store.sessions.noteUse(owner.session_id, address, now() + lifetimeOf(isRemembered), now())
      return isRemembered
    },
    /** Issues a token for the session in which its user has changed how they sign in: the others have ended. */
    outlive({ session_id }: SessionOwner): string {
      const token = makeToken()
      store.sessions.outlive(session_id, keyHash(token))
      return token
    },
    /** Notes that the password that the browser keeps is no longer enough; `carriesApi`: the cookie replaces it. */
    forgetPassword: ({ session_id }: SessionOwner, carriesApi: boolean) =>
      store.sessions.forgetPassword(session_id, carriesApi),
    /** Issues a token for a podcast app, which sends its password once and this token from then on. */
    startSync(user: UserRow, way: SessionWay, apiKey: string | null, visitor: Visitor): string {
      requireCurrent(store, user)
      const token = makeToken()
      begin(needs, user, {
        uuid: uuidOf(apiKey),
        token_hash: keyHash(token),
        kind: 'sync',
        way,
        carries_api: 0,
        remembered: 1,
        keeps_password: 1,
        provider_session: null,
        ...visitor,
        expires_at: now() + SYNC_DAYS * DAY,
      })
      return token
    },
    /** The owner of a podcast app's token; notes the use, seldom. */
    syncOwnerOf(token: string, address?: () => string): SessionOwner | null {
      const owner = store.sessions.findOwner(keyHash(token), 'sync', now())
      if (owner && address && now() - owner.seen_at >= NOTED_EVERY_MS && mayNote())
        store.sessions.noteUse(owner.session_id, address(), 0, now())
      return owner
    },
    removeExpired: () => store.sessions.removeExpired(now()),

    /** Signs in by cookie; null for an expired or unknown one, as if none had been sent. */
    signIn({ session, surface, isReading, isOurPage, place }: Credentials): SignedIn | null {
      if (session === null || !(surface === 'api' ? isOurPage : isReading && surfaces.has(surface))) return null
      const owner = ownerOf(session)
      if (!owner || (surface === 'api' && owner.carries_api === 0)) return null
      noteUse(owner, place)
      return { user: owner, by: 'session', sessionId: owner.session_id }
    },
  }
}

/**
 * Issues a token. Continues the old session if it is this user's; otherwise starts a new one. Another user's session
 * stays: tabs of one browser share a cookie, and would otherwise keep ending each other's sessions.
 */
function startBrowser(needs: Needs, user: UserRow, old: SessionOwner | null, beginning: Beginning): string {
  const { store, now, makeRoom } = needs
  const { apiKey, way, carriesApi, remembered, keepsPassword, providerSession, visitor } = beginning
  requireCurrent(store, user, providerSession)
  makeRoom()
  const token = makeToken()
  const session = {
    token_hash: keyHash(token),
    way,
    carries_api: Number(carriesApi),
    remembered: Number(remembered),
    keeps_password: Number(keepsPassword),
    provider_session: providerSession,
    ...visitor,
    expires_at: now() + lifetimeOf(remembered),
  }
  if (old?.id !== user.id) {
    begin(needs, user, { ...session, uuid: uuidOf(apiKey), kind: 'browser' })
    return token
  }
  // A cookie that only reads media does not replace a session that may do more.
  const isMore = old.carries_api === 1 && !carriesApi
  const kept = isMore && { way: old.session_way, carries_api: 1, provider_session: null }
  store.sessions.rotate(old.session_id, { ...session, ...kept }, now())
  return token
}

/** Begins a session, notes where it began, and reports both. */
function begin({ store, arrivals, publish, now }: Needs, user: UserRow, session: NewSession) {
  const { ended, news } = store.inTransaction(() => ({
    ended: store.sessions.add(user, session, now()),
    news: arrivals.note(user.id, session),
  }))
  reportEnded(publish, user.id, { sessions: ended })
  for (const event of news) publish(event)
  publish({
    type: 'recorded',
    kind: 'signed-in',
    actor: user,
    about: user,
    via: session.way ?? '',
    detail: session.device,
  })
}

const uuidOf = (apiKey: string | null) => (apiKey === null ? crypto.randomUUID() : uuidMarkedBy(apiKey))

const lifetimeOf = (isRemembered: boolean) => (isRemembered ? SESSION_DAYS : BRIEF_DAYS) * DAY
