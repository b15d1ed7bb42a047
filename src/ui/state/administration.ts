import { computed, signal } from '@preact/signals-core'
import type { Invite, NewInvite } from '../../shared/api/invite'
import type { UserChange, UserSummary } from '../../shared/api/user'
import { inviteStatus, type InviteStatus } from '../../shared/invite-status'
import type { InvitesApi } from '../api/invites'
import type { UsersApi } from '../api/users'

/** A list that is fetched as a whole; null = not here yet. */
function createLoaded<T>(load: () => Promise<T[]>) {
  const all = signal<readonly T[] | null>(null)
  const error = signal<unknown>(null)
  return {
    all,
    error,
    async load() {
      error.value = null
      try {
        all.value = await load()
      } catch (failure) {
        error.value = failure
        all.value = null
      }
    },
    change: (edit: (items: readonly T[]) => readonly T[]) => (all.value = edit(all.value ?? [])),
  }
}

/** Accounts, as admins manage them. */
export function createUserList(api: UsersApi) {
  const { change, ...list } = createLoaded<UserSummary>(api.list)
  return {
    ...list,
    async changeRole(username: string, to: UserChange) {
      const changed = await api.change(username, to)
      change(users => users.map(user => (user.id === changed.id ? changed : user)))
    },
    async remove(username: string) {
      await api.remove(username)
      change(users => users.filter(user => user.username !== username))
    },
  }
}

export const inviteFilters = ['all', 'accepted', 'pending', 'expired'] as const
export type InviteFilter = (typeof inviteFilters)[number]

/** Invitations of all states, newest first. */
export function createInviteList(api: InvitesApi, now: () => number = Date.now) {
  const { change, ...list } = createLoaded<Invite>(api.list)
  const filter = signal<InviteFilter>('all')
  const status = (invite: Invite): InviteStatus => inviteStatus(invite, now())
  return {
    ...list,
    filter,
    status,
    shown: computed(
      () => list.all.value?.filter(invite => filter.value === 'all' || status(invite) === filter.value) ?? null,
    ),
    link: api.link,
    async create(invite: NewInvite) {
      const created = await api.create(invite)
      change(invites => [created, ...invites])
      return created
    },
    async remove(id: string) {
      await api.remove(id)
      change(invites => invites.filter(invite => invite.id !== id))
    },
  }
}
