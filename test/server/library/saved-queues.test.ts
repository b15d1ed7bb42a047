import { expect, test } from 'bun:test'
import { MAX_QUEUES } from '../../../src/shared/api/queue'
import { refusal, startTestApp, withPasswords, type TestApp } from '../../support/app'
import { rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { connect } from '../../support/socket'

async function plant(app: TestApp, { extra = '', count = 4, hidden = -1 } = {}) {
  using host = startFeedHost()
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  const items = Array.from({ length: count }, (_, index) => ({
    title: `Part ${index}`,
    duration: '60',
    date: new Date(Date.UTC(2026, 0, 1 + index)).toUTCString(),
    ...(index === 2 && { extra: '<itunes:episodeType>trailer</itunes:episodeType>' }),
    ...(index === hidden && { extra: '<itunes:explicit>true</itunes:explicit>' }),
  }))
  const podcast = await root.podcasts.add(host.feed('/feed.xml', rss({ items, extra })))
  const alice = await app.signUp('alice')
  const { data } = await root.podcasts.episodes(podcast.id, { order: 'oldest' }, null)
  return { podcast, alice, root, episodes: data.map(item => item.podcastEpisode) }
}
type Person = Awaited<ReturnType<TestApp['signUp']>>

const addAll = async ({ queue }: Pick<Person, 'queue'>, episodes: readonly { id: string }[]) => {
  for (const { id } of episodes) await queue.add({ episode: id })
}
const shown = async ({ queue, queues }: Pick<Person, 'queue' | 'queues'>) => {
  const { name, items } = await queue.find()
  return {
    name,
    items: items.map(({ podcastEpisode }) => podcastEpisode.name),
    others: (await queues.counted()).map(other => `${other.name}: ${other.episodes}`),
  }
}

test('a queue is named, another one begun, and each found again as it was left', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { alice, root, episodes } = await plant(app)
  await addAll(alice, episodes.slice(0, 3))
  await alice.queues.begin({ name: ' Evening ' })
  expect(await shown(alice)).toEqual({ name: 'Evening', items: [], others: ['null: 3'] })

  await addAll(alice, [episodes[3]!])
  const { others, version } = await alice.queue.find()
  const used = await alice.queues.use(others[0]!.id, { version })
  expect(used.version).toBeGreaterThan(version)
  expect(await shown(alice)).toEqual({
    name: null,
    items: ['Part 0', 'Part 1', 'Part 2'],
    others: ['Evening: 1'],
  })
  await alice.queues.name('Morning')
  expect((await shown(alice)).name).toBe('Morning')
  expect(await shown(root)).toEqual({ name: null, items: [], others: [] })
})

test('a queue goes on with what played in it, and without what was played meanwhile', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { alice, episodes } = await plant(app)
  await addAll(alice, episodes)
  await alice.queues.begin({ name: 'Evening', playing: episodes[2]!.id })
  await alice.playback.save({ podcastEpisodeId: episodes[0]!.episode_id, time: 60, finished: true })
  const others = await alice.queues.counted()
  expect(others).toMatchObject([{ name: null, episodes: 3 }])
  await alice.queues.use(others[0]!.id, {})
  expect((await shown(alice)).items).toEqual(['Part 2', 'Part 1', 'Part 3'])
})

test('what came by itself stays so in a queue that is kept, and in one that is emptied and taken back', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { alice, episodes } = await plant(app)
  await addAll(alice, episodes)
  const { store } = app.context
  store.queue.setAutomatic(alice.row.id, store.queue.idsOf(alice.row.id).slice(0, 1), true)
  const marks = async () => (await alice.queue.find()).items.map(({ automatic }) => automatic)
  expect(await marks()).toEqual([true, false, false, false])
  await alice.queues.begin({ name: 'Evening' })
  await alice.queues.use((await alice.queue.find()).others[0]!.id, {})
  expect(await marks()).toEqual([true, false, false, false])

  const order = (await alice.queue.find()).items.map(({ podcastEpisode, automatic }) => ({
    episode: podcastEpisode.id,
    automatic,
  }))
  await alice.queue.reorder({ items: [] })
  await alice.queue.reorder({ items: order })
  expect(await marks()).toEqual([true, false, false, false])
})

