import { expect, test } from 'bun:test'
import { plantStore } from './plant'
import { sessionRow } from '../../support/sessions'

test('a user is found under any spelling of the name', () => {
  using here = plantStore()
  const { store, user } = here
  const { id } = user('Ｍａｒａ')
  expect(store.users.findByName('mara')?.id).toBe(id)
  store.users.rename(id, 'Alice')
  expect([store.users.findByName('ALICE')?.id, store.users.findByName('mara')]).toEqual([id, null])
})

test('a session ends by time, by a new password, role or promotion, and when newer ones are too many', () => {
  using here = plantStore()
  const { store, user } = here
  const { sessions, users } = store
  const alice = user('alice')
  const start = (token: string, kind: 'browser' | 'sync' = 'browser') =>
    sessions.add(users.find(alice.id)!, sessionRow(token, kind, 100), 1)
  const isOpen = (token: string, kind: 'browser' | 'sync' = 'browser') => {
    const owner = sessions.findOwner(token, kind, 50)
    if (owner) expect(sessions.isValid(owner.session_id, 50)).toBe(true)
    return owner !== null
  }
  start('a')
  const { session_id } = sessions.findOwner('a', 'browser', 99)!
  expect([isOpen('a'), isOpen('a', 'sync'), sessions.findOwner('a', 'browser', 100)]).toEqual([true, false, null])
  expect(sessions.isValid(session_id, 100)).toBe(false)
  const ends: (() => void)[] = [
    () => users.setPassword(alice.id, 'hash'),
    () => users.setRole(alice.id, 'user'),
    () => users.promoteByRule(alice.id),
    () => users.endPromotion(alice.id),
  ]
  for (const [index, end] of ends.entries()) {
    start(`b${index}`)
    const { session_id } = sessions.findOwner(`b${index}`, 'browser', 50)!
    end()
    expect([isOpen(`b${index}`), sessions.isValid(session_id, 50)]).toEqual([false, false])
  }
  start('old')
  start('app', 'sync')
  for (let count = 0; count < 50; count++) start(`new${count}`)
  expect([isOpen('old'), isOpen('new0'), isOpen('new49'), isOpen('app', 'sync')]).toEqual([false, true, true, true])
  sessions.removeSync(alice.id)
  expect([isOpen('app', 'sync'), isOpen('new1')]).toEqual([false, true])
  expect([sessions.remove('new1'), sessions.remove('new1')]).toEqual([
    expect.objectContaining({ user_id: alice.id }),
    null,
  ])
  sessions.removeExpired(100)
  expect(isOpen('new0')).toBe(false)
})

test('a promotion gives back the role and the consent from before', () => {
  using here = plantStore()
  const { store, user } = here
  const { id } = user('alice', { explicit_consent: 0 })
  store.users.promoteByRule(id)
  expect(store.users.find(id)).toMatchObject({ role: 'admin', explicit_consent: 1 })
  store.users.endPromotion(id)
  const before = store.users.find(id)!
  expect(before).toMatchObject({ role: 'user', explicit_consent: 0 })
  store.users.endPromotion(id)
  expect(store.users.find(id)).toEqual(before)
})

test('an app password is removed by its user alone', () => {
  using here = plantStore()
  const { store, user } = here
  const [alice, bob] = [user('alice'), user('bob')]
  store.appPasswords.add(alice.id, 'Phone', 'hash', null, 1)
  const { uuid, id } = store.appPasswords.list(alice.id)[0]!
  store.appPasswords.noteUse(id, '192.0.2.1', 5)
  expect(store.appPasswords.findOwner('hash')).toMatchObject({ username: 'alice', last_used_at: 5 })
  expect([store.appPasswords.remove(bob.id, uuid), store.appPasswords.remove(alice.id, uuid)]).toEqual([
    null,
    { name: 'Phone', assistant: null },
  ])
  expect(store.appPasswords.findOwner('hash')).toBeNull()
})

test('an invitation that was used outlives the others', () => {
  using here = plantStore()
  const { store } = here
  for (const id of ['used', 'open'])
    store.invites.add({ id, role: 'user', explicit_consent: 0, created_at: 1, expires_at: 2 })
  store.invites.accept('used', 2, here.user('alice').id)
  store.invites.removePending()
  expect(store.invites.list().map(({ id }) => id)).toEqual(['used'])
})

test('the queue keeps the ids of what stays, and counts its versions', () => {
  using here = plantStore()
  const { store, user, podcast, episode } = here
  const alice = user('alice')
  const { id } = podcast('Fog', alice.id)
  const [one, two] = [episode(id, 'One').id, episode(id, 'Two').id] as [number, number]
  expect(store.queue.find(alice.id).version).toBe(0)
  expect(store.queue.replace(alice.id, [one, two], 1)).toBe(1)
  const uuidOf = (title: string) => store.queue.itemsFor(alice).find(row => row.title === title)?.queue_uuid
  const before = uuidOf('Two')!
  expect(store.queue.replace(alice.id, [two], 2)).toBe(2)
  expect([uuidOf('Two'), uuidOf('One')]).toEqual([before, undefined])
  expect(store.queue.requireItem(alice.id, before)).toEqual({ episode_id: two })
  expect(store.queue.find(alice.id)).toMatchObject({ version: 2, updated_at: 2 })
})

test('a notification grows while it is unread, and only then', () => {
  using here = plantStore()
  const { store, user, podcast, episode } = here
  const alice = user('alice')
  const { id, title } = podcast('Fog', alice.id)
  const one = episode(id, 'One')
  const notice = {
    userId: alice.id,
    type: 'Download' as const,
    podcastId: id,
    podcastTitle: title,
    batch: 1,
    episodeCount: 1,
    episodeId: one.id,
    episodeTitle: one.title,
  }
  const first = store.notifications.add(notice, 1)
  expect(store.notifications.find(first)).toMatchObject({ message: 'One', episode_uuid: one.uuid, episode_count: 1 })
  expect(store.notifications.add({ ...notice, batch: 2 }, 1)).not.toBe(first)
  expect(store.notifications.add(notice, 2)).toBe(first)
  const grown = store.notifications.find(first)!
  expect(grown).toMatchObject({ message: 'Fog', episode_uuid: null, episode_count: 2 })
  expect(store.notifications.dismiss(alice.id + 1, grown.uuid)).toBe(false)
  expect(store.notifications.dismiss(alice.id, grown.uuid)).toBe(true)
  expect(store.notifications.add(notice, 3)).not.toBe(first)
  store.notifications.removeDismissed(1, 9)
  expect(store.notifications.find(first)).not.toBeNull()
  store.notifications.removeDismissed(2, 9)
  expect(store.notifications.find(first)).toBeNull()
})

test('settings change one by one, and the rest stays', () => {
  using here = plantStore()
  const { settings } = here.store
  const before = settings.current()
  expect(settings.edit({ autoCleanup: !before.autoCleanup, keepLast: 3 })).toEqual({
    ...before,
    autoCleanup: !before.autoCleanup,
    keepLast: 3,
  })
  settings.setWasOpen(false)
  settings.pauseDownloads(true)
  expect([settings.downloadsPaused(), settings.wasOpen()]).toEqual([true, false])
  settings.setWasOpen(true)
  expect([settings.downloadsPaused(), settings.wasOpen()]).toEqual([true, true])
  expect(settings.current().keepLast).toBe(3)
})
