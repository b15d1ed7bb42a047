import { expect, test } from 'bun:test'
import { refusal, startTestApp, withPasswords } from '../../support/app'
import { rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

test('a bookmark has a note, belongs to its listener alone, and goes with its episode', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ env: withPasswords })
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  const podcast = await root.podcasts.add(host.feed('/feed.xml', rss({ items: [{ guid: 'one' }, { guid: 'two' }] })))
  const alice = await app.signUp('alice')
  const bob = await app.signUp('bob')
  const [one, two] = (await alice.podcasts.episodes(podcast.id, {}, null)).data.map(row => row.podcastEpisode.id)
  const later = await alice.bookmarks.add({ episode: one!, time: 90.7, note: '  the lamp ' })
  expect(later).toMatchObject({ episode: one!, time: 90, note: 'the lamp' })
  await alice.bookmarks.add({ episode: one!, time: 10 })
  await alice.bookmarks.add({ episode: two!, time: 5, note: '' })

  expect((await alice.bookmarks.ofEpisode(one!)).map(({ time, note }) => [time, note])).toEqual([
    [10, null],
    [90, 'the lamp'],
  ])
  expect((await alice.bookmarks.list()).map(({ time }) => time)).toEqual([5, 10, 90])
  expect(await bob.bookmarks.list()).toEqual([])
  expect(await refusal(bob.bookmarks.remove(later.id))).toMatchObject({ status: 404 })
  await alice.bookmarks.remove(later.id)
  expect((await alice.bookmarks.list()).map(({ time }) => time)).toEqual([5, 10])
  await root.podcasts.remove(podcast.id, false)
  expect(await alice.bookmarks.list()).toEqual([])
})

test('bookmarks are written as Markdown: by podcast and episode, with notes, links to the moment and harmless signs', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ env: { ...withPasswords, SERVER_URL: 'https://pod.example/castellan' } })
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  const add = (path: string, title: string, items: object[]) =>
    root.podcasts.add(host.feed(path, rss({ title, items: items as never })))
  const harbour = await add('/b.xml', 'Harbour [live]', [{ title: '1. The *lamp*', date: '2026-01-05T08:00:00Z' }])
  const alpha = await add('/a.xml', 'alpha', [
    { guid: 'new', title: 'New', date: '2026-02-01T08:00:00Z' },
    { guid: 'old', title: 'Old', date: '2026-01-01T08:00:00Z' },
  ])
  const alice = await app.signUp('alice')
  const episodesOf = async ({ id }: { id: string }) =>
    (await alice.podcasts.episodes(id, {}, null)).data.map(row => row.podcastEpisode.id)
  const [lamp] = await episodesOf(harbour)
  const [newest, oldest] = await episodesOf(alpha)
  await alice.bookmarks.add({ episode: lamp!, time: 3700, note: '<b>see</b> https://x.example/a_b_c\n- _so_' })
  await alice.bookmarks.add({ episode: oldest!, time: 5 })
  await alice.bookmarks.add({ episode: newest!, time: 90, note: 'second' })
  await alice.bookmarks.add({ episode: newest!, time: 30, note: 'first' })

  const page = (podcast: { id: string }, episode: string) =>
    `https://pod.example/castellan/ui/podcasts/${podcast.id}/episodes/${episode}`
  const ofLamp = [
    '# Harbour \\[live\\]',
    '',
    '## 1\\. The \\*lamp\\*',
    '',
    '2026-01-05',
    '',
    `- [01:01:40](${page(harbour, lamp!)}?t=3700) \\<b\\>see\\</b\\> https://x.example/a_b_c - \\_so\\_`,
    '',
    '',
  ]
  expect((await alice.bookmarks.markdown(lamp!)).split('\n')).toEqual(ofLamp)
  expect((await alice.bookmarks.markdown()).split('\n')).toEqual([
    '# alpha',
    '',
    '## New',
    '',
    '2026-02-01',
    '',
    `- [00:30](${page(alpha, newest!)}?t=30) first`,
    `- [01:30](${page(alpha, newest!)}?t=90) second`,
    '',
    '## Old',
    '',
    '2026-01-01',
    '',
    `- [00:05](${page(alpha, oldest!)}?t=5)`,
    '',
    ...ofLamp,
  ])
  expect((await (await app.signUp('bob')).bookmarks.markdown()) ?? '').toBe('')
})

test('the note of a bookmark can be changed by its owner alone', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ env: withPasswords })
  app.prefill(0)
  const podcast = await app.as('root', 'Sup3rSecret').podcasts.add(host.feed('/feed.xml', rss({ items: [{}] })))
  const alice = await app.signUp('alice')
  const bob = await app.signUp('bob')
  const [row] = (await alice.podcasts.episodes(podcast.id, {}, null)).data
  const { id } = await alice.bookmarks.add({ episode: row!.podcastEpisode.id, time: 90, note: 'lamp' })

  expect(await alice.bookmarks.edit(id, { note: ' the lamp ' })).toMatchObject({ id, time: 90, note: 'the lamp' })
  expect(await refusal(bob.bookmarks.edit(id, { note: 'mine' }))).toMatchObject({ status: 404 })
  expect(await refusal(alice.bookmarks.edit('none', { note: 'x' }))).toMatchObject({ status: 404 })
  expect((await alice.bookmarks.list()).map(({ note }) => note)).toEqual(['the lamp'])
  expect(await alice.bookmarks.edit(id, { note: '' })).toMatchObject({ note: null })
})

test('a bookmark without a moment or an episode is refused', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ items: [{}] })))
  const [row] = (await app.podcasts.episodes(podcast.id, {}, null)).data
  const episode = row!.podcastEpisode.id
  for (const time of [-1, Number.NaN, 1e9])
    expect(await refusal(app.bookmarks.add({ episode, time }))).toMatchObject({ code: 'invalid-field' })
  expect(await refusal(app.bookmarks.add({ episode, time: 1, note: 'x'.repeat(1001) }))).toMatchObject({
    code: 'invalid-field',
  })
  expect(await refusal(app.bookmarks.add({ episode: 'none', time: 1 }))).toMatchObject({ code: 'episode-not-found' })
})
