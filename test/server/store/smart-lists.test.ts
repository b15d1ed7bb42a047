import { expect, test } from 'bun:test'
import type { SmartOrder } from '../../../src/shared/api/playlist'
import { queryOf, titleTest, wholeTerms } from '../../../src/server/search/words'
import { indexSome } from '../../../src/server/search/indexer'
import type { EpisodeForUser } from '../../../src/server/store/episodes'
import type { SmartCondition, SmartQuery } from '../../../src/server/store/smart-conditions'
import { sortByTitle } from '../../../src/server/store/podcast-settings'
import { startRandom, type Random } from '../../support/random'
import { plantStore } from './plant'

type Planted = ReturnType<typeof plantStore>
type World = Awaited<ReturnType<typeof plantWorld>>

const DAY = 86_400_000
const names = ['alpha', 'Émile', 'Beta 10', 'beta 9', 'ünder', 'Zebra']
const words = ['sea', 'Café', 'night', 'ÅR', '7', 'the', 'usual']
const orders: readonly SmartOrder[] = ['newest', 'oldest', 'shortest', 'longest', 'podcast', 'played']

/** A library of which the random numbers decide everything that rules ask for. */
async function plantWorld({ store, user, podcast, episode, played }: Planted, random: Random, episodes: number) {
  const alice = user('alice', { explicit_consent: Number(random.chance(50)) })
  const bob = user('bob')
  const tags = ['News', 'Sea'].map(name => store.tags.add(alice.id, { name, color: 'Green' }, 1))
  const podcasts = Array.from({ length: 12 }, (_, index) =>
    podcast(`${names[index % names.length]} ${index}`, alice.id, { explicit: Number(random.chance(15)) }),
  )
  const share = random.pick([5, 60, 100])
  for (let index = 1; index <= episodes; index++) {
    const { id } = podcasts[Math.floor(random.next() ** 2 * podcasts.length)]!
    // Most of the library has one of the words.
    const title = [...random.some(words, random.below(4)), ...(random.chance(80) ? ['usual'] : [])].join(' ')
    const row = episode(id, `${title} #${index}`, {
      announced_at: random.chance(15) ? null : index,
      explicit: Number(random.chance(10)),
      duration: random.chance(15) ? 0 : 1 + random.below(100),
      season: random.chance(40) ? 1 + random.below(3) : null,
      type: random.pick(['full', 'full', 'full', 'trailer', 'bonus'] as const),
    })
    if (random.chance(share)) played(alice.id, row, index % 50, Number(random.chance(50)))
    if (random.chance(30)) played(bob.id, row, index, 1)
    if (random.chance(15)) store.episodes.like(alice.id, row.id, true, index)
    if (random.chance(20))
      store.episodes.keepFile(row.id, { path: `${index}.mp3`, size: 1, type: 'audio/mpeg', now: 1, duration: null })
  }
  const favourites = new Set(random.some(podcasts, random.below(8)).map(({ id }) => id))
  for (const id of favourites) store.podcasts.favour(alice.id, id, true, 1)
  const tagged = tags.map(tag => {
    const ids = new Set(random.some(podcasts, random.below(8)).map(({ id }) => id))
    for (const id of ids) store.tags.assign(tag.id, id)
    return ids
  })
  while (store.search.isBehind()) await indexSome(store)
  return { alice, tags, podcasts, favourites, tagged, newest: episodes }
}

