import { type Clock, DAY } from '../platform/clock'
import type { Publish } from '../platform/events'
import { notFound, Problem } from '../platform/problem'
import type { Role } from '../../shared/choices'
import type { Store } from '../store'
import type { InviteRow } from '../store/passkeys'
import type { UserRow } from '../store/users'
import { hashPassword, requireStrong } from './password'
import type { Users } from './users'

const VALID_FOR_MS = 7 * DAY

export type SignUp = { username: string; password: string; inviteId: string }

type Needs = { store: Store; users: Users; publish: Publish; now: Clock }

export function createInvites({ store, users, publish, now }: Needs) {
  /** The invitation, if it may still be used. Throws for one that is unknown, used or expired. */
  function requireUsable(id: string): InviteRow {
    const invite = store.invites.find(id)
    if (!invite) throw notFound('invite')
    if (invite.accepted_at !== null) throw new Problem('invite-accepted', 'The invitation has already been used')
    if (invite.expires_at <= now())
      throw new Problem('invite-expired', 'The invitation has expired', {
        expiresAt: new Date(invite.expires_at).toISOString(),
      })
    return invite
  }

  return {
    requireUsable,

    create(role: Role, explicitConsent: boolean): InviteRow {
      const at = now()
      const invite = store.invites.add({
        id: crypto.randomUUID(),
        role,
        explicit_consent: Number(explicitConsent),
        created_at: at,
        expires_at: at + VALID_FOR_MS,
      })
      publish({ type: 'recorded', kind: 'invite-made', detail: role })
      return invite
    },

    /** Throws `invite-not-found`. */
    remove(id: string) {
      const { role } = store.invites.require(id)
      store.invites.remove(id)
      publish({ type: 'recorded', kind: 'invite-removed', detail: role })
    },

    /** Adds an account with the invitation's role and consent, and uses the invitation up in the same transaction. */
    async accept({ username, password, inviteId }: SignUp): Promise<UserRow> {
      requireUsable(inviteId)
      const name = users.requireName(username)
      requireStrong(password)
      users.requireUnreserved(users.requireFree(name))
      const hash = await hashPassword(password)
      const user = store.inTransaction(() => {
        const { role, explicit_consent } = requireUsable(inviteId)
        const guest = users.add({
          username: users.requireFree(name),
          password_hash: hash,
          role,
          explicit_consent,
        })
        store.invites.accept(inviteId, now(), guest.id)
        return guest
      })
      publish({ type: 'recorded', kind: 'user-added', actor: user, about: user, via: 'invite', detail: user.role })
      return user
    },
  }
}
