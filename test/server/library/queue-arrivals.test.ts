import { expect, test } from 'bun:test'
import { createTasks } from '../../../src/server/tasks'
import { arrive } from '../../../src/server/library/queue'
import { MAX_QUEUED } from '../../../src/shared/api/queue'
import type { PreferencesEdit } from '../../../src/shared/api/settings'
import {
  basic,
  goodPassword,
  refusal,
  startClock,
  startTestApp,
  temporaryFolder,
  withPasswords,
} from '../../support/app'
import { rss, type ItemSpec } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { DAY, HOUR, refresh } from '../../support/refreshing'

/** A podcast whose feed grows by the hour, and people who want its new episodes in their queues. */
async function startGrowing({ folder = temporaryFolder(), extra = '', path = '/feed.xml' } = {}) {
  const host = startFeedHost()
  const clock = startClock()
  const start = () => startTestApp({ env: withPasswords, now: clock, folder })
  let app = await start()
  app.prefill(0)
  const items: ItemSpec[] = []
  const offer = () => host.feed(path, rss({ items, extra }))

  function publish(title: string, more: ItemSpec = {}) {
    const enclosure = `https://cdn.example/${title}.mp3`
    items.unshift({ title, guid: title, enclosure, date: new Date(clock()).toUTCString(), ...more })
    clock.advance(HOUR)
    offer()
  }
  for (let part = 3; part > 0; part--)
    publish(`Old ${part}`, { date: new Date(clock() - part * 9 * DAY).toUTCString() })
  await app.signUp('alice')
  await app.signUp('bob', 'user', true)
  const as = (name: string) => app.withHeader(basic(name, name === 'root' ? 'Sup3rSecret' : goodPassword))
  const podcast = await as('root').podcasts.add(offer())

  return {
    host,
    clock,
    podcast,
    items,
    offer,
    publish,
    as,
    app: () => app,
    refresh: () => refresh(app, podcast.id),
    wants: (name: string, edit: PreferencesEdit) => as(name).podcasts.editPreferences(podcast.id, edit),
    /** The titles in a queue; those that came by themselves with a star. */
    async queueOf(name: string) {
      const { items: queued } = await as(name).queue.find()
      return queued.map(({ podcastEpisode, automatic }) => podcastEpisode.name + (automatic ? '*' : ''))
    },
    async idOf(title: string) {
      const { data } = await as('bob').podcasts.episodes(podcast.id, { limit: 200 }, null)
      return data.find(({ podcastEpisode }) => podcastEpisode.name === title)!.podcastEpisode
    },
    async restart() {
      await app[Symbol.asyncDispose]()
      app = await start()
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host[Symbol.dispose]()
    },
  }
}
type Growing = Awaited<ReturnType<typeof startGrowing>>

/** The second thread stores what the feed brings, and the process is killed before anybody queues it. */
async function storeAndDie(here: Growing) {
  const { context } = here.app()
  const podcastId = context.store.podcasts.allIds()[0]!
  const body = new Uint8Array(await (await fetch(here.podcast.rssfeed)).arrayBuffer())
  const tasks = createTasks(() => context.store)
  const request = {
    body,
    contentType: '',
    contentEncoding: '',
    address: here.podcast.rssfeed,
    maxBytes: 1e6,
    podcastId,
  }
  const read = await tasks.digestFeed(request, 1)
  if (!read.ok) throw new Error(read.reason)
  const validators = { etag: null, lastModified: null, digest: null }
  await tasks.applyDigests({ podcastId, digestIds: [read.summary.digestId], validators, now: here.clock() }, 2)
  await here.restart()
}