/** A rule, and the same by a look at the episode. */
function randomRule(
  random: Random,
  world: World,
): { condition: SmartCondition; isMet: (row: EpisodeForUser) => boolean } {
  const { tags, podcasts, favourites, tagged, newest } = world
  const kind = random.pick([
    'podcast',
    'tag',
    'favourite',
    'played',
    'downloaded',
    'liked',
    'duration',
    'age',
    'title',
    'season',
    'type',
    'nothing',
  ] as const)
  const is = random.chance(50)
  switch (kind) {
    case 'podcast': {
      const ids = random.some(podcasts, 1 + random.below(3)).map(({ id }) => id)
      return { condition: { field: kind, isNot: !is, ids }, isMet: row => ids.includes(row.podcast_id) === is }
    }
    case 'tag': {
      const wanted = random.some([0, 1], 1 + random.below(2))
      const holds = (id: number) => wanted.some(index => tagged[index]!.has(id))
      return {
        condition: { field: kind, isNot: !is, ids: wanted.map(index => tags[index]!.id) },
        isMet: row => holds(row.podcast_id) === is,
      }
    }
    case 'favourite':
      return { condition: { field: kind, is }, isMet: row => favourites.has(row.podcast_id) === is }
    case 'played': {
      const state = random.pick(['unplayed', 'started', 'finished'] as const)
      return { condition: { field: kind, is: state }, isMet: row => stateOf(row) === state }
    }
    case 'downloaded':
      return { condition: { field: kind, is }, isMet: row => (row.file_path !== null) === is }
    case 'liked':
      return { condition: { field: kind, is }, isMet: row => (row.liked === 1) === is }
    case 'duration': {
      const seconds = 1 + random.below(110)
      return is
        ? { condition: { field: kind, op: 'at-least', seconds }, isMet: row => row.duration >= seconds }
        : {
            condition: { field: kind, op: 'at-most', seconds },
            isMet: row => row.duration > 0 && row.duration <= seconds,
          }
    }
    case 'age': {
      const since = random.below(newest + 20) * DAY
      return {
        condition: { field: kind, op: is ? 'within' : 'older', since },
        isMet: row => row.dated === 1 && row.published_at >= since === is,
      }
    }
    case 'title': {
      const wanted = random.some(words, 1 + random.below(2))
      const isIn = titleTest(wanted)
      return {
        condition: { field: kind, isNot: !is, match: queryOf(wholeTerms(wanted)), isIn },
        // Both the index and a look at a title have to agree with this.
        isMet: ({ title }) => wanted.every(word => plain(title).split(/[ #]+/).includes(plain(word))) === is,
      }
    }
    case 'season': {
      const season = random.below(5)
      return { condition: { field: kind, is: season }, isMet: row => row.season === season }
    }
    case 'type': {
      const type = random.pick(['full', 'trailer', 'bonus'] as const)
      return { condition: { field: kind, is: type }, isMet: row => row.type === type }
    }
    case 'nothing':
      return { condition: { field: kind }, isMet: () => false }
  }
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

const stateOf = ({ playback_position, playback_finished }: EpisodeForUser) =>
  playback_finished ? 'finished' : playback_position ? 'started' : 'unplayed'

/** The order by comparing two episodes after the other; every key that is smaller comes first. */
function inOrder(rows: readonly EpisodeForUser[], order: SmartOrder, { podcasts }: World): EpisodeForUser[] {
  const ranks = new Map(sortByTitle(podcasts).map(({ id }, rank) => [id, rank]))
  const newest = (row: EpisodeForUser) => [1 - row.dated, -row.published_at, -row.id]
  const keys: Record<SmartOrder, (row: EpisodeForUser) => number[]> = {
    newest,
    oldest: row => [1 - row.dated, row.published_at, row.id],
    shortest: row => [Number(row.duration === 0), row.duration, row.published_at, row.id],
    longest: row => [-row.duration, -row.published_at, -row.id],
    podcast: row => [ranks.get(row.podcast_id)!, -row.published_at, -row.id],
    played: row => (stateOf(row) === 'unplayed' ? [1, ...newest(row)] : [0, -row.playback_at!, -row.id]),
  }
  return rows.toSorted((a, b) => {
    const [one, other] = [keys[order](a), keys[order](b)]
    const place = one.findIndex((key, index) => key !== other[index])
    return place === -1 ? 0 : one[place]! - other[place]!
  })
}

/** Compares lists by rules with all episodes, filtered and sorted here. */
async function compare(seed: number, episodes: number, rounds: number): Promise<number> {
  using planted = plantStore()
  const random = startRandom(seed)
  const world = await plantWorld(planted, random, episodes)
  const { store } = planted
  const everything = { favouritesOnly: false, likedOnly: false, unplayedOnly: false }
  const all = store.timeline.pageFor(world.alice, everything, episodes)
  let found = 0
  for (let round = 0; round < rounds; round++) {
    const rules = Array.from({ length: random.below(5) }, () => randomRule(random, world))
    const query: SmartQuery = {
      match: random.pick(['all', 'any']),
      conditions: rules.map(({ condition }) => condition),
      order: random.pick(orders),
      limit: random.pick([1, 7, 500]),
    }
    const isIn = (row: EpisodeForUser) =>
      query.match === 'all' ? rules.every(({ isMet }) => isMet(row)) : rules.some(({ isMet }) => isMet(row))
    const expected = inOrder(all.filter(isIn), query.order, world).slice(0, query.limit)
    const ids = store.smartLists.idsFor(world.alice, query)
    expect({ seed, query, ids }).toEqual({ seed, query, ids: expected.map(row => row.id) })
    expect(store.smartLists.rowsFor(world.alice, ids).map(row => row.id)).toEqual(ids)
    found += ids.length
  }
  return found
}

test('lists by rules hold the same episodes as a filter of the whole library, in the same order', async () => {
  let found = 0
  for (let seed = 1; seed <= 10; seed++) found += await compare(seed, 250, 60)
  expect(found).toBeGreaterThan(2000)
}, 120_000)

test('so they do in a library that is longer than what is collected at once', async () => {
  expect(await compare(99, 9000, 60)).toBeGreaterThan(2000)
}, 120_000)

test('an episode at the end of a stretch is neither left out nor listed twice', () => {
  using planted = plantStore()
  const { store, user, podcast, episode, played } = planted
  const alice = user('alice')
  const { id } = podcast('Alpha', alice.id)
  const length = 8100
  // A stretch is 4000 long, from either end: these are the last of one and the first of the next.
  const wanted = new Set([4000, 4001, length - 4000, length - 3999])
  const expected: number[] = []
  store.inTransaction(() => {
    for (let index = 1; index <= length; index++) {
      const row = episode(id, `Episode ${index}`, { announced_at: index, duration: index })
      if (wanted.has(index)) expected.push(row.id)
      else played(alice.id, row, index)
    }
  })
  const conditions: SmartCondition[] = [{ field: 'played', is: 'unplayed' }]
  const ids = (order: SmartOrder) =>
    store.smartLists.idsFor(alice, { match: 'all', conditions, order, limit: 500 }).toSorted((a, b) => a - b)
  for (const order of ['newest', 'oldest', 'shortest', 'longest'] as const)
    expect({ order, ids: ids(order) }).toEqual({ order, ids: expected })
}, 120_000)
