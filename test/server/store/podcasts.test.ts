import { expect, test } from 'bun:test'
import { plantStore } from './plant'

const check = {
  checkedAt: 10,
  nextCheckAt: 20,
  intervalMs: null,
  failures: 0,
  error: null,
  warnings: false,
  gone: false,
}
const error = { code: 'feed-unreachable', message: 'No answer' } as const

test('a podcast is found by the address of its feed, and by those that it had before', () => {
  using here = plantStore()
  const { store, podcast, user } = here
  const { id, feed_url } = podcast('Fog', user('alice').id)
  store.podcasts.announceMove(id, 'https://feeds.example/new.xml')
  store.podcasts.move(id, feed_url, 'https://feeds.example/new.xml', { privacy: 1, keepsCredential: true })
  for (const url of ['https://feeds.example/new.xml', feed_url])
    expect(store.podcasts.findByFeed(url)).toMatchObject({ id, private: 1, announced_feed_url: null })
  // It moves back: the address is no longer an alias.
  store.podcasts.move(id, 'https://feeds.example/new.xml', feed_url, { privacy: 0, keepsCredential: true })
  expect(store.sync.feedsOf(id)).toEqual([feed_url, 'https://feeds.example/new.xml'])
  expect(store.podcasts.findByFeed('https://feeds.example/other.xml')).toBeNull()
})

test('a password stays with its podcast only where the move says so', () => {
  using here = plantStore()
  const { store, podcast, user } = here
  const { id } = podcast('Fog', user('alice').id)
  store.podcasts.setCredential(id, new Uint8Array([1]))
  store.podcasts.move(id, 'a', 'b', { privacy: 0, keepsCredential: true })
  expect(store.podcasts.find(id)!.has_credentials).toBe(1)
  store.podcasts.move(id, 'b', 'c', { privacy: 0, keepsCredential: false })
  expect(store.podcasts.findCredential(id)).toBeNull()
})

test('an error remembers since when, until a check succeeds', () => {
  using here = plantStore()
  const { store, podcast, user } = here
  const { id } = podcast('Fog', user('alice').id)
  store.podcasts.recordCheck(id, { ...check, error, failures: 1 })
  store.podcasts.recordCheck(id, { ...check, error, failures: 2, checkedAt: 11 })
  expect(store.podcasts.find(id)).toMatchObject({ error_since: 10, error_code: error.code, failures: 2 })
  store.podcasts.recordCheck(id, check)
  expect(store.podcasts.find(id)).toMatchObject({ error_since: null, error_code: null, error_message: null })
})

test('feeds are due in the order of their time, but for those that are stopped, gone or not to be updated', () => {
  using here = plantStore()
  const { store, podcast, user } = here
  const alice = user('alice')
  const [late, early, stopped, gone, manual, later] = ['A', 'B', 'C', 'D', 'E', 'F'].map(
    title => podcast(title, alice.id).id,
  ) as [number, number, number, number, number, number]
  for (const [id, nextCheckAt] of [
    [late, 9],
    [early, 8],
    [stopped, 1],
    [gone, 1],
    [manual, 1],
    [later, 11],
  ] as const)
    store.podcasts.recordCheck(id, { ...check, nextCheckAt, failures: 3, gone: id === gone })
  store.podcasts.setActive(stopped, false, 5)
  store.podcastSettings.keep(manual, { ...store.podcastSettings.of(manual), auto_update: 0 })
  expect(store.podcasts.due(10, true, 9)).toEqual([early, late])
  expect(store.podcasts.due(10, false, 9)).toEqual([])
  expect(store.podcasts.allIds()).not.toContain(stopped)
  // Activated, a feed is tried again at once.
  store.podcasts.setActive(gone, true, 5)
  expect(store.podcasts.find(gone)).toMatchObject({ active: 1, gone: 0, failures: 0, next_check_at: 5 })
  store.podcasts.setActive(early, false, 5)
  expect(store.podcasts.find(early)).toMatchObject({ active: 0, failures: 3, next_check_at: 8 })
})

