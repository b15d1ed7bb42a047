import { expect, test } from 'bun:test'
import { startClock, startTestApp, withPasswords, type TestApp } from '../../support/app'
import { rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { startRandom } from '../../support/random'

// Three people listen, like and mark at random, while episodes come and go; what the application shows each of them is
// held against a model of plain maps that knows nothing of tables, triggers and counters.

const MINUTE = 60_000
const TOTAL = 600

type Played = { position: number; finished: boolean; at: number }
type Person = { sees: boolean; played: Map<string, Played>; likes: Set<string>; favourites: Set<string> }
type Item = { key: string; podcast: string; at: number; explicit: boolean }

const isPlayed = (one: Played | undefined) => one !== undefined && (one.position > 0 || one.finished)

test.each([1, 2, 3, 4, 5, 6])('three people act at random, and each sees their own state (%i)', async seed => {
  using host = startFeedHost()
  const clock = startClock()
  await using app = await startTestApp({ env: withPasswords, now: clock })
  app.prefill(0)
  const { below, pick, chance } = startRandom(seed)
  const root = app.as('root', 'Sup3rSecret')
  const apis = new Map([
    ['root', root],
    ['alice', await app.signUp('alice', 'user', true)],
    ['bob', await app.signUp('bob', 'user', false)],
  ] as const)
  type Name = 'root' | 'alice' | 'bob'
  const names: readonly Name[] = ['root', 'alice', 'bob']
  const people = Object.fromEntries(
    names.map(name => [
      name,
      { sees: name !== 'bob', played: new Map(), likes: new Set(), favourites: new Set() } satisfies Person,
    ]),
  ) as Record<Name, Person>

  const items: Item[] = []
  const shows = ['Fog', 'Lamps', 'Ropes']
  const publish = (podcast: string) =>
    host.feed(
      `/${podcast}.xml`,
      rss({
        title: podcast,
        items: items
          .filter(item => item.podcast === podcast)
          .map(({ key, at, explicit }) => ({
            guid: key,
            title: key,
            date: new Date(at).toUTCString(),
            duration: String(TOTAL),
            extra: `<itunes:explicit>${explicit}</itunes:explicit>`,
          })),
      }),
    )
  const newItem = (podcast: string) => {
    const key = `${podcast} ${items.filter(item => item.podcast === podcast).length}`
    items.push({ key, podcast, at: Math.floor(clock() / 1000) * 1000 - below(100) * MINUTE, explicit: chance(25) })
  }
  const podcastIds = new Map<string, string>()
  for (const show of shows) {
    for (let number = 0; number < 4; number++) newItem(show)
    podcastIds.set(show, (await root.podcasts.add(publish(show))).id)
  }
  const idsOf = async (podcast: string) => {
    const { data } = await root.podcasts.episodes(podcastIds.get(podcast)!, { limit: 200 }, null)
    return new Map(data.map(({ podcastEpisode }) => [podcastEpisode.name, podcastEpisode]))
  }

  async function act() {
    clock.advance(MINUTE)
    const name = pick(names)
    const api = apis.get(name)!
    const person = people[name]
    const podcast = pick(shows)
    const episodes = await idsOf(podcast)
    const visible = items.filter(item => item.podcast === podcast && (person.sees || !item.explicit))
    const item = visible.length > 0 ? pick(visible) : null
    const kind = below(8)
    if (kind === 0) {
      newItem(podcast)
      publish(podcast)
      const before = app.events.length
      await root.podcasts.refresh(podcastIds.get(podcast)!)
      await app.event('refreshedPodcast', event => app.events.indexOf(event as never) >= before)
    } else if (kind === 1) {
      const isOn = chance(50)
      await api.podcasts.favour(podcastIds.get(podcast)!, isOn)
      if (isOn) person.favourites.add(podcast)
      else person.favourites.delete(podcast)
    } else if (kind === 2 && item) {
      const isOn = chance(70)
      await api.episodes.like(episodes.get(item.key)!.id, isOn)
      if (isOn) person.likes.add(item.key)
      else person.likes.delete(item.key)
    } else if (kind === 3) {
      const finished = chance(50)
      const until = item && chance(50) ? item : null
      const { undo } = await api.podcasts.markListened(podcastIds.get(podcast)!, {
        finished,
        ...(until && { until: episodes.get(until.key)!.id }),
      })
      const before = new Map(person.played)
      const differs = (key: string) => {
        const known = person.played.get(key)
        return (known?.finished ?? false) !== finished || (!finished && known !== undefined && known.position > 0)
      }
      for (const { key, at } of visible)
        if ((!until || at <= until.at) && differs(key))
          person.played.set(key, { position: finished ? TOTAL : 0, finished, at: clock() })
      if (chance(30)) {
        clock.advance(MINUTE)
        await api.podcasts.undoListened(podcastIds.get(podcast)!, undo)
        for (const [key, played] of person.played)
          if (played !== before.get(key))
            person.played.set(key, { position: 0, finished: false, ...before.get(key), at: clock() })
      }
    } else if (item) {
      // Now and then a report that is older than what is known: it counts for nothing.
      const at = clock() - (chance(20) ? 50 * MINUTE : 0)
      const time = pick([0, 42, 300, TOTAL, TOTAL + 5])
      await api.playback.save({
        podcastEpisodeId: episodes.get(item.key)!.episode_id,
        time,
        total: TOTAL,
        timestamp: new Date(at).toISOString(),
      })
      const known = person.played.get(item.key)
      if (!known || at >= known.at)
        person.played.set(item.key, { position: Math.min(time, TOTAL), finished: time >= TOTAL, at })
    }
  }

  async function check() {
    for (const name of names) {
      const person = people[name]
      const visible = items.filter(item => person.sees || !item.explicit)
      const newestFirst = visible.toSorted((one, other) => other.at - one.at)
      const unplayed = newestFirst.filter(item => !isPlayed(person.played.get(item.key)))
      await expectTimeline(apis.get(name)!, {}, newestFirst, person)
      await expectTimeline(apis.get(name)!, { notListened: true }, unplayed, person)
      await expectTimeline(
        apis.get(name)!,
        { favoredOnly: true },
        newestFirst.filter(item => person.favourites.has(item.podcast)),
        person,
      )
      await expectTimeline(
        apis.get(name)!,
        { favoredEpisodes: true, notListened: true },
        unplayed.filter(item => person.likes.has(item.key)),
        person,
      )
      const counts = (await apis.get(name)!.podcasts.list()).map(podcast => [
        podcast.name,
        podcast.episode_count,
        podcast.unlistened_count,
        podcast.favorites,
      ])
      expect(counts).toEqual(
        shows.map(show => {
          const own = visible.filter(item => item.podcast === show)
          const open = own.filter(item => !person.played.get(item.key)?.finished)
          return [show, own.length, open.length, person.favourites.has(show)]
        }),
      )
    }
  }

  for (let step = 0; step < 40; step++) {
    await act()
    if (step % 5 === 4) await check()
  }
})

type Asking = Pick<TestApp, 'timeline'>
type Wish = Parameters<TestApp['timeline']['page']>[0]

async function expectTimeline({ timeline }: Asking, wish: Wish, items: readonly Item[], person: Person) {
  const shown: unknown[] = []
  let cursor: string | null = null
  let total = 0
  do {
    const page = await timeline.page({ ...wish, limit: 7 } as Wish, cursor)
    total = page.data.totalElements
    shown.push(
      ...page.data.data.map(({ podcast_episode: episode, history }) => ({
        name: episode.name,
        liked: episode.favored,
        played: history && [history.position, history.finished],
      })),
    )
    cursor = page.nextCursor
  } while (cursor !== null)
  const wanted = items.map(({ key }) => {
    const progress = person.played.get(key)
    return { name: key, liked: person.likes.has(key), played: progress ? [progress.position, progress.finished] : null }
  })
  // Episodes of one and the same second stand in the order in which they came.
  const byName = (one: unknown, other: unknown) =>
    (one as { name: string }).name < (other as { name: string }).name ? -1 : 1
  expect(shown.toSorted(byName)).toEqual(wanted.toSorted(byName))
  expect(total).toBe(wanted.length)
  const times = (shown as { name: string }[]).map(({ name }) => items.find(({ key }) => key === name)!.at)
  expect(times).toEqual(times.toSorted((one, other) => other - one))
}
