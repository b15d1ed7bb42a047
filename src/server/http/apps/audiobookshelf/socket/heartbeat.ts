import { TRY_AGAIN_LATER, type SocketLimits } from './limits'
import { PING } from './packets'
import { end, sendPacket, type Session } from './session'

/** Pings a session when it is time, and ends one that does not answer, does not sign in or does not upgrade. */
export function beat(session: Session, now: number, limits: SocketLimits) {
  session.received = 0
  const { pongBy, signInBy, candidate } = session
  if (candidate && now >= candidate.until) {
    session.candidate = null
    candidate.frames.close(TRY_AGAIN_LATER)
  }
  if ((pongBy !== null && now >= pongBy) || (signInBy !== null && now >= signInBy)) end(session, TRY_AGAIN_LATER)
  else if (pongBy === null && now >= session.pingAt) {
    session.pingAt = now + limits.pingMs
    session.pongBy = now + limits.pongMs
    sendPacket(session, PING)
  }
}