test('of two browsers that change to another queue, one is told that the queue has changed', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { alice, episodes } = await plant(app)
  await alice.queues.begin({ name: 'Evening' })
  const { version, others } = await alice.queue.find()
  await addAll(alice, [episodes[0]!])
  expect(await refusal(alice.queues.use(others[0]!.id, { version }))).toMatchObject({ code: 'queue-changed' })
  expect(await refusal(alice.queues.begin({ name: 'Night', version }))).toMatchObject({ code: 'queue-changed' })
  expect(await shown(alice)).toEqual({ name: 'Evening', items: ['Part 0'], others: ['null: 0'] })
  await alice.queues.use(others[0]!.id, { version: version + 1 })
  expect(await refusal(alice.queues.use(others[0]!.id, {}))).toMatchObject({ code: 'queue-not-found' })
})

test('other browsers of the person hear of every change, and no other’s', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { alice, root } = await plant(app)
  const origin = app.listen()
  const other = await connect(origin, { Authorization: alice.authorization! })
  const stranger = await connect(origin, { Authorization: root.authorization! })
  await alice.queues.name('Morning')
  expect(await other.frame('queueChanged')).toMatchObject({ version: 1 })
  const { others } = await alice.queues.begin({ name: 'Evening' })
  await alice.queues.continueWith('newest')
  await alice.queues.remove(others[0]!.id)
  await alice.queues.restore(others[0]!.id)
  await alice.queues.use(others[0]!.id, {})
  // Its own change comes last: nothing was sent to it before.
  const { version } = await root.queues.name('Mine')
  await stranger.frame('queueChanged')
  const versionsOf = ({ frames }: typeof other) =>
    frames.filter(({ type }) => type === 'queueChanged').map(frame => frame.version)
  expect(versionsOf(stranger)).toEqual([version])
  expect(versionsOf(other)).toHaveLength(6)
  expect(versionsOf(other).at(-1)).toBe((await alice.queue.find()).version)
})

test('names are distinct, and there are at most twenty queues', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { alice } = await plant(app)
  await alice.queues.begin({ name: 'Evening' })
  await alice.queues.begin({ name: 'Night' })
  const taken = { status: 409, code: 'queue-name-taken', args: { name: 'EVENING' } }
  expect(await refusal(alice.queues.begin({ name: 'EVENING' }))).toMatchObject(taken)
  expect(await refusal(alice.queues.name('EVENING'))).toMatchObject(taken)
  const [evening] = (await alice.queue.find()).others
  expect(evening).toMatchObject({ name: 'Evening' })
  expect(await alice.queues.rename(evening!.id, 'EVENING')).toMatchObject({ others: [{ name: 'EVENING' }, {}] })
  expect(await refusal(alice.queues.rename(evening!.id, 'night'))).toMatchObject({ code: 'queue-name-taken' })
  for (const name of ['', ' ', 'x'.repeat(101)])
    expect(await refusal(alice.queues.begin({ name }))).toMatchObject({ status: 422 })

  for (let number = 4; number <= MAX_QUEUES; number++) await alice.queues.begin({ name: `Queue ${number}` })
  expect(await refusal(alice.queues.begin({ name: 'One more' }))).toMatchObject({
    status: 409,
    code: 'too-many-queues',
    args: { limit: '20' },
  })
})

