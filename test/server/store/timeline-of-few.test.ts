import { expect, test } from 'bun:test'
import type { EpisodeForUser } from '../../../src/server/store/episodes'
import { startRandom, type Random } from '../../support/random'
import { plantStore } from './plant'

type Planted = ReturnType<typeof plantStore>

/** Podcasts of very different lengths; some are favourites or tagged, some episodes played, liked or on the disk. */
function plantUneven({ store, user, podcast, episode, played }: Planted, random: Random) {
  const alice = user('alice', { explicit_consent: Number(random.chance(50)) })
  const tag = store.tags.add(alice.id, { name: 'News', color: 'Green' }, 1)
  const podcasts = Array.from({ length: 40 }, (_, index) =>
    podcast(`Podcast ${index}`, alice.id, { explicit: Number(random.chance(20)) }),
  )
  const share = random.pick([20, 90, 99])
  for (let index = 1; index <= 300; index++) {
    const { id } = podcasts[Math.floor(random.next() ** 2 * podcasts.length)]!
    const row = episode(id, `Episode ${index}`, {
      announced_at: random.chance(15) ? null : index,
      explicit: Number(random.chance(10)),
      duration: random.below(100),
    })
    if (random.chance(share)) played(alice.id, row, index, Number(random.chance(50)))
    if (random.chance(5)) store.episodes.like(alice.id, row.id, true, index)
    if (random.chance(10))
      store.episodes.keepFile(row.id, { path: `${index}.mp3`, size: 1, type: 'audio/mpeg', now: 1, duration: null })
  }
  const favourites = new Set(random.some(podcasts, random.below(8)).map(({ id }) => id))
  const tagged = new Set(random.some(podcasts, random.below(8)).map(({ id }) => id))
  for (const id of favourites) store.podcasts.favour(alice.id, id, true, 1)
  for (const id of tagged) store.tags.assign(tag.id, id)
  return { alice, tag, favourites, tagged }
}

const randomFilter = (random: Random, tagId: number) => ({
  favouritesOnly: random.chance(40),
  likedOnly: random.chance(20),
  unplayedOnly: random.chance(40),
  unfinishedOnly: random.chance(20),
  downloadedOnly: random.chance(20),
  tagId: random.chance(30) ? tagId : undefined,
  shorterThan: random.chance(20) ? 50 : undefined,
})
type Filter = ReturnType<typeof randomFilter>

const isLeft = (row: EpisodeForUser, filter: Filter, { favourites, tagged }: Record<string, Set<number>>) =>
  (!filter.favouritesOnly || favourites!.has(row.podcast_id)) &&
  (!filter.likedOnly || row.liked === 1) &&
  (!filter.unplayedOnly || !(row.playback_position || row.playback_finished)) &&
  (!filter.unfinishedOnly || !row.playback_finished) &&
  (!filter.downloadedOnly || row.file_path !== null) &&
  (filter.tagId === undefined || tagged!.has(row.podcast_id)) &&
  (filter.shorterThan === undefined || (row.duration > 0 && row.duration < filter.shorterThan))

test('a filter that leaves few episodes lists the same ones, page by page, as the whole timeline has', () => {
  const everything = { favouritesOnly: false, likedOnly: false, unplayedOnly: false }
  let found = 0
  for (let seed = 1; seed <= 12; seed++) {
    using planted = plantStore()
    const random = startRandom(seed)
    const { alice, tag, favourites, tagged } = plantUneven(planted, random)
    const { timeline } = planted.store
    for (let round = 0; round < 15; round++) {
      const filter = randomFilter(random, tag.id)
      const undatedLast = random.chance(50)
      const all = timeline.pageFor(alice, { ...everything, undatedLast }, 1000)
      const expected = all.filter(row => isLeft(row, filter, { favourites, tagged })).map(row => row.id)
      const listed: number[] = []
      for (let after; ;) {
        const page = timeline.pageFor(alice, { ...filter, undatedLast, after }, 7)
        listed.push(...page.map(row => row.id))
        const last = page.at(-1)
        if (!last) break
        after = { publishedAt: last.published_at, id: last.id, isUndated: last.dated === 0 }
      }
      expect(listed).toEqual(expected)
      const offset = random.below(40)
      expect(timeline.idsFor(alice, { ...filter, undatedLast }, 9, offset)).toEqual(expected.slice(offset, offset + 9))
      found += listed.length
    }
  }
  expect(found).toBeGreaterThan(1000)
}, 120_000)
