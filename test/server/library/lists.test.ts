import { expect, test } from 'bun:test'
import { refusal, startTestApp, withPasswords, type TestApp } from '../../support/app'
import { rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { connect } from '../../support/socket'

async function plant(app: TestApp, count = 4) {
  using host = startFeedHost()
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  const items = Array.from({ length: count }, (_, index) => ({ title: `Part ${index}`, duration: '60' }))
  const podcast = await root.podcasts.add(host.feed('/feed.xml', rss({ items })))
  const alice = await app.signUp('alice')
  const episodes = (await alice.podcasts.episodes(podcast.id, {}, null)).data.map(item => item.podcastEpisode)
  return { podcast, alice, episodes, root }
}
const names = (items: readonly { podcastEpisode: { name: string } }[]) => items.map(item => item.podcastEpisode.name)

test('tags are made, renamed, coloured, given to podcasts, filtered by and deleted', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { alice, podcast, root } = await plant(app)
  const tag = await alice.tags.create({ name: ' News ', color: 'Green' })
  expect(tag).toMatchObject({ name: 'News', color: 'Green', description: null })
  await alice.tags.assign(tag.id, podcast.id)
  await alice.tags.assign(tag.id, podcast.id)
  expect((await alice.podcasts.find(podcast.id)).tags).toEqual([tag])
  expect((await root.podcasts.find(podcast.id)).tags).toEqual([])
  expect(await alice.tags.edit(tag.id, { name: 'Daily', color: 'Blue' })).toMatchObject({
    name: 'Daily',
    color: 'Blue',
  })
  expect(await alice.client.get(`/podcasts/search?tag=${tag.id}`)).toMatchObject([{ id: podcast.id }])
  expect(await refusal(root.client.get(`/podcasts/search?tag=${tag.id}`))).toMatchObject({ code: 'tag-not-found' })
  await alice.tags.unassign(tag.id, podcast.id)
  expect(await alice.client.get(`/podcasts/search?tag=${tag.id}`)).toEqual([])
  await alice.tags.remove(tag.id)
  expect(await alice.tags.list()).toEqual([])
})

test('a tag needs a name of its own and one of three colours', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { alice } = await plant(app)
  await alice.tags.create({ name: 'News', color: 'Red' })
  const other = await alice.tags.create({ name: 'Other', color: 'Red' })
  expect(await refusal(alice.tags.create({ name: 'NEWS', color: 'Red' }))).toMatchObject({
    status: 409,
    code: 'tag-name-taken',
    args: { name: 'NEWS' },
  })
  expect(await refusal(alice.tags.edit(other.id, { name: 'news' }))).toMatchObject({ code: 'tag-name-taken' })
  for (const bad of [
    { name: '', color: 'Red' },
    { name: ' ', color: 'Red' },
    { name: 'x', color: 'Pink' },
  ])
    expect(await refusal(alice.client.post('/tags', bad))).toMatchObject({ status: 422, code: 'invalid-field' })
})

test('a playlist keeps its order, drops second mentions, and is replaced as a whole', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { alice, episodes } = await plant(app)
  const [a, b, c] = episodes.map(({ id }) => ({ episode: id }))
  const made = await alice.playlists.create({ name: 'Evening', items: [c!, a!, c!, b!] })
  expect(names(made.items)).toEqual(['Part 2', 'Part 0', 'Part 1'])
  expect((await alice.playlists.list()).map(({ name }) => name)).toEqual(['Evening'])
  const changed = await alice.playlists.replace(made.id, { name: 'Morning', items: [b!, c!] })
  expect([changed.name, names(changed.items)]).toEqual(['Morning', ['Part 1', 'Part 2']])
  await alice.playlists.removeItem(made.id, b!.episode)
  expect(names((await alice.playlists.find(made.id)).items)).toEqual(['Part 2'])
  await alice.playlists.remove(made.id)
  expect(await refusal(alice.playlists.find(made.id))).toMatchObject({ status: 404, code: 'playlist-not-found' })
})

test('an episode moves within its playlist, and a move that names what has left it changes nothing', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { alice, episodes, root } = await plant(app)
  const [a, b, c] = episodes.map(({ id }) => id) as [string, string, string]
  const { id } = await alice.playlists.create({ name: 'Evening', items: [a, b].map(episode => ({ episode })) })
  const order = async () => names((await alice.playlists.find(id)).items)
  await alice.playlists.append(id, [c])
  await alice.playlists.place(id, c, a)
  expect(await order()).toEqual(['Part 2', 'Part 0', 'Part 1'])
  await alice.playlists.place(id, c, null)
  await alice.playlists.place(id, b, b)
  expect(await order()).toEqual(['Part 0', 'Part 1', 'Part 2'])
  await alice.playlists.removeItem(id, b)
  for (const [episode, before] of [
    [b, a],
    [a, b],
    [a, 'nothing'],
  ] as const)
    expect(await refusal(alice.playlists.place(id, episode, before))).toMatchObject({ code: 'episode-not-found' })
  expect(await refusal(root.playlists.place(id, a, null))).toMatchObject({ code: 'playlist-not-found' })
  expect(await order()).toEqual(['Part 0', 'Part 2'])
})