test('a deleted queue can be taken back, unless its name or its place is taken', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { alice, episodes } = await plant(app)
  await alice.queues.name('Morning')
  await addAll(alice, episodes)
  await alice.queues.begin({ name: 'Evening' })
  const { id } = (await alice.queue.find()).others[0]!
  await alice.queues.remove(id)
  expect((await shown(alice)).others).toEqual([])
  for (const call of [alice.queues.use(id, {}), alice.queues.rename(id, 'Later'), alice.queues.remove(id)])
    expect(await refusal(call)).toMatchObject({ code: 'queue-not-found' })
  await alice.queues.restore(id)
  expect((await shown(alice)).others).toEqual(['Morning: 4'])

  await alice.queues.remove(id)
  await alice.queues.name('morning')
  expect(await refusal(alice.queues.restore(id))).toMatchObject({ code: 'queue-name-taken' })

  // Only the last few are kept.
  for (const name of ['1', '2', '3', '4', '5', '6']) {
    await alice.queues.begin({ name })
    await alice.queues.remove((await alice.queue.find()).others[0]!.id)
  }
  expect(await refusal(alice.queues.restore(id))).toMatchObject({ code: 'queue-not-found' })
})

test('the queue in use names the others without counting them, and only what one may see is counted', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { alice, root, episodes } = await plant(app, { hidden: 2 })
  await root.users.change('alice', { explicitConsent: true })
  await addAll(alice, episodes)
  await alice.queues.begin({ name: 'Evening' })
  const { others } = await alice.queue.find()
  expect(others.map(other => Object.keys(other).sort())).toEqual([['id', 'name', 'savedAt']])
  expect((await shown(alice)).others).toEqual(['null: 4'])
  await root.users.change('alice', { explicitConsent: false })
  expect((await shown(alice)).others).toEqual(['null: 3'])
})

test('a kept queue goes with its user, and an episode with its podcast', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { alice, root, podcast, episodes } = await plant(app)
  const carol = await app.signUp('carol')
  for (const person of [alice, carol]) {
    await addAll(person, episodes)
    await person.queues.begin({ name: 'Evening' })
  }
  await root.users.remove('alice')
  expect(app.context.store.savedQueues.count(alice.row.id)).toBe(0)
  await root.podcasts.remove(podcast.id, true)
  expect(await shown(carol)).toEqual({ name: 'Evening', items: [], others: ['null: 0'] })
})

test('after an episode its podcast continues with the next newer one that is not played', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { alice, root, episodes } = await plant(app)
  const after = async ({ queues }: Pick<Person, 'queues'>, place: number) =>
    (await queues.following(episodes[place]!.id)).episode?.podcastEpisode.name ?? null
  await alice.playback.save({ podcastEpisodeId: episodes[1]!.episode_id, time: 60, finished: true })
  expect(await after(alice, 0)).toBe('Part 2')
  expect(await after(root, 0)).toBe('Part 1')
  expect(await after(alice, 3)).toBe(null)
  expect(await refusal(alice.queues.following('nothing'))).toMatchObject({ code: 'episode-not-found' })
})

test('a serial continues with the part that follows, played or not, and with no trailer', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { alice, episodes } = await plant(app, { extra: '<itunes:type>serial</itunes:type>' })
  const after = async (place: number) =>
    (await alice.queues.following(episodes[place]!.id)).episode?.podcastEpisode.name ?? null
  await alice.playback.save({ podcastEpisodeId: episodes[1]!.episode_id, time: 60, finished: true })
  expect(await after(0)).toBe('Part 1')
  expect(await after(1)).toBe('Part 3')
})

test('what plays after the queue is the choice of each person', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { alice, root } = await plant(app)
  expect((await alice.queue.find()).continueWith).toBe('nothing')
  expect(await alice.queues.continueWith('podcast')).toMatchObject({ continueWith: 'podcast', version: 1 })
  expect((await root.queue.find()).continueWith).toBe('nothing')
  expect(await refusal(alice.queues.continueWith('everything' as 'newest'))).toMatchObject({ status: 422 })
  await alice.queues.begin({ name: 'Evening' })
  expect((await alice.queue.find()).continueWith).toBe('podcast')
})
