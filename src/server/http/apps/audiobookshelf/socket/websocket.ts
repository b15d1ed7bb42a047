import type { ServerWebSocket } from 'bun'
import type { IncomingRequest } from '../../../core/incoming'
import { NORMAL, TRY_AGAIN_LATER } from './limits'
import { end, receive, type Frames, type Session } from './session'
import type { Sessions } from './sessions'
import { beginUpgrade, mayUpgrade } from './upgrade'

type Line = { receive: (text: string) => void; closed: () => void }

/** Opens a session over a websocket; null if the request cannot become one. */
export const openWebSocket = (incoming: IncomingRequest, sessions: Sessions, address: string): Response | null =>
  accept(incoming, frames => {
    const session = sessions.open(address, frames)
    return session && { receive: text => receive(session, text), closed: () => end(session, NORMAL) }
  })

/** Opens a websocket for a session that polls; null if the request cannot become one. */
export const upgradeToWebSocket = (incoming: IncomingRequest, sessions: Sessions, session: Session): Response | null =>
  accept(incoming, frames => {
    // Another one may have come first.
    if (!mayUpgrade(session)) return null
    const upgrade = beginUpgrade(session, frames, sessions.upgradeBy())
    return { receive: upgrade.receive, closed: () => void (upgrade.closed() && end(session, NORMAL)) }
  })

/**
 * Turns a request into a websocket. `attach` is given our end of it, and hears of everything until it is closed; null
 * closes it. The handlers are those that the server calls for each of its websockets.
 */
function accept({ request, server }: IncomingRequest, attach: (frames: Frames) => Line | null): Response | null {
  let line: Line | null = null
  const data = {
    open(ws: ServerWebSocket<unknown>) {
      line = attach(framesOf(ws))
      if (!line) ws.close(TRY_AGAIN_LATER)
    },
    // Binary frames are ignored.
    message(_ws: unknown, message: string | Buffer) {
      if (typeof message === 'string') line?.receive(message)
    },
    close: () => line?.closed(),
  }
  return server?.upgrade(request, { data }) ? new Response(null) : null
}

const framesOf = (ws: ServerWebSocket<unknown>): Frames => ({
  send: text => void ws.sendText(text),
  close: code => ws.close(code),
  bufferedBytes: () => ws.getBufferedAmount(),
})