test('podcasts may swap folders, and none differs from another only in case', () => {
  using here = plantStore()
  const { store, podcast, user } = here
  const alice = user('alice')
  const [one, two] = [podcast('One', alice.id), podcast('Two', alice.id)]
  store.podcasts.setFolders([
    { podcastId: one.id, folder: 'Two' },
    { podcastId: two.id, folder: 'One' },
  ])
  expect(store.podcasts.allWithFolders().map(row => row.folder)).toEqual(['Two', 'One'])
  expect([store.podcasts.isFolderTaken('oNE'), store.podcasts.isFolderTaken('Three')]).toEqual([true, false])
})

test('a name that somebody gave outlives what the feed says', () => {
  using here = plantStore()
  const { store, podcast, user } = here
  const { id, extras } = podcast('Fog', user('alice').id)
  const facts = { author: 'Mara', summary: null, language: null, keywords: null, link: null, guid: null, medium: null }
  const more = {
    explicit: 0,
    serial: 0,
    image_url: null,
    extras,
    built_at: null,
    feed_items: 0,
    feed_unplayable: 0,
    guid_evidence: null,
  }
  store.podcasts.rename(id, 'Mist')
  store.podcasts.describe(id, 'Fog', { ...facts, ...more })
  expect(store.podcasts.find(id)).toMatchObject({ title: 'Mist', author: 'Mara' })
})

test('podcasts are listed by title or by their latest episode, in either direction', () => {
  using here = plantStore()
  const { store, podcast, user, episode } = here
  const alice = user('alice')
  const [ten, two, Zed] = ['Show 10', 'Show 2', 'álamo'].map(title => podcast(title, alice.id))
  for (const show of [two!, Zed!, ten!]) episode(show.id, `Of ${show.title}`)
  store.podcasts.favour(alice.id, two!.id, true, 1)
  const titles = (search: Parameters<typeof store.podcasts.orderFor>[1]) =>
    store.podcasts.listed(alice, store.podcasts.orderFor(alice, search)).map(row => row.title)
  expect(titles({})).toEqual(['álamo', 'Show 2', 'Show 10'])
  expect(titles({ order: 'DESC' })).toEqual(['Show 10', 'Show 2', 'álamo'])
  expect(titles({ by: 'PUBLISHEDDATE' })).toEqual(['Show 2', 'álamo', 'Show 10'])
  expect(titles({ title: 'ALA' })).toEqual(['álamo'])
  expect(titles({ favouritesOnly: true })).toEqual(['Show 2'])
  const tag = store.tags.add(alice.id, { name: 'Sea', color: 'Red' }, 1)
  store.tags.assign(tag.id, ten!.id)
  expect(titles({ tagId: tag.id })).toEqual(['Show 10'])
  expect(store.podcasts.findByTitle(alice, ['how', '2'], 9).map(row => row.title)).toEqual(['Show 2'])
})

test('a podcast without settings of its own leaves no row', () => {
  using here = plantStore()
  const { store, podcast, user } = here
  const { id } = podcast('Fog', user('alice').id)
  const inherited = store.podcastSettings.of(id)
  store.podcastSettings.keep(id, { ...inherited, keep_last: 3 })
  expect(store.podcastSettings.of(id).keep_last).toBe(3)
  store.podcastSettings.keep(id, inherited)
  // The shared object comes back where there is no row.
  expect(store.podcastSettings.of(id)).toBe(inherited)
})

test('a feed that moves at each check keeps a hundred of its addresses', () => {
  using planted = plantStore()
  const { store, user, podcast } = planted
  const { id, feed_url } = podcast('Nomad', user('alice').id)
  let from = feed_url
  for (let number = 0; number < 130; number++) {
    const to = `https://feeds.example/${number}.xml`
    store.podcasts.move(id, from, to, { privacy: 0, keepsCredential: true })
    store.podcasts.addAlias(id, `${to}?again`)
    from = to
  }
  expect(store.podcasts.findByFeed(feed_url)?.id).toBe(id)
  expect(store.podcasts.findByFeed(from)?.id).toBe(id)
  expect(store.sync.feedsOf(id)).toHaveLength(101)
})
