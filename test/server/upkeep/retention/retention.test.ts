import { expect, test } from 'bun:test'
import { DAY } from '../../../../src/server/platform/clock'
import { refusal, startClock, startTestApp, type TestApp } from '../../../support/app'
import { rss, silentMp3 } from '../../../support/builders'
import { startFeedHost } from '../../../support/feed-host'

/** Adds a podcast with six downloaded episodes; `list` returns them newest first. */
async function addPodcast(app: TestApp) {
  const host = startFeedHost()
  app.prefill(6)
  const items = Array.from({ length: 6 }, (_, index) => ({
    title: `Part ${index}`,
    guid: `part-${index}`,
    enclosure: host.file(`/${index}.mp3`, silentMp3(2)),
  }))
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ items })))
  const list = async () => (await app.podcasts.episodes(podcast.id, {}, null)).data.map(item => item.podcastEpisode)
  for (const { id } of await list())
    await app.event('downloadFinished', ({ episodeId }) => app.context.store.episodes.find(episodeId)?.uuid === id)
  return { host, podcast, list }
}
const kept = (episodes: { name: string; status: boolean }[]) =>
  episodes.filter(({ status }) => status).map(({ name }) => name)

test('a cleanup lists old episodes before it deletes them, and nothing is fetched again', async () => {
  const now = startClock()
  await using app = await startTestApp({ now })
  const { host, list } = await addPodcast(app)
  using _ = host
  await app.system.editSettings({ autoCleanupDays: 10 })
  expect(await app.system.cleanup()).toMatchObject({ total: 0, episodes: [] })
  now.advance(11 * DAY)
  const plan = await app.system.cleanup()
  expect(plan).toMatchObject({ total: 6, freedBytes: expect.any(Number) })
  expect(plan.episodes[0]).toMatchObject({ reason: 'age', podcastName: 'Lighthouse Radio', size: expect.any(Number) })
  expect(kept(await list())).toHaveLength(6)
  expect(await app.system.runCleanup()).toEqual({ affected: 6, freedBytes: plan.freedBytes })
  const episodes = await list()
  expect([kept(episodes), episodes.every(({ deleted }) => deleted)]).toEqual([[], true])
  await app.refreshDue()
  expect((await app.downloads.page(null)).data.counts).toMatchObject({ queued: 0, running: 0 })
})

test('the daily cleanup runs only when it is switched on and the media folder is mounted', async () => {
  const now = startClock()
  await using app = await startTestApp({ now })
  const { host, list } = await addPodcast(app)
  using _ = host
  const { retention, files } = app.context
  await app.system.editSettings({ autoCleanupDays: 10, autoCleanup: false })
  now.advance(11 * DAY)
  await retention.sweepIfWanted()
  expect(kept(await list())).toHaveLength(6)
  await app.system.editSettings({ autoCleanup: true })
  const { isPresent } = files.folder
  files.folder.isPresent = () => false
  await retention.sweepIfWanted()
  expect(kept(await list())).toHaveLength(6)
  files.folder.isPresent = isPresent
  await retention.sweepIfWanted()
  expect(kept(await list())).toEqual([])
})

test('episodes that a user liked, queued, put on a playlist or recently began are kept', async () => {
  const now = startClock()
  await using app = await startTestApp({ now })
  const { host, list } = await addPodcast(app)
  using _ = host
  const episodes = await list()
  await app.episodes.like(episodes[0]!.id, true)
  await app.queue.add({ episode: episodes[1]!.id })
  await app.playlists.create({ name: 'Evening', items: [{ episode: episodes[2]!.id }] })
  now.advance(31 * DAY)
  await app.playback.save({ podcastEpisodeId: episodes[3]!.episode_id, time: 1, total: 2 })
  await app.playback.save({ podcastEpisodeId: episodes[4]!.episode_id, time: 2, total: 2 })
  await app.system.runCleanup()
  expect(kept(await list())).toEqual(['Part 0', 'Part 1', 'Part 2', 'Part 3'])
  now.advance(31 * DAY)
  await app.system.runCleanup()
  expect(kept(await list())).toEqual(['Part 0', 'Part 1', 'Part 2'])
})

test('episodes of a queue that is kept for later stay, until it is deleted', async () => {
  const now = startClock()
  await using app = await startTestApp({ now })
  const { host, list } = await addPodcast(app)
  using _ = host
  await app.queue.add({ episode: (await list())[0]!.id })
  const { others } = await app.queues.begin({ name: 'Evening' })
  now.advance(31 * DAY)
  await app.system.runCleanup()
  expect(kept(await list())).toEqual(['Part 0'])
  await app.queues.remove(others[0]!.id)
  await app.system.runCleanup()
  expect(kept(await list())).toEqual([])
})

