import { MINUTE, SECOND } from '../../platform/clock'
import type { Context } from '../../context'
import type { DomainEvent } from '../../platform/events'
import type { UserRow } from '../../store/users'
import { frameOf } from './frames'
import type { Links } from './links'
import type { SignedInRoutes } from './signed-in'

type Peer = {
  user: UserRow
  links: Links
  sessionId: number | null
  send: (text: string) => void
  ping: () => void
  close: (code: number) => void
  bufferedBytes: () => number
}

const MAX_PEERS = 1000
const MAX_PEERS_OF_USER = 50
const MAX_BUFFERED = 1024 * 1024
/** The sign-in of a socket has ended: its page asks again who it is. */
const SIGN_IN_ENDED = 4401
const TRY_AGAIN_LATER = 1013

/** Live events, server to client. Frames are hints: a client that reconnects fetches again. */
export function socket(routes: SignedInRoutes, app: Context) {
  const peers = new Map<string, Peer>()

  const send = (event: DomainEvent) => {
    if (peers.size === 0) return
    if (event.type === 'signInChanged') return end(peer => peer.user.id === event.userId)
    if (event.type === 'sessionEnded') return end(peer => peer.sessionId === event.sessionId)
    const texts = new Map<string, string | null>()
    for (const { user, links, ...peer } of peers.values()) {
      if ('userId' in event && event.userId !== user.id) continue
      // Peers that see the same under the same addresses get the same text.
      const kind = `${user.explicit_consent} ${links.key} ${links.feedKey} ${links.base}`
      if (!texts.has(kind)) {
        const frame = frameOf(event, app.store, user, links)
        texts.set(kind, frame && JSON.stringify(frame))
      }
      const text = texts.get(kind)
      // A client that reads nothing is cut off; it comes back and fetches what it missed.
      if (peer.bufferedBytes() > MAX_BUFFERED) peer.close(TRY_AGAIN_LATER)
      else if (text) peer.send(text)
    }
  }

  function end(isOver: (peer: Peer) => boolean) {
    for (const peer of peers.values()) if (isOver(peer)) peer.close(SIGN_IN_ENDED)
  }

  /** Sessions run out, and the command line changes accounts: whoever is another by now signs in again. */
  function endWhatIsOver() {
    for (const { user, sessionId, close } of peers.values()) {
      const now = app.store.users.find(user.id)
      const isSame = now?.epoch === user.epoch && now.explicit_consent === user.explicit_consent
      if (!isSame || (sessionId !== null && !app.sessions.isActive(sessionId))) close(SIGN_IN_ENDED)
    }
  }

  let dataVersion = 0
  function look() {
    if (peers.size === 0) return
    const version = app.store.dataVersion()
    if (version !== dataVersion) endWhatIsOver()
    dataVersion = version
  }

  let stopListening = () => {}
  let timers: Timer[] = []
  routes
    .onStart(() => {
      stopListening = app.events.listenToAll(send)
      timers = [
        setInterval(() => peers.forEach(peer => peer.ping()), 30 * SECOND),
        setInterval(endWhatIsOver, MINUTE),
        setInterval(look, 2 * SECOND),
      ]
      for (const timer of timers) timer.unref()
    })
    .onStop(() => {
      stopListening()
      for (const timer of timers) clearInterval(timer)
    })
    .ws('/ws', {
      open(ws) {
        const { user, links, sessionId } = ws.data
        const own = [...peers.values()].filter(peer => peer.user.id === user.id)
        if (peers.size >= MAX_PEERS || own.length >= MAX_PEERS_OF_USER) {
          ws.close(TRY_AGAIN_LATER)
          return
        }
        peers.set(ws.id, {
          user,
          links,
          sessionId,
          send: text => void ws.raw.send(text),
          ping: () => void ws.raw.ping(),
          close: code => ws.raw.close(code),
          bufferedBytes: () => (ws.raw as unknown as { getBufferedAmount: () => number }).getBufferedAmount(),
        })
      },
      // Clients have nothing to say here.
      message() {},
      close(ws) {
        peers.delete(ws.id)
      },
    })
}
