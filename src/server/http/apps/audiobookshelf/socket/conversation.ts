import type { AppSessions } from '../../../../accounts/app-sessions'
import { NORMAL, PROTOCOL_ERROR, TRY_AGAIN_LATER, type SocketLimits } from './limits'
import { answerMessage, connectMessage, eventMessage, noNamespaceMessage, readMessage, type Message } from './messages'
import { signedInPeers, type Peer, type Peers } from './peers'
import { end, sendMessage } from './session'

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
