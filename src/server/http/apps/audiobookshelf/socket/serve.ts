import type { Context } from '../../../../context'
import { inTime, readText } from '../../../core/body'
import { addressOf, type IncomingRequest, peerOf } from '../../../core/links'
import { MAX_POST_BYTES, NORMAL, PROTOCOL_ERROR, TRY_AGAIN_LATER } from './wire'
import {
  type Candidate,
  end,
  flush,
  type Frames,
  NOOP,
  PROBE,
  PROBE_ANSWER,
  receive,
  releasePoll,
  type Session,
  splitPackets,
  UPGRADE,
} from './session'
import type { Sessions } from './sessions'
import type { ServerWebSocket } from 'bun'

// Why: docs/internals/decisions/0044

/** Refusals of Engine.IO by their code. */
const refusals = {
  transport: [400, { code: 0, message: 'Transport unknown' }],
  session: [400, { code: 1, message: 'Session ID unknown' }],
  method: [400, { code: 2, message: 'Bad handshake method' }],
  request: [400, { code: 3, message: 'Bad request' }],
  large: [413, { code: 3, message: 'Bad request' }],
  full: [429, { code: 4, message: 'Too many connections' }],
  version: [400, { code: 5, message: 'Unsupported protocol version' }],
} as const

/** Answers requests of Engine.IO 4: handshakes, polls, packets and websockets. */
export function createServeSocket(app: Context, sessions: Sessions) {
  function openSession(incoming: IncomingRequest, isWebSocket: boolean, protocol: string | null) {
    const { request, server } = incoming
    if (protocol !== '4') return refuse('version')
    if (request.method !== 'GET') return refuse('method')
    const address = addressOf(request, peerOf(request, server), app.config)
    if (isWebSocket) return openWebSocket(incoming, sessions, address) ?? refuse('request')
    const session = sessions.open(address, null)
    return session ? pollNow(session, request) : refuse('full')
  }

  async function post(session: Session, incoming: IncomingRequest): Promise<Response> {
    const { request } = incoming
    const length = Number(request.headers.get('content-length') ?? 0)
    const body =
      length > MAX_POST_BYTES
        ? null
        : await inTime(incoming, app.bodySeconds, () => readText(request, MAX_POST_BYTES)).catch(() => null)
    if (body === null) {
      end(session, PROTOCOL_ERROR)
      return refuse('large')
    }
    receiveBody(session, body)
    return text('ok')
  }

  return async (incoming: IncomingRequest): Promise<Response> => {
    const { request } = incoming
    const { searchParams } = new URL(request.url)
    const transport = searchParams.get('transport')
    if (transport !== 'polling' && transport !== 'websocket') return refuse('transport')
    const isWebSocket = request.headers.get('upgrade')?.toLowerCase() === 'websocket'
    if (isWebSocket !== (transport === 'websocket')) return refuse('request')
    const id = searchParams.get('sid')
    if (id === null) return openSession(incoming, isWebSocket, searchParams.get('EIO'))
    const session = sessions.find(id)
    if (!session) return refuse('session')
    if (isWebSocket)
      return (mayUpgrade(session) && upgradeToWebSocket(incoming, sessions, session)) || refuse('request')
    if (session.frames) return refuse('request')
    if (request.method === 'POST') return post(session, incoming)
    return request.method === 'GET' ? (pollNow(session, request) ?? refuse('request')) : refuse('request')
  }
}

function pollNow(session: Session, { signal }: Request): Response | Promise<Response> {
  const body = poll(session, signal)
  return body === null ? refuse('request') : body.then(text)
}

const common = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }
const text = (body: string) =>
  new Response(body, { headers: { ...common, 'Content-Type': 'text/plain;charset=UTF-8' } })

function refuse(reason: keyof typeof refusals): Response {
  const [status, body] = refusals[reason]
  return Response.json(body, { status, headers: common })
}

/** Waits for news for a poll; null if another poll waits already, which ends both. */
function poll(session: Session, signal: AbortSignal): Promise<string> | null {
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
const receiveBody = (session: Session, body: string) => splitPackets(body).forEach(packet => receive(session, packet))

type Line = { receive: (text: string) => void; closed: () => void }

/** Opens a session over a websocket; null if the request cannot become one. */
const openWebSocket = (incoming: IncomingRequest, sessions: Sessions, address: string): Response | null =>
  accept(incoming, frames => {
    const session = sessions.open(address, frames)
    return session && { receive: text => receive(session, text), closed: () => end(session, NORMAL) }
  })

/** Opens a websocket for a session that polls; null if the request cannot become one. */
const upgradeToWebSocket = (incoming: IncomingRequest, sessions: Sessions, session: Session): Response | null =>
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

const mayUpgrade = ({ frames, candidate, isOver }: Session) => !frames && !candidate && !isOver

/** Lets a websocket take over from polling: it is probed, the waiting poll ends, and the client says when to change. */
function beginUpgrade(session: Session, frames: Frames, until: number) {
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
