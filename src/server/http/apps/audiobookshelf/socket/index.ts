import type { AppSessions } from '../../../../accounts/app-sessions'
import type { Context } from '../../../../context'
import { monotonicClock } from '../../../../platform/clock'
import { logFailure } from '../../../../platform/log'
import type { OpenRoutes } from '../../../core/open-routes'
import type { IncomingRequest } from '../../../core/links'
import { meantBy, SOCKET_PATH } from '../protocol'
import {
  FAILED,
  NORMAL,
  PROTOCOL_ERROR,
  socketLimits,
  type SocketLimits,
  TRY_AGAIN_LATER,
  answerMessage,
  connectMessage,
  eventMessage,
  type Message,
  noNamespaceMessage,
  readMessage,
} from './wire'
import { createNews } from './news'
import { endOfApp, endOfUser, endSignedOut, type Peer, type Peers, signedInPeers } from './peers'
import { createServeSocket } from './serve'
import { end, sendMessage } from './session'
import { createSessions } from './sessions'

const CHECK_TICKS = 60

/**
 * Live events for apps, over Socket.IO as they speak it. Events are hints: an app that reconnects fetches again. Returns
 * what lists the users of the connections.
 */
export function liveEvents(routes: OpenRoutes, app: Context, replaced: Partial<SocketLimits>) {
  const peers: Peers = new Map()
  const limits = { ...socketLimits, ...replaced }
  let dataVersion = 0
  let ticks = 0
  const failed = logFailure(app.log, 'Connection of an app failed')

  const sessions = createSessions({
    limits,
    elapsed: monotonicClock,
    onOpen(session) {
      const peer = { session, isConnected: false, access: null, refusals: 0 }
      peers.set(session, peer)
      session.onMessage = text => {
        try {
          converse({ peers, appSessions: app.appSessions, limits }, peer, text)
        } catch (error) {
          failed(error)
          end(session, FAILED)
        }
      }
    },
    onEnd: session => void peers.delete(session),
    onTick() {
      // Another process, such as the command line, may have changed an account.
      try {
        const version = app.store.dataVersion()
        if (version !== dataVersion || ++ticks % CHECK_TICKS === 0) endSignedOut(peers, app)
        dataVersion = version
      } catch (error) {
        failed(error)
      }
    },
  })

  app.events.listen({
    signInChanged: ({ userId }) => endOfUser(peers, userId, app),
    appSessionEnded: ({ appSessionId }) => endOfApp(peers, appSessionId),
  })
  const news = createNews({ app, peers, limits })
  app.events.listen(news.listeners)
  app.stopWith({
    stop() {
      news.stop()
      sessions.close()
    },
  })
  mount(routes, app, createServeSocket(app, sessions))
  return () => signedInPeers(peers).map(({ access }) => access.user)
}

type Serve = (incoming: IncomingRequest) => Promise<Response>

/**
 * Mounts the path below the prefix; at the root as well, where some apps ask for it whatever the prefix is; and behind
 * an address that was pasted.
 */
function mount(routes: OpenRoutes, { config: { prefix } }: Context, serve: Serve) {
  const answer = ({ request, server }: IncomingRequest) => serve({ request, server })
  routes.get(SOCKET_PATH, answer).post(SOCKET_PATH, answer, { parse: 'none' })
  routes.onRequest(({ request, server }) => {
    if (!request.url.includes(SOCKET_PATH)) return
    const { pathname } = new URL(request.url)
    const below = pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : null
    const isElsewhere =
      below === null ? pathname === SOCKET_PATH : below !== SOCKET_PATH && meantBy(below) === SOCKET_PATH
    if (isElsewhere) return serve({ request, server })
  })
}

/** Tokens that an app may try before it is cut off. */
const MAX_REFUSALS = 20

type Needs = { peers: Peers; appSessions: AppSessions; limits: SocketLimits }
type Event = Extract<Message, { kind: 'event' }>

/**
 * Acts on what an app says: it connects to the one namespace, and signs in by its access token, again whenever it has a
 * new one. Nothing else that it says has an effect.
 */
export function converse(needs: Needs, peer: Peer, text: string) {
  const message = readMessage(text)
  if (!message) return end(peer.session, PROTOCOL_ERROR)
  if (message.kind === 'other') return
  if (message.kind === 'connect') return connect(peer, message.namespace)
  if (!peer.isConnected || message.namespace !== '/') return end(peer.session, PROTOCOL_ERROR)
  if (message.kind === 'disconnect') return end(peer.session, NORMAL)
  hear(needs, peer, message)
}

function connect(peer: Peer, namespace: string) {
  const { session } = peer
  if (namespace !== '/') return sendMessage(session, noNamespaceMessage(namespace))
  if (peer.isConnected) return end(session, PROTOCOL_ERROR)
  peer.isConnected = true
  sendMessage(session, connectMessage(crypto.randomUUID()))
}

function hear(needs: Needs, peer: Peer, { id, name, values }: Event) {
  if (id !== '') sendMessage(peer.session, answerMessage(id))
  if (name === 'auth') signIn(needs, peer, values[0])
  else if (name === 'ping') sendMessage(peer.session, eventMessage('pong'))
}

function signIn({ peers, appSessions, limits }: Needs, peer: Peer, token: unknown) {
  const { session } = peer
  const access = typeof token === 'string' ? appSessions.accessOf(token, () => session.address) : null
  if (!access) {
    peer.refusals += 1
    if (peer.refusals > MAX_REFUSALS) return end(session, PROTOCOL_ERROR)
    return sendMessage(session, eventMessage('auth_failed', { message: 'Invalid token' }))
  }
  const others = signedInPeers(peers).filter(other => other !== peer && other.access.user.id === access.user.id)
  if (others.length >= limits.perUser) return end(session, TRY_AGAIN_LATER)
  peer.access = access
  peer.refusals = 0
  session.signInBy = null
  sendMessage(session, eventMessage('init', { userId: access.user.uuid, username: access.user.username }))
}
