import { expect, test } from 'bun:test'
import { newEpisodesApi } from '../../../src/ui/api/library'
import { basic, goodPassword, startClock, startTestApp, withPasswords } from '../../support/app'
import { type ItemSpec, rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { DAY, HOUR, refresh } from '../../support/refreshing'

/** A podcast with three old episodes, and Alice, who has had it since then. */
async function plant() {
  const host = startFeedHost()
  const clock = startClock()
  const app = await startTestApp({ env: withPasswords, now: clock })
  app.prefill(0)
  const items: ItemSpec[] = []
  function list(title: string, daysAgo = 0, more: ItemSpec = {}) {
    const enclosure = `https://cdn.example/${title}.mp3`
    const date = new Date(clock() - daysAgo * DAY).toUTCString()
    items.push({ title, guid: title, enclosure, date, duration: '600', ...more })
    return host.feed('/feed.xml', rss({ items }))
  }
  list('Old 1', 10)
  list('Old 2', 20)
  const address = list('Old 3', 30)
  await app.signUp('alice')
  const as = (name: string) => app.withHeader(basic(name, name === 'root' ? 'Sup3rSecret' : goodPassword))
  const podcast = await as('root').podcasts.add(address)
  const alice = as('alice')
  async function episode(title: string) {
    const { data } = await as('root').podcasts.episodes(podcast.id, { limit: 200 }, null)
    return data.find(({ podcastEpisode }) => podcastEpisode.name === title)!.podcastEpisode
  }
  return {
    app,
    as,
    alice,
    clock,
    items,
    list,
    podcast,
    episode,
    async publish(title: string, more?: ItemSpec) {
      list(title, 0, more)
      clock.advance(HOUR)
      await refresh(app, podcast.id)
    },
    refresh: () => refresh(app, podcast.id),
    async play(title: string, time: number, finished = false) {
      clock.advance(HOUR)
      const { episode_id } = await episode(title)
      await alice.playback.save({ podcastEpisodeId: episode_id, time, total: 600, finished })
    },
    /** The titles that are new; every count agrees with them. */
    async newTo(name: string) {
      const api = as(name)
      const { data } = await api.podcasts.episodes(podcast.id, { new: true }, null)
      const titles = data.map(({ podcastEpisode }) => podcastEpisode.name)
      const { data: all } = await api.podcasts.episodes(podcast.id, { limit: 200 }, null)
      const flagged = all.flatMap(({ podcastEpisode }) => (podcastEpisode.is_new ? [podcastEpisode.name] : []))
      const { new_count } = await api.podcasts.find(podcast.id)
      const { counts } = await api.podcasts.overview(podcast.id)
      const listed = (await api.podcasts.list()).map(row => row.new_count)
      expect({ flagged, new_count, count: counts.new, listed }).toEqual({
        flagged: titles,
        new_count: titles.length,
        count: titles.length,
        listed: [titles.length],
      })
      return titles.toSorted()
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host[Symbol.dispose]()
    },
  }
}

test('a back catalogue is never new, and what comes afterwards is', async () => {
  await using world = await plant()
  expect(await world.newTo('alice')).toEqual([])
  await world.publish('Fresh')
  expect(await world.newTo('alice')).toEqual(['Fresh'])
  // The publisher opens the archive.
  world.list('Older', 300)
  await world.refresh()
  expect(await world.newTo('alice')).toEqual(['Fresh'])
})

test('a person who joins later has only what comes from then on', async () => {
  await using world = await plant()
  await world.publish('Before')
  await world.app.signUp('bob')
  await world.publish('After')
  expect(await world.newTo('bob')).toEqual(['After'])
  expect(await world.newTo('alice')).toEqual(['After', 'Before'])
})

test('an episode that is begun or played is not new, until that is undone', async () => {
  await using world = await plant()
  await world.publish('One')
  await world.publish('Two')
  await world.play('One', 30)
  expect(await world.newTo('alice')).toEqual(['Two'])
  await world.play('One', 0)
  expect(await world.newTo('alice')).toEqual(['One', 'Two'])

  const { undo } = await world.alice.podcasts.markListened(world.podcast.id, { finished: true })
  expect(await world.newTo('alice')).toEqual([])
  expect(await world.newTo('root')).toEqual(['One', 'Two'])
  await world.alice.podcasts.undoListened(world.podcast.id, undo)
  expect(await world.newTo('alice')).toEqual(['One', 'Two'])
  // Not played again is not the same as new.
  await world.play('Old 1', 600, true)
  await world.play('Old 1', 0)
  expect(await world.newTo('alice')).toEqual(['One', 'Two'])
})

test('an episode can be dealt with without playing it, or be made new, and both can be undone', async () => {
  await using world = await plant()
  await world.publish('One')
  await world.publish('Two')
  const batch = newEpisodesApi(world.alice.client)
  const [one, old] = [(await world.episode('One')).id, (await world.episode('Old 2')).id]
  expect(await batch.set([one, old], false)).toMatchObject({ affected: 1 })
  expect(await world.newTo('alice')).toEqual(['Two'])
  expect(await world.newTo('root')).toEqual(['One', 'Two'])
  expect(await batch.set([one, old], true)).toMatchObject({ affected: 2 })
  expect(await world.newTo('alice')).toEqual(['Old 2', 'One', 'Two'])

  const { episodes } = await batch.clear(world.podcast.id)
  expect(episodes).toHaveLength(3)
  expect(await world.newTo('alice')).toEqual([])
  await batch.set(episodes, true)
  expect(await world.newTo('alice')).toEqual(['Old 2', 'One', 'Two'])
  // Playing one that was begun before it was made new ends that, too.
  await world.play('Old 1', 30)
  await batch.set([(await world.episode('Old 1')).id], true)
  expect(await world.newTo('alice')).toContain('Old 1')
  await world.play('Old 1', 60)
  expect(await world.newTo('alice')).not.toContain('Old 1')
})

test('an episode that its publisher lists anew under another guid stays as new as it was', async () => {
  await using world = await plant()
  await world.publish('One')
  await world.publish('Two')
  await newEpisodesApi(world.alice.client).set([(await world.episode('One')).id], false)
  const moved = world.items.map(item => ({ ...item, guid: `moved ${item.title}` }))
  world.items.splice(0, world.items.length)
  for (const item of moved) world.list(item.title!, 0, item)
  await world.refresh()
  expect(await world.newTo('alice')).toEqual(['Two'])
})

test('explicit episodes do not count as new for a person who does not see them', async () => {
  await using world = await plant()
  await world.publish('Loud', { extra: '<itunes:explicit>true</itunes:explicit>' })
  expect(await world.newTo('alice')).toEqual([])
  expect(await world.newTo('root')).toEqual(['Loud'])
})
