import type { Clock } from '../../../../platform/clock'
import { MAX_POST_BYTES, type SocketLimits, TRY_AGAIN_LATER } from './wire'
import { end, type Frames, openPacket, PING, sendPacket, type Session } from './session'

type Needs = {
  limits: SocketLimits
  elapsed: Clock
  /** Called for a new session before it sends or receives anything. */
  onOpen: (session: Session) => void
  onEnd: (session: Session) => void
  /** Called every `tickMs` while there are sessions. */
  onTick: () => void
}

export type Sessions = ReturnType<typeof createSessions>

/** All sessions by their id, and the one timer that looks after them while there are any. */
export function createSessions({ limits, elapsed, onOpen, onEnd, onTick }: Needs) {
  const all = new Map<string, Session>()
  let timer: ReturnType<typeof setInterval> | null = null

  function tick() {
    const now = elapsed()
    for (const session of all.values()) beat(session, now, limits)
    onTick()
  }

  function keepTicking() {
    if (all.size > 0) timer ??= setInterval(tick, limits.tickMs).unref()
    else if (timer) {
      clearInterval(timer)
      timer = null
    }
  }

  return {
    all,
    tick,
    /** Time by which an upgrade that begins now must be complete. */
    upgradeBy: () => elapsed() + limits.upgradeMs,
    find: (id: string) => all.get(id) ?? null,
    /** Opens a session over a websocket, or for polling; null if there are too many. */
    open(address: string, frames: Frames | null): Session | null {
      makeRoom(all, address, limits)
      if (all.size >= limits.connections) return null
      const session = newSession(address, frames, elapsed(), limits)
      session.onEnd = () => {
        all.delete(session.id)
        keepTicking()
        onEnd(session)
      }
      all.set(session.id, session)
      keepTicking()
      onOpen(session)
      const upgrades = frames ? [] : ['websocket']
      const { pingMs: pingInterval, pongMs: pingTimeout } = limits
      sendPacket(
        session,
        openPacket({ sid: session.id, upgrades, pingInterval, pingTimeout, maxPayload: MAX_POST_BYTES }),
      )
      return session
    },
    close() {
      for (const session of all.values()) end(session, TRY_AGAIN_LATER)
    },
  }
}

const newSession = (address: string, frames: Frames | null, now: number, limits: SocketLimits): Session => ({
  id: crypto.randomUUID(),
  address,
  frames,
  candidate: null,
  answerPoll: null,
  outgoing: [],
  outgoingBytes: 0,
  received: 0,
  pingAt: now + limits.pingMs,
  pongBy: null,
  signInBy: now + limits.signInMs,
  isOver: false,
  onMessage: () => {},
  onEnd: () => {},
})

/** Ends the oldest session that is not signed in, of an address with too many, or of all. Apps sign in at once. */
function makeRoom(all: Map<string, Session>, address: string, limits: SocketLimits) {
  const strangers = [...all.values()].filter(session => session.signInBy !== null)
  const near = strangers.filter(session => session.address === address)
  const oldest =
    near.length >= limits.strangersPerAddress ? near[0] : all.size >= limits.connections ? strangers[0] : null
  if (oldest) end(oldest, TRY_AGAIN_LATER)
}

/** Pings a session when it is time, and ends one that does not answer, does not sign in or does not upgrade. */
function beat(session: Session, now: number, limits: SocketLimits) {
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
