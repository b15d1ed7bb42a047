import type { AppAccess } from '../../../../accounts/app-sessions'
import type { Context } from '../../../../context'
import type { UserRow } from '../../../../store/users'
import { SIGN_IN_ENDED, TRY_AGAIN_LATER, DISCONNECT } from './wire'
import { end, sendMessage, type Session } from './session'

/** A connection of an app. `access`: who signed in over it, as they were then. */
export type Peer = { session: Session; isConnected: boolean; access: AppAccess | null; refusals: number }
export type Peers = Map<Session, Peer>

type SignedIn = Peer & { access: AppAccess }

export const signedInPeers = (peers: Peers): SignedIn[] =>
  [...peers.values()].filter((peer): peer is SignedIn => peer.access !== null)

/** Sends each user who is connected what `write` gives; users who see the same share one text. */
export function sendTo(
  peers: readonly SignedIn[],
  kindOf: (user: UserRow) => string,
  write: (user: UserRow) => string | null,
) {
  const texts = new Map<string, string | null>()
  for (const { session, access } of peers) {
    const kind = kindOf(access.user)
    if (!texts.has(kind)) texts.set(kind, write(access.user))
    const text = texts.get(kind)
    if (text != null) sendMessage(session, text)
  }
}

type Sources = Pick<Context, 'store' | 'appSessions'>

/** Ends connections whose sign-in ran out, or whose account was changed, by the command line too. */
export function endSignedOut(peers: Peers, { store, appSessions }: Sources) {
  const users = new Map<number, UserRow | null>()
  for (const { session, access } of signedInPeers(peers)) {
    const { user, appSessionId } = access
    if (!users.has(user.id)) users.set(user.id, store.users.find(user.id))
    const now = users.get(user.id)
    if (!now || !appSessions.isActive(appSessionId)) endForGood(session)
    else if (!isSame(now, user)) end(session, SIGN_IN_ENDED)
  }
}

const isSame = (now: UserRow, then: UserRow) =>
  now.explicit_consent === then.explicit_consent && now.role === then.role && now.username === then.username

/**
 * Ends the connections of a user whose account changed. Apps whose sign-in lasts come back, and see what they may now.
 */
export function endOfUser(peers: Peers, userId: number, { appSessions }: Sources) {
  for (const { session, access } of signedInPeers(peers)) {
    if (access.user.id !== userId) continue
    if (appSessions.isActive(access.appSessionId)) end(session, TRY_AGAIN_LATER)
    else endForGood(session)
  }
}

export function endOfApp(peers: Peers, appSessionId: number) {
  for (const { session, access } of signedInPeers(peers)) if (access.appSessionId === appSessionId) endForGood(session)
}

/** Informs an app that it is signed out: it does not reconnect. */
function endForGood(session: Session) {
  sendMessage(session, DISCONNECT)
  end(session, SIGN_IN_ENDED)
}
