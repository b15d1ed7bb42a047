import type { Context } from '../../../../context'
import { inTime, readText } from '../../../core/body'
import type { IncomingRequest } from '../../../core/incoming'
import { addressOf, peerOf } from '../../../core/server-url'
import { MAX_POST_BYTES, PROTOCOL_ERROR } from './limits'
import { poll, receiveBody } from './polling'
import { end, type Session } from './session'
import type { Sessions } from './sessions'
import { mayUpgrade } from './upgrade'
import { openWebSocket, upgradeToWebSocket } from './websocket'

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
