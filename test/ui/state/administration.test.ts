import { expect, test } from 'bun:test'
import { createMemoryStorage } from '../../support/memory-storage'
import type { Invite, UserSummary } from '../../../src/shared/api/user'
import { createInviteList, createUserList } from '../../../src/ui/state/administration'
import { createLiveDownloads, createNotifications } from '../../../src/ui/state/live-state'

const user = (username: string, role = 'user') => ({ id: username, username, role }) as UserSummary
const done = async () => undefined

test('users are listed, changed and removed as the server has confirmed it', async () => {
  const users = createUserList(
    {
      list: async () => [user('alice', 'admin'), user('bob')],
      change: async (username: string, { role }: { role: string }) => user(username, role),
      remove: done,
    } as never,
    done,
  )
  expect(users.all.value).toBe(null)
  await users.load()
  await users.changeRole('bob', { role: 'uploader' } as never)
  expect(users.all.value?.map(({ role }) => role)).toEqual(['admin', 'uploader'] as never)
  await users.removeSecondFactor('bob')
  expect(users.all.value?.map(({ secondFactor }) => secondFactor)).toEqual([undefined, false] as never)
  await users.remove('alice')
  expect(users.all.value?.map(({ username }) => username)).toEqual(['bob'])
})

test('a change that the server refuses is shown nowhere', async () => {
  const refuse = () => Promise.reject(new Error('not-admin'))
  const users = createUserList({ list: async () => [user('bob')], change: refuse, remove: refuse } as never, refuse)
  await users.load()
  const changes = [users.changeRole('bob', {} as never), users.remove('bob'), users.removeSecondFactor('bob')]
  const attempts = changes.map(work => work.catch(() => 'refused'))
  expect([await Promise.all(attempts), users.all.value]).toEqual([['refused', 'refused', 'refused'], [user('bob')]])
})

test('a list that cannot be had is an error', async () => {
  const users = createUserList({ list: () => Promise.reject(new Error('not-admin')) } as never, done)
  await users.load()
  expect([users.all.value, users.error.value]).toEqual([null, new Error('not-admin')])
})

const invite = (id: string, expiresAt: string, acceptedAt: string | null = null) =>
  ({ id, expiresAt, acceptedAt }) as unknown as Invite

test('invitations are filtered by their state, and a new one stands first', async () => {
  const now = Date.parse('2026-05-01T12:00:00Z')
  const list = [
    invite('pending', '2026-05-02T00:00:00Z'),
    invite('expired', '2026-04-30T00:00:00Z'),
    invite('accepted', '2026-04-30T00:00:00Z', '2026-04-29T00:00:00Z'),
  ]
  const invites = createInviteList(
    {
      list: async () => list,
      create: async () => invite('new', '2026-05-03T00:00:00Z'),
      remove: async () => undefined,
    } as never,
    () => now,
  )
  await invites.load()
  const shown = () => invites.shown.value?.map(({ id }) => id)
  for (const filter of ['pending', 'expired', 'accepted'] as const) {
    invites.filter.value = filter
    expect(shown()).toEqual([filter])
  }
  invites.filter.value = 'all'
  await invites.create({} as never)
  await invites.remove('expired')
  expect(shown()).toEqual(['new', 'pending', 'accepted'])
})

test('notices come first, go once the server has confirmed it, and an event does not double one', async () => {
  const dismissed: string[] = []
  const server = { isDown: false }
  const notifications = createNotifications(
    {
      unread: async () => [{ id: 'b' }, { id: 'a' }],
      dismiss: async (id: string) => {
        if (server.isDown) throw new Error('down')
        dismissed.push(id)
      },
    } as never,
    createMemoryStorage(),
  )
  await notifications.load()
  notifications.arrived({ id: 'c' } as never)
  notifications.arrived({ id: 'a' } as never)
  const ids = () => notifications.all.value.map(({ id }) => id).join('')
  expect(ids()).toBe('acb')
  server.isDown = true
  expect([await notifications.dismiss('c').catch(() => 'failed'), ids()]).toEqual(['failed', 'acb'])
  server.isDown = false
  await notifications.dismiss('c')
  expect(ids()).toBe('ab')
  await notifications.clear()
  expect([ids(), dismissed]).toEqual(['', ['c', 'a', 'b']])
})

test('a notice that arrives while all are cleared stays', async () => {
  const confirmed = Promise.withResolvers<void>()
  const notifications = createNotifications(
    {
      unread: async () => [{ id: 'a' }],
      dismiss: () => confirmed.promise,
    } as never,
    createMemoryStorage(),
  )
  await notifications.load()
  const clearing = notifications.clear()
  notifications.arrived({ id: 'late' } as never)
  confirmed.resolve()
  await clearing
  expect(notifications.all.value.map(({ id }) => id)).toEqual(['late'])
})

test('the newest notice that was looked at is remembered, whatever order they came in', async () => {
  const storage = createMemoryStorage()
  const unread = [{ id: 'a', createdAt: '2026-11-01T10:00:00.000Z' }]
  const load = async () => {
    const notifications = createNotifications({ unread: async () => unread } as never, storage)
    await notifications.load()
    return notifications
  }
  const first = await load()
  expect(first.seenUntil()).toBe('')
  first.arrived({ id: 'old', createdAt: '2026-10-01T10:00:00.000Z' } as never)
  first.markSeen()

  expect((await load()).seenUntil()).toBe('2026-11-01T10:00:00.000Z')
})

test('downloads are counted while they run or wait, and those that have ended are gone', async () => {
  const downloads = createLiveDownloads({
    page: async () => ({
      data: {
        items: [
          { episode_id: 'a', state: 'running', bytesPerSecond: null },
          { episode_id: 'b', state: 'failed' },
        ],
        counts: { failed: 1 },
      },
    }),
  } as never)
  await downloads.load()
  expect([downloads.activeCount.value, downloads.byEpisode.value.get('a')?.bytesPerSecond]).toEqual([1, 0])
  const progress = (episode_id: string, state: string) => downloads.progressed({ episode_id, state } as never)
  progress('c', 'queued')
  progress('d', 'waiting')
  expect(downloads.activeCount.value).toBe(3)
  progress('a', 'done')
  progress('c', 'cancelled')
  expect([...downloads.byEpisode.value.keys(), downloads.activeCount.value]).toEqual(['b', 'd', 1])
})
