import { expect, test } from 'bun:test'
import { MAX_CHOSEN } from '../../../src/shared/limits'
import { newEpisodesApi } from '../../../src/ui/api/library'
import { refusal, startClock, startTestApp, type TestApp, withPasswords } from '../../support/app'
import { rss, silentMp3 } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

const explicit = '<itunes:explicit>true</itunes:explicit>'

/** A podcast of four episodes, the last of them explicit, and a user who must not see that one. */
async function plant(prefill = 0) {
  const host = startFeedHost()
  const clock = startClock()
  const app = await startTestApp({ now: clock, env: withPasswords })
  const root = app.as('root', 'Sup3rSecret')
  app.prefill(prefill)
  const items = ['a', 'b', 'c', 'd'].map((guid, day) => ({
    guid,
    duration: '60',
    date: new Date(Date.UTC(2026, 3, 9 - day)).toUTCString(),
    enclosure: host.file(`/${guid}.mp3`, silentMp3(1)),
    ...(guid === 'd' && { extra: explicit }),
  }))
  const podcast = await root.podcasts.add(host.feed('/feed.xml', rss({ items })))
  const { data } = await root.podcasts.episodes(podcast.id, {}, null)
  const ids = data.map(row => row.podcastEpisode.id)
  const rows = async (user: Pick<TestApp, 'podcasts'> = root) =>
    (await user.podcasts.episodes(podcast.id, {}, null)).data
  return {
    host,
    app,
    root,
    ids,
    podcast: podcast.id,
    alice: await app.signUp('alice'),
    played: async (user?: Pick<TestApp, 'podcasts'>) =>
      (await rows(user)).map(row => row.podcastHistoryItem?.finished ?? false),
    liked: async (user?: Pick<TestApp, 'podcasts'>) => (await rows(user)).map(row => row.podcastEpisode.favored),
    files: async () => (await rows()).map(row => row.podcastEpisode.status),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host[Symbol.dispose]()
    },
  }
}

test('chosen episodes are marked for one user alone, and the marking can be undone', async () => {
  await using world = await plant()
  const { root, alice, ids, played } = world
  const { batch } = root.episodes
  const { affected, undo } = await batch.mark([ids[0]!, ids[2]!], true)
  expect([affected, await played()]).toEqual([2, [true, false, true, false]])
  expect(await played(alice)).toEqual([false, false, false])
  expect(await alice.episodes.batch.undoMark(undo)).toEqual({ affected: 0 })
  expect(await batch.undoMark(undo)).toEqual({ affected: 2 })
  expect(await played()).toEqual([false, false, false, false])
})

test('all episodes that a filter leaves are acted on without naming them, and that can be undone', async () => {
  await using world = await plant()
  const { root, alice, ids, played, podcast } = world
  const { batch } = root.episodes
  await batch.like([ids[1]!], true)
  await batch.mark([ids[0]!], true)
  const unplayed = await batch.mark({ podcast, only_unlistened: true }, true)
  expect([unplayed.affected, await played()]).toEqual([3, [true, true, true, true]])
  expect(await batch.undoMark(unplayed.undo)).toEqual({ affected: 3 })
  expect((await batch.mark({ podcast, liked: true }, true)).affected).toBe(1)
  expect((await batch.mark({ podcast, downloaded: true }, true)).affected).toBe(0)
  expect((await batch.mark({ podcast, q: 'no such words' }, true)).affected).toBe(0)
  expect(await played()).toEqual([true, true, false, false])
  // Hidden ones stay hidden.
  expect((await alice.episodes.batch.mark({ podcast }, true)).affected).toBe(3)
  await root.queue.addAll({ podcast }, 'last')
  expect((await root.queue.find()).items.map(({ podcastEpisode }) => podcastEpisode.guid).join('')).toBe('abcd')
  expect(await refusal(batch.mark({ podcast: 'none' }, true))).toMatchObject({ code: 'podcast-not-found' })
})

