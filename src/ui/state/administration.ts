import { computed, signal } from '@preact/signals-core'
import type { AuditEntry } from '../../shared/api/audit'
import type { Invite, NewInvite, UserChange, UserSummary } from '../../shared/api/user'
import type { Api } from '../api'
import type { AdministrationApi, AuditFilter } from '../api/administration'
import { createResource } from '../resource'

/** The accounts, as admins manage them. */
export function createUserList(api: Api['users'], removeSecondFactor: (id: string) => Promise<void>) {
  const { data: all, error, load, change } = createResource<readonly UserSummary[]>(api.list)
  const put = (changed: UserSummary) => change(users => users.map(user => (user.id === changed.id ? changed : user)))
  return {
    all,
    error,
    load,
    async changeRole(id: string, to: UserChange) {
      put(await api.change(id, to))
    },
    async rename(id: string, username: string) {
      put(await api.rename(id, username))
    },
    async removeSecondFactor(id: string) {
      await removeSecondFactor(id)
      change(users => users.map(user => (user.id === id ? { ...user, secondFactor: false } : user)))
    },
    async remove(id: string) {
      await api.remove(id)
      change(users => users.filter(user => user.id !== id))
    },
  }
}

export const inviteFilters = ['all', 'accepted', 'pending', 'expired'] as const
export type InviteFilter = (typeof inviteFilters)[number]

/** The invitations, newest first, and those that match the filter. */
export function createInviteList(api: Api['invites'], now: () => number = Date.now) {
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

const everything: AuditFilter = { person: '', topic: '', day: '' }

type Shown = { items: readonly AuditEntry[]; next: string | null }

/** The fetched part of the activity, latest first. */
export function createActivity(api: AdministrationApi['audit']) {
  const filter = signal(everything)
  const { data, error, isLoading, load, retry, set, cancel } = createResource(
    async (signal, isMore: boolean): Promise<Shown> => {
      const before: Shown | null = isMore ? data.peek() : null
      const { data: found, nextCursor } = await api.page(filter.peek(), before?.next ?? null, signal)
      const ids = new Set(found.map(({ id }) => id))
      // An act that was repeated in the meantime has moved up.
      const kept = before?.items.filter(({ id }) => !ids.has(id)) ?? []
      return { items: [...kept, ...found], next: nextCursor }
    },
  )
  return {
    filter,
    isFiltered: computed(() => Object.values(filter.value).some(value => value !== '')),
    items: computed(() => data.value?.items ?? null),
    hasMore: computed(() => (data.value?.next ?? null) !== null),
    error,
    isLoading,
    setFilter(change: Partial<AuditFilter>) {
      filter.value = { ...filter.value, ...change }
      set(null)
      return load(false)
    },
    load: () => load(false),
    loadMore: () => load(true),
    retry,
    cancel,
  }
}
export type Activity = ReturnType<typeof createActivity>

export type InviteStatus = 'pending' | 'accepted' | 'expired'

/** The status of an invitation at `now` (milliseconds). An accepted one never expires. */
function inviteStatus(invite: { expiresAt: string; acceptedAt: string | null }, now: number): InviteStatus {
  if (invite.acceptedAt !== null) return 'accepted'
  return Date.parse(invite.expiresAt) > now ? 'pending' : 'expired'
}
