import { NORMAL, PROTOCOL_ERROR } from './limits'
import { NOOP, splitPackets } from './packets'
import { end, flush, receive, type Session } from './session'

/** Waits for news for a poll; null if another poll waits already, which ends both. */
export function poll(session: Session, signal: AbortSignal): Promise<string> | null {
  if (session.answerPoll) {
    end(session, PROTOCOL_ERROR)
    return null
  }
  // The packets wait for the websocket, which is about to take over.
  if (session.candidate?.isProbed) return Promise.resolve(NOOP)
  const { promise, resolve } = Promise.withResolvers<string>()
  const abandoned = () => {
    if (session.answerPoll === answer) end(session, NORMAL)
  }
  const answer = (body: string) => {
    signal.removeEventListener('abort', abandoned)
    resolve(body)
  }
  session.answerPoll = answer
  signal.addEventListener('abort', abandoned)
  flush(session)
  return promise
}

/** Acts on the packets of a POST. */
export const receiveBody = (session: Session, body: string) =>
  splitPackets(body).forEach(packet => receive(session, packet))
