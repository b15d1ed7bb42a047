import { expect, test } from 'bun:test'
import { MAX_MARKS_PER_EPISODE } from '../../../src/server/library/marks'
import { refusal, startTestApp, withPasswords } from '../../support/app'
import { rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

/** A library with two listeners and a podcast of two episodes. */
async function startListening() {
  const host = startFeedHost()
  const app = await startTestApp({ env: withPasswords })
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  const podcast = await root.podcasts.add(host.feed('/feed.xml', rss({ items: [{ guid: 'one' }, { guid: 'two' }] })))
  const alice = await app.signUp('alice')
  const bob = await app.signUp('bob')
  const [one, two] = (await alice.podcasts.episodes(podcast.id, {}, null)).data.map(row => row.podcastEpisode.id)
  const events: string[] = []
  app.context.events.listen({ skipMarksChanged: ({ userId, uuid }) => void events.push(`${userId} ${uuid}`) })
  return {
    app,
    root,
    podcast,
    alice,
    bob,
    events,
    one: one!,
    two: two!,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host[Symbol.dispose]()
    },
  }
}
const times = (marks: readonly { start: number; end: number; skip: boolean }[]) =>
  marks.map(({ start, end, skip }) => `${start}-${end} ${skip ? 'skip' : 'play'}`)

test('a marked part belongs to its listener alone, and goes with its episode', async () => {
  await using world = await startListening()
  const { root, podcast, alice, bob, one, two, events } = world
  const made = await alice.skipMarks.add({ episode: one, start: 61.5, end: 92.25, skip: true })
  expect(made).toMatchObject({ episode: one, start: 61.5, end: 92.25, skip: true })
  await alice.skipMarks.add({ episode: one, start: 10, end: 20, skip: false })
  await alice.skipMarks.add({ episode: two, start: 0, end: 5, skip: true })
  expect(events).toEqual([`${alice.row.id} ${one}`, `${alice.row.id} ${one}`, `${alice.row.id} ${two}`])

  expect(times(await alice.skipMarks.ofEpisode(one))).toEqual(['61.5-92.25 skip', '10-20 play'])
  expect(await bob.skipMarks.ofEpisode(one)).toEqual([])
  expect(await refusal(bob.skipMarks.remove(made.id))).toMatchObject({ status: 404 })
  await alice.skipMarks.remove(made.id)
  expect(await refusal(alice.skipMarks.remove(made.id))).toMatchObject({ status: 404 })
  expect(times(await alice.skipMarks.ofEpisode(one))).toEqual(['10-20 play'])
  expect(events.length).toBe(4)
  await root.podcasts.remove(podcast.id, false)
  expect(world.app.context.store.skipMarks.countFor(alice.row.id)).toBe(0)
})

test('a mark takes the place of those that it covers, and of no other', async () => {
  await using world = await startListening()
  const { alice, bob, one } = world
  await bob.skipMarks.add({ episode: one, start: 20, end: 30, skip: true })
  for (const [start, end] of [
    [20, 30],
    [25, 45],
    [50, 60],
  ] as const)
    await alice.skipMarks.add({ episode: one, start, end, skip: true })
  await alice.skipMarks.add({ episode: one, start: 20, end: 40, skip: false })
  expect(times(await alice.skipMarks.ofEpisode(one))).toEqual(['25-45 skip', '50-60 skip', '20-40 play'])
  expect(times(await bob.skipMarks.ofEpisode(one))).toEqual(['20-30 skip'])
})

test('a part without a length or an episode is refused, and so are more than anybody makes by hand', async () => {
  await using world = await startListening()
  const { alice, one } = world
  const mark = (start: number, end: number, episode = one) => alice.skipMarks.add({ episode, start, end, skip: true })
  for (const [start, end] of [
    [5, 5],
    [9, 5],
    [-1, 5],
    [0, 1e9],
    [Number.NaN, 5],
  ] as const)
    expect(await refusal(mark(start, end))).toMatchObject({ status: 422 })
  expect(await refusal(mark(0, 5, 'none'))).toMatchObject({ code: 'episode-not-found' })
  expect(await refusal(alice.skipMarks.ofEpisode('none'))).toMatchObject({ code: 'episode-not-found' })
  for (let second = 0; second < MAX_MARKS_PER_EPISODE; second++) await mark(second * 2, second * 2 + 1)
  expect(await refusal(mark(1000, 1001))).toMatchObject({ code: 'invalid-field' })
  // What covers others makes room.
  expect((await mark(0, 100)).end).toBe(100)
})

test('skipping marked parts is off until a listener wants it for a podcast', async () => {
  await using world = await startListening()
  const { alice, bob, podcast } = world
  expect((await alice.podcasts.preferences(podcast.id)).skipMarked).toBe(false)
  await alice.podcasts.editPreferences(podcast.id, { skipMarked: true })
  await alice.podcasts.editPreferences(podcast.id, { speed: 1.5 })
  expect(await alice.podcasts.preferences(podcast.id)).toMatchObject({ skipMarked: true, speed: 1.5 })
  expect((await bob.podcasts.preferences(podcast.id)).skipMarked).toBe(false)
})

test('a chapter says whether its title means advertising, and files for apps stay as they are', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const chapters = `<psc:chapters xmlns:psc="http://podlove.org/simple-chapters">
    <psc:chapter start="0" title="Intro"/><psc:chapter start="1:00" title="Werbung"/></psc:chapters>`
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ items: [{ extra: chapters }] })))
  const [row] = (await app.podcasts.episodes(podcast.id, {}, null)).data
  const { id } = row!.podcastEpisode
  const found = await app.episodes.chapters(id)
  expect(found.map(({ title, advertising }) => [title, advertising])).toEqual([
    ['Intro', false],
    ['Werbung', true],
  ])
  const file = await app.fetch(`/media/chapters/${id}.json`)
  expect(Object.keys(((await file.json()) as { chapters: object[] }).chapters[1]!)).toEqual(['startTime', 'title'])
})
