import { SECOND } from '../clock'
import type { Context } from '../context'
import type { DomainEvent } from '../events'
import type { UserRow } from '../store/users'
import { frameOf } from './frames'
import type { Links } from './links'
import type { SignedInRoutes } from './signed-in'

type Peer = {
  user: UserRow
  links: Links
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
    if (event.type === 'signInChanged') return endSignIns(event.userId)
    const texts = new Map<string, string | null>()
    for (const { user, links, ...peer } of peers.values()) {
      if (event.type === 'progress' && event.userId !== user.id) continue
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

  function endSignIns(userId: number) {
    for (const { user, close } of peers.values()) if (user.id === userId) close(SIGN_IN_ENDED)
  }

  /** The command line, too, changes accounts: whoever is another by now signs in again. */
  function beat() {
    for (const { user, ping, close } of peers.values()) {
      const now = app.store.users.find(user.id)
      const isSame = now?.epoch === user.epoch && now.explicit_consent === user.explicit_consent
      if (isSame) ping()
      else close(SIGN_IN_ENDED)
    }
  }

  let stopListening = () => {}
  let beats: Timer | undefined
  routes
    .onStart(() => {
      stopListening = app.events.listen(send)
      beats = setInterval(beat, 30 * SECOND)
      beats.unref()
    })
    .onStop(() => {
      stopListening()
      clearInterval(beats)
    })
    .ws('/ws', {
      open(ws) {
        const { user, links } = ws.data
        const own = [...peers.values()].filter(peer => peer.user.id === user.id)
        if (peers.size >= MAX_PEERS || own.length >= MAX_PEERS_OF_USER) {
          ws.close(TRY_AGAIN_LATER)
          return
        }
        peers.set(ws.id, {
          user,
          links,
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