test('new episodes enter the queues of those who want that, at its end or its front, and no other’s', async () => {
  await using here = await startGrowing()
  await here.wants('alice', { queueNew: 'end' })
  await here.wants('bob', { queueNew: 'front' })
  for (const name of ['alice', 'bob', 'root'])
    await here.as(name).queue.add({ episode: (await here.idOf('Old 1')).id, at: 'last' })

  here.publish('New 1')
  here.publish('New 2')
  await here.refresh()

  expect(await here.queueOf('alice')).toEqual(['Old 1', 'New 1*', 'New 2*'])
  expect(await here.queueOf('bob')).toEqual(['New 2*', 'New 1*', 'Old 1'])
  expect(await here.queueOf('root')).toEqual(['Old 1'])
  const told = here
    .app()
    .events.filter(event => event.type === 'queueChanged')
    .slice(-2)
  expect(new Set(told.map(({ userId }) => here.app().context.store.users.find(userId)!.username))).toEqual(
    new Set(['alice', 'bob']),
  )
})

test('a podcast that is added, or whose past is listed at last, floods no queue', async () => {
  await using here = await startGrowing()
  await here.wants('alice', { queueNew: 'end', queueMost: 100 })
  here.clock.advance(300 * DAY)
  here.publish('First')
  await here.refresh()
  for (let part = 60; part > 0; part--)
    here.items.push({
      title: `Past ${part}`,
      guid: `past ${part}`,
      date: new Date(here.clock() - part * 30 * DAY).toUTCString(),
    })
  here.publish('New')
  await here.refresh()
  expect(await here.queueOf('alice')).toEqual(['First*', 'New*'])
})

test('no more of a podcast wait than its listener wants: the oldest that came by themselves make room', async () => {
  await using here = await startGrowing()
  await here.wants('alice', { queueNew: 'end', queueMost: 2 })
  for (const title of ['New 1', 'New 2', 'New 3']) {
    here.publish(title)
    await here.refresh()
  }
  expect(await here.queueOf('alice')).toEqual(['New 2*', 'New 3*'])

  // By hand from now on: it stays, and takes one of the places.
  await here.as('alice').queue.add({ episode: (await here.idOf('New 2')).id, at: 'last' })
  for (const title of ['New 4', 'New 5']) {
    here.publish(title)
    await here.refresh()
  }
  expect(await here.queueOf('alice')).toEqual(['New 2', 'New 5*'])

  // Many at once: the newest of them.
  for (const title of ['New 6', 'New 7', 'New 8']) here.publish(title)
  await here.refresh()
  expect(await here.queueOf('alice')).toEqual(['New 2', 'New 8*'])
})

test('what somebody has begun stays, and takes no place', async () => {
  await using here = await startGrowing()
  await here.wants('alice', { queueNew: 'end', queueMost: 1 })
  here.publish('New 1')
  await here.refresh()
  const { episode_id } = await here.idOf('New 1')
  await here.as('alice').playback.save({ podcastEpisodeId: episode_id, time: 1 })
  here.publish('New 2')
  await here.refresh()
  expect(await here.queueOf('alice')).toEqual(['New 1*', 'New 2*'])

  // Something else plays by now.
  await here.as('alice').playback.save({ podcastEpisodeId: (await here.idOf('Old 1')).episode_id, time: 1 })
  here.publish('New 3')
  await here.refresh()
  expect(await here.queueOf('alice')).toEqual(['New 1*', 'New 3*'])
})

test('what somebody took out of the queue does not come back', async () => {
  await using here = await startGrowing()
  await here.wants('alice', { queueNew: 'end' })
  here.publish('New 1')
  await here.refresh()
  const { items } = await here.as('alice').queue.find()
  await here.as('alice').queue.remove(items[0]!.id)
  here.items[0]!.notes = 'Edited'
  here.publish('New 2')
  await here.refresh()
  expect(await here.queueOf('alice')).toEqual(['New 2*'])
})

test('explicit episodes come to those who agreed to see them', async () => {
  await using here = await startGrowing()
  for (const name of ['alice', 'bob']) await here.wants(name, { queueNew: 'end' })
  here.publish('Clean')
  here.publish('Explicit', { extra: '<itunes:explicit>true</itunes:explicit>' })
  await here.refresh()
  expect(await here.queueOf('bob')).toEqual(['Clean*', 'Explicit*'])
  // The queue hides explicit episodes: this one is not even there.
  const { users, queue } = here.app().context.store
  expect(queue.idsOf(users.findByName('alice')!.id)).toHaveLength(1)
})