test('the playlist that was played last is the same in every browser', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { alice, root } = await plant(app)
  const made = await alice.playlists.create({ name: 'Evening', items: [] })
  expect((await alice.playlists.list()).map(({ playedAt }) => playedAt)).toEqual([null])
  await alice.playlists.played(made.id)
  const [listed] = await alice.playlists.list()
  expect(Date.parse(listed!.playedAt!)).toBeGreaterThan(0)
  expect(await refusal(root.playlists.played(made.id))).toMatchObject({ code: 'playlist-not-found' })
})

test('a playlist with a bad item or a taken name changes nothing', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { alice, episodes, root } = await plant(app)
  const item = { episode: episodes[0]!.id }
  const made = await alice.playlists.create({ name: 'Evening', items: [item] })
  await alice.playlists.create({ name: 'Other', items: [] })
  const edits: [unknown, string, object][] = [
    [{ name: 'Evening', items: [item, { episode: 'nothing' }] }, 'invalid-field', { field: 'items[1].episode' }],
    [{ name: 'OTHER', items: [] }, 'playlist-name-taken', { name: 'OTHER' }],
    [{ name: ' ', items: [] }, 'invalid-field', { field: 'name' }],
    [{ name: 'x'.repeat(201), items: [] }, 'invalid-field', { field: 'name' }],
    [{ name: 'Evening' }, 'invalid-field', { field: 'items' }],
  ]
  for (const [edit, code, args] of edits)
    expect(await refusal(alice.client.put(`/playlist/${made.id}`, edit))).toMatchObject({ code, args })
  expect((await alice.playlists.find(made.id)).items).toHaveLength(1)
  expect(await refusal(root.playlists.find(made.id))).toMatchObject({ code: 'playlist-not-found' })
  expect(await root.playlists.list()).toEqual([])
})

test('the queue is added to, put in order, and follows its user to another browser', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { alice, episodes, root } = await plant(app)
  const other = await connect(app.listen(), { Authorization: alice.authorization! })
  const [a, b, c] = episodes.map(({ id }) => id)
  await alice.queue.add({ episode: a! })
  await alice.queue.add({ episode: b!, at: 'last' })
  const queue = await alice.queue.add({ episode: c!, at: 'next' })
  expect([queue.version, names(queue.items)]).toEqual([3, ['Part 2', 'Part 0', 'Part 1']])
  expect(await other.frame('queueChanged')).toMatchObject({ version: 1 })
  // One that is there already moves, and keeps its id.
  const moved = await alice.queue.add({ episode: b!, at: 1 })
  expect(names(moved.items)).toEqual(['Part 2', 'Part 1', 'Part 0'])
  expect(moved.items[1]!.id).toBe(queue.items[2]!.id)
  const stale = { items: [{ episode: a! }], version: 1 }
  expect(await refusal(alice.queue.reorder(stale))).toMatchObject({
    status: 409,
    code: 'queue-changed',
    args: { version: '4' },
  })
  await alice.queue.remove(moved.items[0]!.id)
  expect(names((await alice.queue.find()).items)).toEqual(['Part 1', 'Part 0'])
  expect((await root.queue.find()).items).toEqual([])
  expect(await refusal(root.queue.remove(moved.items[1]!.id))).toMatchObject({ code: 'queue-item-not-found' })
  expect(await refusal(alice.queue.add({ episode: 'nothing' }))).toMatchObject({ code: 'episode-not-found' })
  other.socket.close()
})

test('what plays is queued once, however often it is added, and has left the queue when it ends', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { alice, episodes } = await plant(app)
  const [a, b] = episodes.map(({ id }) => id) as [string, string]
  const eid = episodes[0]!.episode_id
  await alice.queue.add({ episode: a })
  await alice.playback.save({ podcastEpisodeId: eid, time: 20, total: 60 })
  for (const at of ['next', 'last', 0, 5] as const) await alice.queue.add({ episode: a, at })
  await alice.queue.addAll([a, b, a], 'last')
  await alice.queue.addAll([b, a, b], 'next')
  await alice.timeline.queue({})
  await alice.queue.reorder({ items: [{ episode: b }, { episode: a }, { episode: b }, { episode: a }] })
  expect(names((await alice.queue.find()).items)).toEqual(['Part 1', 'Part 0'])
  await alice.playback.save({ podcastEpisodeId: eid, time: 60, total: 60 })
  expect(names((await alice.queue.find()).items)).toEqual(['Part 1'])
})

test('a finished episode leaves the queue, however it was finished', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { alice, episodes, podcast } = await plant(app)
  for (const { id } of episodes) await alice.queue.add({ episode: id })
  await alice.playback.save({ podcastEpisodeId: episodes[0]!.episode_id, time: 60, total: 60 })
  expect(names((await alice.queue.find()).items)).toEqual(['Part 1', 'Part 2', 'Part 3'])
  await alice.podcasts.markListened(podcast.id, { until: episodes[2]!.id, finished: true })
  expect(names((await alice.queue.find()).items)).toEqual(['Part 1'])
})

test('a podcast whose feed was never read is answered without what feeds say', async () => {
  await using app = await startTestApp()
  const { store, admin, now } = app.context
  const feedUrl = 'https://feeds.example/unread.xml'
  const { uuid } = store.podcasts.add({
    title: 'Unread',
    folder: 'Unread',
    feedUrl,
    privacy: 0,
    userId: admin.id,
    now: now(),
  })
  expect((await app.podcasts.find(uuid)).extras).toEqual({ funding: [], persons: [], podroll: [] })
})