test('the newest episodes are kept up to the limit, and played ones are deleted if the setting says so', async () => {
  await using app = await startTestApp()
  const { host, list } = await addPodcast(app)
  using _ = host
  const episodes = await list()
  await app.system.editSettings({ keepLast: 4, deleteAfterListened: true })
  await app.playback.save({ podcastEpisodeId: episodes[1]!.episode_id, time: 2, total: 2 })
  expect((await app.system.cleanup()).episodes.map(({ name, reason }) => [name, reason]).toSorted()).toEqual([
    ['Part 1', 'listened'],
    ['Part 4', 'count'],
    ['Part 5', 'count'],
  ])
  await app.system.runCleanup()
  expect(kept(await list())).toEqual(['Part 0', 'Part 2', 'Part 3'])
})

test('a setting out of bounds is refused with the name of its field', async () => {
  await using app = await startTestApp()
  for (const [field, values] of Object.entries({
    autoCleanupDays: [0, 36_501, 1.5, 'x'],
    podcastPrefill: [-1, 10_001],
    keepLast: [0],
  }))
    for (const value of values)
      expect(await refusal(app.client.put('/settings', { [field]: value }))).toMatchObject({
        status: 422,
        code: 'invalid-field',
        args: { field },
      })
  expect(await app.system.editSettings({ keepLast: 3 })).toMatchObject({ keepLast: 3, autoCleanupDays: 30 })
  expect(await app.system.editSettings({ keepLast: null })).toMatchObject({ keepLast: null })
})

test('while a cleanup runs, another one is refused and the daily one does nothing; only files that it deletes itself are counted', async () => {
  await using app = await startTestApp()
  const { host, list } = await addPodcast(app)
  using _ = host
  await app.system.editSettings({ keepLast: 3, autoCleanup: true })
  const { retention, downloads, store } = app.context
  const { remove } = downloads
  const isDeleting = Promise.withResolvers<void>()
  const isReleased = Promise.withResolvers<void>()
  downloads.remove = async episode => {
    isDeleting.resolve()
    await isReleased.promise
    return remove(episode)
  }
  const [first, second] = retention.due()
  const sweeping = retention.sweep()
  await isDeleting.promise
  expect(await refusal(retention.sweep())).toMatchObject({ code: 'already-running', args: { kind: 'cleanup' } })
  await retention.sweepIfWanted()
  // A person deletes one of them meanwhile.
  await remove(store.episodes.find(second!.id)!)
  isReleased.resolve()
  expect(await sweeping).toMatchObject({ affected: 2, freedBytes: first!.file_size * 2 })
  expect(kept(await list())).toHaveLength(3)
  // It has ended, so another one may begin.
  expect(await retention.sweep()).toEqual({ affected: 0, freedBytes: 0 })
})

test('the switch stops the daily cleanup but not one run by hand', async () => {
  await using app = await startTestApp()
  const { host, list } = await addPodcast(app)
  using _ = host
  await app.system.editSettings({ keepLast: 3, autoCleanup: false })
  const { retention } = app.context
  await retention.sweepIfWanted()
  expect(kept(await list())).toHaveLength(6)
  expect(retention.due()).toHaveLength(3)
  await app.system.editSettings({ autoCleanup: true })
  await retention.sweepIfWanted()
  expect(kept(await list())).toHaveLength(3)
})

test('a podcast that opted out is spared by the daily cleanup and by one run by hand', async () => {
  await using app = await startTestApp()
  const { host, podcast, list } = await addPodcast(app)
  using _ = host
  await app.system.editSettings({ keepLast: 3, autoCleanup: true })
  await app.podcasts.editSettings(podcast.id, { autoCleanup: false })
  const { retention } = app.context
  await retention.sweepIfWanted()
  expect(await retention.sweep()).toEqual({ affected: 0, freedBytes: 0 })
  expect(kept(await list())).toHaveLength(6)
})

test('a cleanup that fails does not block the next', async () => {
  await using app = await startTestApp()
  const { host } = await addPodcast(app)
  using _ = host
  await app.system.editSettings({ keepLast: 5 })
  const { retention, downloads } = app.context
  const { remove } = downloads
  downloads.remove = () => Promise.reject(new Error('busy'))
  expect(await refusal(retention.sweep())).toMatchObject({ message: 'busy' })
  downloads.remove = remove
  expect(await retention.sweep()).toMatchObject({ affected: 1 })
})
