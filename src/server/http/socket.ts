import { Elysia } from 'elysia'
import { SECOND } from '../clock'
import type { Context } from '../context'
import type { DomainEvent } from '../events'
import { frameOf } from './frames'
import { identity } from './identity'

type Peer = {
  userId: number
  base: string
  send: (text: string) => void
  ping: () => void
  close: (code: number) => void
  bufferedBytes: () => number
}

const MAX_PEERS = 1000
const MAX_BUFFERED = 1024 * 1024

/** Live events, server to client. Frames are hints: a client that reconnects fetches again. */
export const socket = (app: Context) => {
  const peers = new Map<string, Peer>()

  const send = (event: DomainEvent) => {
    if (peers.size === 0) return
    const texts = new Map<string, string | null>()
    for (const peer of peers.values()) {
      if (event.type === 'progress' && event.userId !== peer.userId) continue
      if (!texts.has(peer.base)) {
        const frame = frameOf(event, app.store, peer.base)
        texts.set(peer.base, frame && JSON.stringify(frame))
      }
      const text = texts.get(peer.base)
      // A client that reads nothing is cut off; it comes back and fetches what it missed.
      if (peer.bufferedBytes() > MAX_BUFFERED) peer.close(1013)
      else if (text) peer.send(text)
    }
  }

  let stopListening = () => {}
  let pings: Timer | undefined
  return new Elysia()
    .use(identity(app))
    .onStart(() => {
      stopListening = app.events.listen(send)
      pings = setInterval(() => peers.forEach(peer => peer.ping()), 30 * SECOND)
      pings.unref()
    })
    .onStop(() => {
      stopListening()
      clearInterval(pings)
    })
    .ws('/ws', {
      open(ws) {
        if (peers.size >= MAX_PEERS) {
          ws.close(1013)
          return
        }
        peers.set(ws.id, {
          userId: ws.data.user.id,
          base: ws.data.base,
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
