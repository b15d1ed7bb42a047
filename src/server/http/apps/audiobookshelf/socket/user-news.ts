import type { DomainEvents } from '../../../../platform/events'
import { logFailure } from '../../../../platform/log'
import { accountOf } from '../account'
import { createDelay } from './delay'
import { eventMessage } from './messages'
import type { NewsNeeds } from './news-needs'
import { signedInPeers } from './peers'
import { isSendable, sendMessage } from './session'
import { progressOf } from './subjects'

/** Episodes of one user that are sent one by one; of more the whole user is sent. */
const MAX_SINGLE = 20

type Cause = { playSession: string; device: string }
/** By user: the episodes whose positions changed, and by what; null = too many to tell one by one. */
type Changes = Map<number, Map<string, Cause> | null>

/** Notifies apps of a user of the position. */
export function createUserNews({ app, peers, limits }: NewsNeeds) {
  let changes: Changes = new Map()

  const delay = createDelay(limits.settleMs, logFailure(app.log, 'Apps were not told'), async () => {
    const settled = changes
    changes = new Map()
    for (const [userId, episodes] of settled) tell(userId, episodes)
  })

  function tell(userId: number, episodes: Map<string, Cause> | null) {
    const own = signedInPeers(peers).filter(peer => peer.access.user.id === userId)
    if (own.length === 0) return
    const { user } = own[0]!.access
    const send = (name: string, value: object) => {
      const text = eventMessage(name, value)
      if (!isSendable(text)) return
      for (const { session } of own) sendMessage(session, text)
    }
    const told = episodes && [...episodes].map(([eid, cause]) => ({ cause, found: progressOf(app, user, eid) }))
    // A position that is gone has no separate event.
    if (!told || told.some(({ found }) => found === 'none')) return send('user_updated', accountOf(app, user))
    for (const { cause, found } of told)
      if (typeof found === 'object')
        send('user_item_progress_updated', {
          id: found.id,
          sessionId: cause.playSession,
          deviceDescription: cause.device,
          data: found,
        })
  }

  return {
    progressed({ userId, eid, device, playSession }: DomainEvents['progress']) {
      const episodes = changes.get(userId)
      if (episodes === undefined) changes.set(userId, new Map([[eid, { playSession, device }]]))
      else if (episodes && episodes.size >= MAX_SINGLE && !episodes.has(eid)) changes.set(userId, null)
      else episodes?.set(eid, { playSession, device })
      delay.ask()
    },
    /** Much of a user changed at once. */
    changed(userId: number) {
      changes.set(userId, null)
      delay.ask()
    },
    stop: delay.stop,
  }
}
