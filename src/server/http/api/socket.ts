import type { Context } from '../../context'
import { MINUTE, SECOND } from '../../platform/clock'
import type { SignedInRoutes } from '../core/signed-in'
import { frameOf } from './frames'
import { broadcast, closeSignedOut, hasRoomFor, TRY_AGAIN_LATER, type Peers } from './peers'

/** Sends live events to browsers. Frames are hints: a client that reconnects fetches again. */
export function socket(routes: SignedInRoutes, app: Context) {
  const peers: Peers = new Map()
  let stop = () => {}
  routes
    .onStart(() => {
      stop = serve(peers, app)
    })
    .onStop(() => stop())
    .ws('/ws', {
      open(ws) {
        const { user, links, sessionId } = ws.data
        if (!hasRoomFor(peers, user)) {
          ws.close(TRY_AGAIN_LATER)
          return
        }
        const frame = app.room.isFull()
          ? frameOf({ type: 'roomChanged', ...app.room.current() }, app.store, user, links)
          : null
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
      },
      // Clients have nothing to say here.
      message() {},
      close(ws) {
        peers.delete(ws.id)
      },
    })
}

/** Passes events on and looks after open sockets until the returned function is called. */
function serve(peers: Peers, app: Context): () => void {
  const stopListening = app.events.listenToAll(event => broadcast(peers, app.store, event))
  let dataVersion = 0
  /** Another process, such as the command line, wrote to the database: an account may have changed. */
  function checkForChanges() {
    if (peers.size === 0) return
    const version = app.store.dataVersion()
    if (version !== dataVersion) closeSignedOut(peers, app)
    dataVersion = version
  }
  const timers = [
    setInterval(() => peers.forEach(peer => peer.ping()), 30 * SECOND),
    setInterval(() => closeSignedOut(peers, app), MINUTE),
    setInterval(checkForChanges, 2 * SECOND),
  ]
  for (const timer of timers) timer.unref()
  return () => {
    stopListening()
    for (const timer of timers) clearInterval(timer)
  }
}
