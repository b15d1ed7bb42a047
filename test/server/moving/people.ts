import type { UserRow } from '../../../src/server/store/users'
import type { TestApp } from '../../support/app'
import type { Random } from '../../support/random'

/** Acts as people do in the time between a move and its undo, at random. */
export async function actAtRandom(app: TestApp, people: readonly UserRow[], random: Random, count: number) {
  for (let done = 0; done < count; done++) {
    const podcasts = app.context.store.sync.feeds().map(({ id }) => app.context.store.podcasts.find(id)!)
    if (podcasts.length === 0) return
    const podcast = random.pick(podcasts)
    const episodes = app.context.store.episodes.knownOf(podcast.id)
    const user = random.pick(people)
    const name = random.weighted(episodes.length > 0 ? { ...onEpisodes, ...onPodcasts } : onPodcasts)
    const episode = app.context.store.episodes.find(episodes[random.below(episodes.length)]?.id ?? 0)!
    await actions[name]({ ...app.context, user, podcast, episode, random })
  }
}

const onEpisodes = { play: 4, finish: 2, like: 3, queue: 3, list: 2, bookmark: 2, mark: 1, restore: 1 }
const onPodcasts = { favour: 3, tag: 2, rename: 1, prefer: 1, rule: 1, pause: 1, remove: 1, clear: 1 }
type Name = keyof typeof onEpisodes | keyof typeof onPodcasts

type World = TestApp['context'] & {
  user: UserRow
  podcast: NonNullable<ReturnType<TestApp['context']['store']['podcasts']['find']>>
  episode: NonNullable<ReturnType<TestApp['context']['store']['episodes']['find']>>
  random: Random
}

const actions: Record<Name, (world: World) => unknown> = {
  play: ({ playback, user, episode, random }) =>
    playback.record(user.id, episode, { position: random.between(1, 900), total: 1800 }),
  finish: ({ playback, user, episode }) => playback.record(user.id, episode, { position: 1800, total: 1800 }),
  like: ({ favourites, user, episode, random }) => favourites.like(user.id, episode.id, random.chance(60)),
  queue({ queue, store, user, episode, random }) {
    const ids = store.queue.idsOf(user.id)
    if (random.chance(60) && !ids.includes(episode.id)) return queue.addAll(user.id, [episode.id], 'next')
    const item = store.queue.itemsFor(user)[0]
    if (item) queue.remove(user.id, item.queue_uuid)
  },
  list({ store, user, episode, random, now }) {
    const name = random.pick(['Trip', 'Own'])
    const list = store.playlists.findByName(user.id, name) ?? store.playlists.add(user.id, name, now())
    if (random.chance(70)) store.playlists.append(list.id, episode.id, 100)
    else store.playlists.removeItem(list.id, episode.id)
  },
  bookmark({ bookmarks, store, user, episode, random }) {
    const known = store.bookmarks.listFor(user, 10)
    if (known.length > 0 && random.chance(50)) bookmarks.edit(user, random.pick(known).uuid, { note: 'edited' })
    else bookmarks.add(user, { episode: episode.uuid, time: random.below(100) })
  },
  mark: ({ marking, user, podcast, random }) => marking.mark(user, podcast.id, { finished: random.chance(50) }),
  restore: ({ store, episode, random }) => store.episodes.markRemoved(episode.id, random.chance(50)),
  favour: ({ favourites, user, podcast, random }) => favourites.favour(user.id, podcast.id, random.chance(60)),
  tag({ store, tags, user, podcast, random }) {
    const name = random.pick(['Mornings', 'Coast', 'New', 'Mine'])
    const tag = store.tags.findByName(user.id, name) ?? tags.create(user.id, { name, color: 'Blue' })
    if (random.chance(20)) tags.edit(user.id, tag.uuid, { color: 'Green', description: 'Edited' })
    if (random.chance(70)) store.tags.assign(tag.id, podcast.id)
    else store.tags.unassign(tag.id, podcast.id)
  },
  rename: ({ store, podcast, random }) => store.podcasts.rename(podcast.id, `Named ${random.below(1000)}`),
  prefer: ({ store, user, podcast, random }) =>
    store.podcastSettings.keepPreferences(user.id, podcast.id, {
      speed: 2,
      boost: random.between(10, 90),
      skipIntro: 1,
      skipOutro: 2,
      skipMarked: random.chance(50),
    }),
  rule: ({ store, podcast, random }) =>
    store.podcastSettings.keep(podcast.id, {
      ...store.podcastSettings.of(podcast.id),
      exclude: `word ${random.below(1000)}`,
    }),
  pause: ({ store, podcast, now }) => store.podcasts.setActive(podcast.id, podcast.active === 0, now()),
  remove: ({ removePodcast, podcast }) => removePodcast(podcast, true),
  clear: ({ queue, user }) => queue.clear(user.id),
}
