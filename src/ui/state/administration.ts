import { computed, signal } from '@preact/signals-core'
import type { Invite, NewInvite } from '../../shared/api/invite'
import type { UserChange, UserSummary } from '../../shared/api/user'
import { inviteStatus, type InviteStatus } from '../../shared/invite-status'
import type { InvitesApi } from '../api/invites'
import type { UsersApi } from '../api/users'
import { createResource } from '../resource'

/** The accounts, as admins manage them. */
export function createUserList(api: UsersApi, removeSecondFactor: (username: string) => Promise<void>) {
  const { data: all, error, load, change } = createResource<readonly UserSummary[]>(api.list)
  return {
    all,
    error,
    load,
    async changeRole(username: string, to: UserChange) {
      const changed = await api.change(username, to)
      change(users => users.map(user => (user.id === changed.id ? changed : user)))
    },
    async removeSecondFactor(username: string) {
      await removeSecondFactor(username)
      change(users => users.map(user => (user.username === username ? { ...user, secondFactor: false } : user)))
    },
    async remove(username: string) {
      await api.remove(username)
      change(users => users.filter(user => user.username !== username))
    },
  }
}

export const inviteFilters = ['all', 'accepted', 'pending', 'expired'] as const
export type InviteFilter = (typeof inviteFilters)[number]

/** The invitations, newest first, and those of them that the filter lets through. */
export function createInviteList(api: InvitesApi, now: () => number = Date.now) {
  const { data: all, error, load, change } = createResource<readonly Invite[]>(api.list)
  const filter = signal<InviteFilter>('all')
  const status = (invite: Invite): InviteStatus => inviteStatus(invite, now())
  return {
    all,
    error,
    load,
    filter,
    setFilter: (chosen: InviteFilter) => (filter.value = chosen),
    status,
    shown: computed(
      () => all.value?.filter(invite => filter.value === 'all' || status(invite) === filter.value) ?? null,
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