test('all that a filter leaves are liked, made new, added to a playlist and lose their files; what changed is named', async () => {
  await using world = await plant(1)
  const { app, root, alice, ids, podcast, liked, files } = world
  await app.event('downloadFinished')
  const { batch } = root.episodes
  await batch.like([ids[1]!], true)
  const rest = [ids[0]!, ids[2]!, ids[3]!]
  const all = await batch.like({ podcast }, true)
  expect([all.affected, all.episodes.toSorted()]).toEqual([3, rest.toSorted()])
  await batch.like(all.episodes, false)
  expect(await liked()).toEqual([false, true, false, false])

  const fresh = newEpisodesApi(root.client)
  expect((await fresh.set({ podcast, liked: true }, true)).episodes).toEqual([ids[1]!])
  expect((await fresh.set({ podcast, only_new: true }, false)).episodes).toEqual([ids[1]!])

  const { id } = await root.playlists.create({ name: 'Evening', items: [{ episode: ids[2]! }] })
  expect(await root.playlists.append(id, { podcast })).toEqual({ affected: 3 })
  const { items } = await root.playlists.find(id)
  expect(items.map(({ podcastEpisode }) => podcastEpisode.guid).join('')).toBe('cabd')
  const foreign = await alice.playlists.create({ name: 'Morning', items: [] })
  expect(await alice.playlists.append(foreign.id, { podcast })).toEqual({ affected: 3 })

  const gone = await batch.deleteFiles({ podcast, downloaded: true })
  expect([gone.episodes, await files()]).toEqual([[ids[0]!], [false, false, false, false]])
})

test('chosen episodes are queued in their order, in front or behind, each once', async () => {
  await using world = await plant()
  const { root, ids } = world
  const [a, b, c, d] = ids as [string, string, string, string]
  const queued = async () => (await root.queue.find()).items.map(({ podcastEpisode }) => podcastEpisode.guid).join('')
  await root.queue.addAll([b, a], 'last')
  await root.queue.addAll([d, c, d], 'next')
  expect(await queued()).toBe('dcba')
  await root.queue.addAll([c], 'last')
  expect(await queued()).toBe('dbac')
})

test('chosen episodes are liked, and no longer', async () => {
  await using world = await plant()
  const { root, alice, ids, liked } = world
  expect(await root.episodes.batch.like(ids.slice(0, 2), true)).toMatchObject({ affected: 2 })
  expect(await root.episodes.batch.like(ids.slice(0, 3), true)).toMatchObject({ affected: 1 })
  expect([await liked(), await liked(alice)]).toEqual([
    [true, true, true, false],
    [false, false, false],
  ])
  expect(await root.episodes.batch.like(ids, false)).toMatchObject({ affected: 3 })
  expect(await liked()).toEqual([false, false, false, false])
})

test('chosen episodes are downloaded, which can be undone, and their files deleted', async () => {
  await using world = await plant(1)
  const { app, root, ids, files } = world
  await app.event('downloadFinished')
  await root.downloads.pauseAll()
  const { queued, undo } = await root.episodes.batch.download(ids.slice(0, 3))
  expect(queued).toBe(2)
  expect(await root.episodes.batch.undoDownload(undo)).toEqual({ affected: 2 })
  expect((await root.downloads.page(null)).data.counts.queued).toBe(0)
  expect(await files()).toEqual([true, false, false, false])
  expect(await root.episodes.batch.deleteFiles(ids)).toMatchObject({ affected: 1 })
  expect(await files()).toEqual([false, false, false, false])
})

test('episodes that a user may not see are left out, and so are those that do not exist', async () => {
  await using world = await plant()
  const { root, alice, ids, played } = world
  expect(await alice.episodes.batch.mark([...ids, 'nonsense'], true)).toMatchObject({ affected: 3 })
  expect(await alice.episodes.batch.like(ids, true)).toMatchObject({ affected: 3 })
  await alice.queue.addAll(ids, 'last')
  expect((await alice.queue.find()).items).toHaveLength(3)
  expect(await played(root)).toEqual([false, false, false, false])
})

test('files are for uploaders, and strangers are refused', async () => {
  await using world = await plant()
  const { app, alice, ids } = world
  for (const call of [
    () => alice.episodes.batch.download(ids),
    () => alice.episodes.batch.undoDownload('1'),
    () => alice.episodes.batch.deleteFiles(ids),
  ])
    expect(await refusal(call())).toMatchObject({ code: 'not-uploader' })
  for (const action of ['listened', 'queue', 'favor', 'download', 'delete-files']) {
    const answer = await app.fetch(`/api/v1/podcasts/episodes/batch/${action}`, { method: 'POST' })
    expect([action, answer.status]).toEqual([action, 401])
  }
})

test('at most five thousand episodes are taken at once', async () => {
  await using world = await plant()
  const many = Array.from({ length: MAX_CHOSEN + 1 }, (_, index) => String(index))
  expect(await refusal(world.root.episodes.batch.like(many, true))).toMatchObject({ code: 'invalid-field' })
  expect(await world.root.episodes.batch.like(many.slice(1), true)).toMatchObject({ affected: 0 })
})
