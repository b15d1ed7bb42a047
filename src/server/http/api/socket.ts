import type { Context } from '../../context'
import { MINUTE, SECOND } from '../../platform/clock'
import type { SignedInRoutes } from '../core/signed-in'
import { frameOf } from './frames'
import type { DomainEvent } from '../../platform/events'
import type { ServerEvent } from '../../../shared/server-event'
import type { Store } from '../../store'
import type { UserRow } from '../../store/users'
import type { Links } from '../core/links'

/** Sends live events to browsers. Frames are hints: a client that reconnects fetches again. */
export function socket(routes: SignedInRoutes, app: Context) {
  const peers: Peers = new Map()
  let stop = () => {}
  let tend = () => {}
  let hasNewsSince = (_user: UserRow, _ageMs: number) => false
  routes
    .onStart(() => {
      ;({ stop, tend, hasNewsSince } = serve(peers, app))
    })
    .onStop(() => stop())
    .ws('/ws', {
      open(ws) {
        const { user, links, sessionId, query } = ws.data
        if (!hasRoomFor(peers, user)) {
          ws.close(TRY_AGAIN_LATER)
          return
        }
        const frame = app.room.isFull()
          ? frameOf({ type: 'roomChanged', ...app.room.current() }, app.store, user, links)
          : null
        tend()
        peers.set(ws.id, {
          user,
          links,
          sessionId,
          send: text => void ws.raw.send(text),
          ping: () => void ws.raw.ping(),
          close: (code, reason) => ws.raw.close(code, reason),
          // Elysia's type lacks a method that Bun's socket has.
          bufferedBytes: () => (ws.raw as unknown as { getBufferedAmount: () => number }).getBufferedAmount(),
        })
        // A page that was opened on a full disk should say so from the beginning.
        if (frame) ws.raw.send(JSON.stringify(frame))
        if (hasNewsSince(user, Number(query.age))) ws.raw.send(JSON.stringify({ type: 'missed' } satisfies ServerEvent))
      },
      // Clients send nothing here.
      message() {},
      close(ws) {
        peers.delete(ws.id)
      },
    })
}

/** Passes events on until `stop`; `tend` looks after sockets while there are any. */
function serve(peers: Peers, app: Context) {
  /** When something was announced last, by the id of its user; null = to everybody. */
  const latest = new Map<number | null, number>()
  const stopListening = app.events.listenToAll(event => {
    if (changesLists(event)) latest.set('userId' in event ? event.userId : null, app.elapsed())
    broadcast(peers, app.store, event)
  })
  let dataVersion = 0
  /** Another process, such as the command line, wrote to the database: an account may have changed. */
  function checkForChanges() {
    if (peers.size === 0) return endTimers()
    const version = app.store.dataVersion()
    if (version !== dataVersion) closeSignedOut(peers, app)
    dataVersion = version
  }
  const timers: Timer[] = []
  const endTimers = () => timers.splice(0).forEach(timer => clearInterval(timer))
  return {
    tend() {
      if (timers.length > 0) return
      dataVersion = app.store.dataVersion()
      timers.push(
        setInterval(() => peers.forEach(peer => peer.ping()), 30 * SECOND),
        setInterval(() => closeSignedOut(peers, app), MINUTE),
        setInterval(checkForChanges, 2 * SECOND),
      )
      for (const timer of timers) timer.unref()
    },
    /** Whether a user was told something in the last `ageMs`, in which a page was loading, or while it connected. */
    hasNewsSince(user: UserRow, ageMs: number) {
      const last = Math.max(latest.get(user.id) ?? -Infinity, latest.get(null) ?? -Infinity)
      return app.elapsed() - last <= Math.min(ageMs, MAX_LOADING) + CONNECTING
    },
    stop() {
      stopListening()
      endTimers()
    },
  }
}

const MAX_LOADING = MINUTE
const CONNECTING = SECOND
/** Events after which no list has to be fetched again. */
const onlyProgress = new Set<DomainEvent['type']>(['downloadProgress', 'transcriptionProgress', 'roomChanged'])
const changesLists = (event: DomainEvent) =>
  event.type === 'refreshedPodcast' ? event.added + event.updated > 0 : !onlyProgress.has(event.type)

/** An open socket and its user, both as they were when the socket was opened. */
export type Peer = {
  user: UserRow
  links: Links
  sessionId: number | null
  send: (text: string) => void
  ping: () => void
  close: (code: number, reason?: string) => void
  /** Bytes that were sent and that the client has not read yet. */
  bufferedBytes: () => number
}
/** Open sockets by the id of their connection. */
export type Peers = Map<string, Peer>

const MAX_PEERS = 1000
const MAX_PEERS_PER_USER = 50
const MAX_BUFFERED = 1024 * 1024

/** Close code of a socket whose sign-in has ended: its page signs in again. */
const SIGN_IN_ENDED = 4401
/** Reason given with it where somebody has ended the session: its page forgets what it was not asked to remember. */
const SESSION_ENDED = 'session ended'
/** Standard close code after which a client reconnects later. */
const TRY_AGAIN_LATER = 1013

function hasRoomFor(peers: Peers, user: UserRow): boolean {
  const own = [...peers.values()].filter(peer => peer.user.id === user.id)
  return peers.size < MAX_PEERS && own.length < MAX_PEERS_PER_USER
}

/** Sends an event to everyone who may see it, or ends the sockets that it concerns. */
export function broadcast(peers: Peers, store: Store, event: DomainEvent) {
  if (peers.size === 0) return
  if (event.type === 'signInChanged') {
    const { userId, keptSessionId = null } = event
    const isKept = (peer: Peer) => keptSessionId !== null && peer.sessionId === keptSessionId
    return closeWhere(peers, peer => peer.user.id === userId && !isKept(peer))
  }
  if (event.type === 'sessionEnded') return closeWhere(peers, peer => peer.sessionId === event.sessionId, SESSION_ENDED)
  const texts = new Map<string, string | null>()
  for (const { user, links, ...peer } of peers.values()) {
    if ('userId' in event && event.userId !== user.id) continue
    // Peers that see the same things under the same addresses get the same text.
    const kind = `${user.role} ${user.explicit_consent} ${links.key} ${links.feedKey} ${links.base}`
    if (!texts.has(kind)) {
      const frame = frameOf(event, store, user, links)
      texts.set(kind, frame && JSON.stringify(frame))
    }
    const text = texts.get(kind)
    // Memory would fill up for a client that does not read; it reconnects and fetches what it missed.
    if (peer.bufferedBytes() > MAX_BUFFERED) peer.close(TRY_AGAIN_LATER)
    else if (text) peer.send(text)
  }
}

/** Ends sockets whose session has expired, or whose account was changed, also by the command line. */
function closeSignedOut(peers: Peers, { store, sessions }: Pick<Context, 'store' | 'sessions'>) {
  closeWhere(peers, ({ user, sessionId }) => {
    const now = store.users.find(user.id)
    const isSame =
      now?.epoch === user.epoch &&
      now.explicit_consent === user.explicit_consent &&
      // A key may have opened sockets without a session.
      (sessionId !== null || now.api_key_hash === user.api_key_hash)
    return !isSame || (sessionId !== null && !sessions.isActive(sessionId))
  })
}

function closeWhere(peers: Peers, hasEnded: (peer: Peer) => boolean, reason?: string) {
  for (const peer of peers.values()) if (hasEnded(peer)) peer.close(SIGN_IN_ENDED, reason)
}
