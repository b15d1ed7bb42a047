import { expect, test } from 'bun:test'
import type { Suggestions } from '../../../src/shared/api/playlist'
import { DAY, HOUR } from '../../../src/server/platform/clock'
import { refusal, startTestApp, withPasswords } from '../../support/app'
import { rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

const START = Date.UTC(2026, 2, 2, 12)

/** Two podcasts: short news and long stories. `lengths`: minutes of their episodes, the newest first. */
async function startWorld() {
  using host = startFeedHost()
  let now = START
  const app = await startTestApp({ env: withPasswords, now: () => now })
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  const add = async (title: string, lengths: readonly number[]) => {
    const items = lengths.map((minutes, index) => ({
      title: `${title} ${index + 1}`,
      guid: `${title} ${index}`,
      date: new Date(START - (index + 1) * DAY).toUTCString(),
      duration: String(minutes * 60),
    }))
    const podcast = await root.podcasts.add(host.feed(`/${title}.xml`, rss({ title, items })))
    return {
      podcast,
      episodes: (await root.podcasts.episodes(podcast.id, {}, null)).data.map(row => row.podcastEpisode),
    }
  }
  const [news, stories] = [await add('News', [10, 14, 14, 9, 16]), await add('Stories', [40, 50, 60])]
  const alice = await app.signUp('alice')
  const suggested = async () =>
    Object.fromEntries(
      (await alice.client.get<Suggestions>('/playlists/suggestions?tz=UTC')).suggestions.map(({ kind, items }) => [
        kind,
        items.map(({ podcastEpisode }) => podcastEpisode.name),
      ]),
    )
  return {
    app,
    alice,
    news,
    stories,
    suggested,
    at: (moment: number) => (now = moment),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

test('short episodes that were not played fill a walk of 35 minutes, the newest first', async () => {
  await using world = await startWorld()
  const { alice, news, suggested } = world
  // 10 and 14 minutes leave room for 9, but not for another 14.
  expect(await suggested()).toEqual({ walk: ['News 1', 'News 2', 'News 4'] })
  await alice.playback.save({ podcastEpisodeId: news.episodes[0]!.episode_id, time: 60, total: 600 })
  expect(await suggested()).toEqual({ walk: ['News 2', 'News 3'] })
})

test('episodes of which a fifth or less is left are suggested as almost finished, once there are two', async () => {
  await using world = await startWorld()
  const { alice, stories, suggested } = world
  const play = (index: number, time: number) =>
    alice.playback.save({ podcastEpisodeId: stories.episodes[index]!.episode_id, time, total: 1000 })
  await play(0, 800)
  await play(1, 799)
  expect((await suggested()).almost).toBeUndefined()
  await play(1, 900)
  expect((await suggested()).almost?.toSorted()).toEqual(['Stories 1', 'Stories 2'])
})

test('a podcast that is played at night three times, or that has the tag Bedtime, is suggested before sleep', async () => {
  await using world = await startWorld()
  const { alice, news, stories, suggested, at } = world
  for (const hour of [22, 23, 27]) {
    expect((await suggested()).sleep).toBeUndefined()
    at(Date.UTC(2026, 2, 2) + hour * HOUR)
    const time = 100 * (hour - 21)
    await alice.playback.save({ podcastEpisodeId: stories.episodes[0]!.episode_id, time, total: 2400 })
  }
  expect((await suggested()).sleep).toEqual(['Stories 2', 'Stories 3'])
  const tag = await alice.tags.create({ name: 'Bedtime', color: 'Blue' })
  await alice.tags.assign(tag.id, news.podcast.id)
  expect((await suggested()).sleep).toContain('News 5')
})

test('suggestions that somebody hides stay hidden for them alone, and nothing is stored until it is kept', async () => {
  await using world = await startWorld()
  const { app, alice } = world
  await alice.playlists.showSuggestions(false)
  expect(await alice.playlists.suggestions()).toEqual({ isShown: false, suggestions: [] })
  const bob = await app.signUp('bob')
  expect((await bob.playlists.suggestions()).isShown).toBe(true)
  await alice.playlists.showSuggestions(true)
  expect((await alice.playlists.suggestions()).suggestions).not.toEqual([])
  expect(await alice.playlists.list()).toEqual([])
  expect(await refusal(alice.client.get('/playlists/suggestions?tz=Nowhere/Land'))).toMatchObject({
    code: 'invalid-field',
  })
})
