import { expect, test } from 'bun:test'
import type { NewAction } from '../../../src/server/store/episode-actions'
import { plantStore } from './plant'

function plant() {
  const planted = plantStore()
  const alice = planted.user('alice')
  const { id, feed_url } = planted.podcast('Fog', alice.id)
  const episode = planted.episode(id, 'One')
  const subscription = {
    user_id: alice.id,
    feed_key: 'key',
    url: 'https://a',
    subscribed: 1,
    device: null,
    changed_at: 1,
  }
  const action = (more: Partial<NewAction>): NewAction => ({
    user_id: alice.id,
    feed_key: feed_url,
    feed_url,
    media_key: 'media',
    media_url: 'media',
    guid: null,
    action: 'play',
    device: 'phone',
    at: 1,
    said_at: null,
    started: 0,
    position: 5,
    total: 60,
    received_at: 1,
    episode_id: null,
    ...more,
  })
  return { ...planted, alice, id, episode, subscription, action }
}

test('a subscription changes only when something is different, and keeps the first spelling of its address', () => {
  using here = plant()
  const { store, alice, subscription } = here
  expect(store.sync.subscribe({ ...subscription, subscribed: 0 })).toBe(false)
  expect(store.sync.subscribe(subscription)).toBe(true)
  expect(store.sync.subscribe({ ...subscription, url: 'https://A/', changed_at: 2 })).toBe(false)
  expect(store.sync.subscriptions(alice.id)).toEqual([subscription])
  expect(store.sync.subscribersOf(['key'])).toEqual([])
  store.sync.claim(alice.id, 'key', 'phone')
  store.sync.claim(alice.id, 'key', 'tablet')
  expect(store.sync.subscribersOf(['key'])).toEqual([alice.id])
  expect(store.sync.subscribe({ ...subscription, subscribed: 0, device: 'tablet', changed_at: 3 })).toBe(true)
  expect(store.sync.subscriptions(alice.id)).toEqual([])
  expect(store.sync.subscriptionsEver(alice.id)).toMatchObject([{ subscribed: 0, url: 'https://a', device: 'tablet' }])
  expect(store.sync.subscriptionsSince(alice.id, 4)).toEqual([])
  expect([store.sync.firstChange(alice.id, 0, 'phone'), store.sync.firstChange(alice.id, 0, 'tablet')]).toEqual([
    3,
    null,
  ])
  store.sync.announce({ ...subscription, url: 'https://other', changed_at: 9 })
  expect(store.sync.subscriptionsSince(alice.id, 9)).toMatchObject([{ url: 'https://other', device: null }])
})

test('the clock of syncing never goes back, and a first sync happens once', () => {
  using here = plant()
  const { store, alice } = here
  expect([store.sync.tick(5), store.sync.tick(3), store.sync.tick(6)]).toEqual([5, 5, 6])
  expect([store.sync.hasBegun(alice.id), store.sync.begin(alice.id)]).toEqual([false, true])
  expect([store.sync.hasBegun(alice.id), store.sync.begin(alice.id)]).toEqual([true, false])
})

test('a device keeps what a later edit leaves out, and remembers when it was told its list', () => {
  using here = plant()
  const { store, alice } = here
  store.sync.saveDevice(alice.id, 'phone', { caption: 'Phone', type: 'mobile' }, 1)
  store.sync.saveDevice(alice.id, 'phone', { caption: 'My phone' }, 2)
  store.sync.noteSync(alice.id, 'phone', 7, true)
  store.sync.noteSync(alice.id, 'phone', 9, false)
  const device = store.sync.requireDevice(alice.id, 'phone')
  expect(device).toMatchObject({ caption: 'My phone', type: 'mobile', created_at: 1, last_sync_at: 9, told_at: 7 })
  store.sync.noteRequest(device.id, 'actions', { since: 1, begun_at: 2, answered_at: 3 })
  expect(store.sync.findLastRequest(device.id, 'actions')).toEqual({ since: 1, begun_at: 2, answered_at: 3 })
  expect(store.sync.findLastRequest(device.id, 'subscriptions')).toBeNull()
  expect(store.sync.removeDevice(alice.id + 1, device.id)).toBe(false)
  expect(store.sync.removeDevice(alice.id, device.id)).toBe(true)
})

test('an action that is sent twice is kept once, and learns its guid from others', () => {
  using here = plant()
  const { store, alice, action } = here
  expect(store.sync.addAction(action({ guid: 'guid' }))).not.toBeNull()
  expect(store.sync.addAction(action({ guid: 'guid' }))).toBeNull()
  store.sync.addAction(action({ device: 'tablet', at: 2 }))
  expect(store.sync.actions(alice.id, { since: 0 })).toMatchObject([{ device: 'tablet', guid: 'guid' }])
})

test('of each episode the last action of a kind is sent, or the last that reports a position', () => {
  using here = plant()
  const { store, alice, id, episode, action } = here
  const first = store.sync.addAction(action({ episode_id: episode.id, position: 5, total: 500 }))!
  const last = store.sync.addAction(
    action({ episode_id: episode.id, at: 2, received_at: 2, position: 9, total: null }),
  )!
  store.sync.addAction(action({ episode_id: episode.id, at: 3, received_at: 3, action: 'delete' }))
  store.sync.addAction(action({ media_key: 'other', at: 4, received_at: 4, action: 'download' }))
  const sent = (more: object) =>
    store.sync.actions(alice.id, { since: 0, ...more }).map(row => [row.action, row.position])
  expect(sent({})).toEqual([
    ['play', 9],
    ['delete', 5],
    ['download', 5],
  ])
  expect(sent({ isAggregated: true })).toEqual([
    ['play', 9],
    ['download', 5],
  ])
  expect(sent({ isOfPlaces: true })).toEqual([['play', 9]])
  expect(sent({ since: 3 })).toHaveLength(2)
  expect(sent({ episodeIds: [episode.id] })).toHaveLength(2)
  expect(sent({ podcast: { feedKey: 'nobody', id } })).toHaveLength(2)
  expect(sent({ podcast: { feedKey: 'nobody', id: null } })).toEqual([])
  expect(store.sync.actions(alice.id, { since: 0 })[0]).toMatchObject({ known_total: 500, eid: episode.eid })
  expect(store.sync.findPlayBefore(last)).toMatchObject({ position: 5 })
  expect(store.sync.findPlayBefore(first)).toBeNull()
  expect([store.sync.firstAction(alice.id, 2, []), store.sync.firstAction(alice.id, 2, ['phone'])]).toEqual([2, null])
  store.sync.resendPositions(alice.id, id, 50)
  expect(store.sync.actions(alice.id, { since: 50 }).map(row => row.id)).toEqual([last])
})

test('actions about an episode are linked to it once it is in the library', () => {
  using here = plant()
  const { store, alice, episode, action } = here
  store.sync.addAction(action({ device: 'plain' }))
  store.sync.addAction(action({ device: 'other guid', media_key: 'media', guid: 'another', at: 2 }))
  store.sync.linkActions(alice.id, { mediaKey: 'media', guid: episode.guid }, episode.id)
  const linked = store.sync.actionsOfFeed(action({}).feed_key).map(row => [row.device, row.episode_id])
  expect(linked).toEqual([
    ['plain', episode.id],
    ['other guid', null],
  ])
  store.sync.replaceActions(alice.id, episode.id, 'plain')
  expect(store.sync.actionsOfFeed(action({}).feed_key)).toHaveLength(1)
})
