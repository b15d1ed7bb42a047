import { PROTOCOL_ERROR } from './limits'
import { PROBE, PROBE_ANSWER, UPGRADE } from './packets'
import { flush, receive, releasePoll, type Candidate, type Frames, type Session } from './session'

export const mayUpgrade = ({ frames, candidate, isOver }: Session) => !frames && !candidate && !isOver

/** Lets a websocket take over from polling: it is probed, the waiting poll ends, and the client says when to change. */
export function beginUpgrade(session: Session, frames: Frames, until: number) {
  const candidate: Candidate = { frames, isProbed: false, until }
  session.candidate = candidate
  return {
    receive(text: string) {
      if (session.frames === frames) receive(session, text)
      else if (session.candidate === candidate) advance(session, candidate, text)
    },
    /** Whether the session has lost its websocket; one that was only a candidate leaves it polling. */
    closed(): boolean {
      if (session.candidate !== candidate) return session.frames === frames
      session.candidate = null
      flush(session)
      return false
    },
  }
}

function advance(session: Session, candidate: Candidate, text: string) {
  if (text === PROBE) {
    candidate.isProbed = true
    candidate.frames.send(PROBE_ANSWER)
    releasePoll(session)
  } else if (text === UPGRADE && candidate.isProbed) {
    session.candidate = null
    releasePoll(session)
    session.frames = candidate.frames
    flush(session)
  } else {
    session.candidate = null
    candidate.frames.close(PROTOCOL_ERROR)
    flush(session)
  }
}