test('episodes that a killed process stored are queued after its next start, once', async () => {
  await using here = await startGrowing()
  await here.wants('alice', { queueNew: 'end' })
  here.publish('New 1')
  here.publish('New 2')
  await storeAndDie(here)
  expect(await here.queueOf('alice')).toEqual([])
  here.app().context.queueArrivals.queueDue()
  expect(await here.queueOf('alice')).toEqual(['New 1*', 'New 2*'])

  const { items } = await here.as('alice').queue.find()
  await here.as('alice').queue.remove(items[0]!.id)
  await here.restart()
  here.app().context.queueArrivals.queueDue()
  await here.refresh()
  expect(await here.queueOf('alice')).toEqual(['New 2*'])
})

test('whoever no longer wants it, or has played the episode meanwhile, does not get it after a kill', async () => {
  await using here = await startGrowing()
  for (const name of ['alice', 'bob']) await here.wants(name, { queueNew: 'end' })
  here.publish('New')
  await storeAndDie(here)
  await here.wants('alice', { queueNew: null })
  await here.as('bob').playback.save({ podcastEpisodeId: (await here.idOf('New')).episode_id, time: 9, finished: true })
  here.app().context.queueArrivals.queueDue()
  await here.wants('alice', { queueNew: 'end' })
  here.app().context.queueArrivals.queueDue()
  expect([await here.queueOf('alice'), await here.queueOf('bob')]).toEqual([[], []])
})

test('parts of a serial come to the front in their order, behind those that came before', async () => {
  await using here = await startGrowing({ extra: '<itunes:type>serial</itunes:type>' })
  await here.wants('alice', { queueNew: 'front', queueMost: 5 })
  await here.as('alice').queue.add({ episode: (await here.idOf('Old 1')).id, at: 'last' })
  here.publish('Part 1')
  here.publish('Part 2')
  await here.refresh()
  here.publish('Part 3')
  await here.refresh()
  expect(await here.queueOf('alice')).toEqual(['Part 1*', 'Part 2*', 'Part 3*', 'Old 1'])
})

test('where new episodes go is one of two places, and how many wait a number from 1 to 100', async () => {
  await using here = await startGrowing()
  for (const edit of [{ queueMost: 0 }, { queueMost: 101 }, { queueNew: 'middle' as 'end' }])
    expect(await refusal(here.wants('alice', edit))).toMatchObject({ status: 422 })
  expect(await here.wants('alice', { queueNew: 'front', queueMost: 100 })).toMatchObject({ queueMost: 100 })
  expect(await here.as('bob').podcasts.preferences(here.podcast.id)).toMatchObject({ queueNew: null, queueMost: 3 })
})

test('what is deleted leaves nothing on its way into a queue', async () => {
  await using here = await startGrowing()
  for (const name of ['alice', 'bob']) await here.wants(name, { queueNew: 'end' })
  here.publish('New')
  await storeAndDie(here)
  const { store } = here.app().context
  await here.as('root').users.remove('alice')
  expect(store.queueArrivals.listDue()).toHaveLength(1)
  await here.as('root').podcasts.remove(here.podcast.id, true)
  expect(store.queueArrivals.isDue()).toBe(false)
})

test('a full queue loses nothing to what comes by itself', () => {
  const entry = (id: number, more = {}) => ({
    episode_id: id,
    podcast_id: 1,
    published_at: id,
    automatic: 0,
    begun: 0,
    ...more,
  })
  const arrival = (id: number, more = {}) =>
    ({
      user_id: 1,
      episode_id: id,
      podcast_id: 2,
      published_at: id,
      queue_new: 'front',
      queue_most: 9,
      serial: 0,
      ...more,
    }) as const
  const full = Array.from({ length: MAX_QUEUED }, (_, id) => entry(id))
  expect(arrive(full, [arrival(5000)])).toEqual({ ids: full.map(one => one.episode_id), added: [] })
  const almost = full.slice(1)
  expect(arrive(almost, [arrival(5000), arrival(5001)]).added).toEqual([5001])
})
