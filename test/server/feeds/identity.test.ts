import { expect, test } from 'bun:test'
import { digestFeed, type Digest } from '../../../src/server/feeds/digest'
import type { KnownEpisode } from '../../../src/server/store/episodes'
import { rss, type ItemSpec } from '../../support/builders'

const day = (number: number) => new Date(Date.UTC(2026, 0, number)).toUTCString()

function digest(items: ItemSpec[], known: KnownEpisode[] = []): Digest {
  const result = digestFeed({
    body: new TextEncoder().encode(rss({ items })),
    contentType: '',
    contentEncoding: '',
    address: 'https://pod.example/feed.xml',
    maxBytes: 1_000_000,
    known,
  })
  if (!result.ok) throw new Error('no feed')
  return result.digest
}

/** What the database knows after these items were stored. */
const remember = (items: ItemSpec[], heard = false): KnownEpisode[] =>
  digest(items).added.map(({ facts }, index) => ({ ...facts, id: index + 1, in_feed: 1, heard: Number(heard) }))

test('an unchanged feed has nothing to store', () => {
  const items = [{}, {}, {}]
  expect(digest(items, remember(items))).toMatchObject({ added: [], edited: [], vanished: [], recognised: 3 })
})

test('a missing guid is replaced by the enclosure without its signature', () => {
  const signed = (token: string) => [{ guid: null, enclosure: `https://cdn.example/a.mp3?id=7&token=${token}` }]
  expect(digest(signed('x')).added[0]!.facts.guid).toBe('cdn.example/a.mp3?id=7')
  const again = digest(signed('y'), remember(signed('x')))
  expect(again.added).toEqual([])
  expect(again.edited[0]!.facts.enclosure_url).toContain('token=y')
})

test('of two items with one guid both are kept, and stay what they are', () => {
  const items = [
    { guid: 'same', enclosure: 'https://cdn.example/a.mp3' },
    { guid: 'same', enclosure: 'https://cdn.example/b.mp3' },
    { guid: 'same', enclosure: 'https://cdn.example/a.mp3?utm_source=x' },
  ]
  expect(digest(items).added.map(({ facts }) => facts.guid)).toEqual(['same', 'same#cdn.example/b.mp3'])
  expect(digest(items, remember(items))).toMatchObject({ added: [], edited: [] })
})

test('a changed guid is mended where the enclosure stays', () => {
  const before = remember([{ guid: 'old' }])
  const after = digest([{ guid: 'new' }], before)
  expect(after.added).toEqual([])
  expect(after.edited).toMatchObject([{ id: 1, facts: { guid: 'new' } }])
})

test('a changed guid is mended where title, day and length stay though the file moved', () => {
  const before = remember([{ guid: 'old', title: 'Fog!', date: day(3), duration: '600' }])
  const moved = { guid: 'new', title: 'Fog', date: day(3), duration: '640', enclosure: 'https://other.example/x.mp3' }
  expect(digest([moved], before)).toMatchObject({ added: [], edited: [{ id: 1 }] })
  expect(digest([{ ...moved, date: day(9) }], before).added).toHaveLength(1)
})

test('a whole feed that moved to a new host brings no flood of new episodes', () => {
  const old = Array.from({ length: 10 }, (_, index) => ({
    guid: `a${index}`,
    title: `Part ${index}`,
    date: day(index + 1),
  }))
  const moved = old.map((item, index) => ({
    ...item,
    guid: `b${index}`,
    enclosure: `https://new.example/${index}.mp3`,
    // Two of them lost their dates on the way.
    ...(index < 2 && { date: day(20 + index) }),
  }))
  expect(digest(moved, remember(old))).toMatchObject({ added: [], recognised: 10 })
})

test("a guid that is used again for another day's episode is a new one, if the old was heard", () => {
  const old = [{ guid: 'daily', title: 'Monday', date: day(5), enclosure: 'https://cdn.example/mon.mp3' }]
  const next = [{ guid: 'daily', title: 'Tuesday', date: day(7), enclosure: 'https://cdn.example/tue.mp3' }]
  expect(digest(next, remember(old, true)).added).toMatchObject([{ facts: { guid: 'daily#cdn.example/tue.mp3' } }])
  expect(digest(next, remember(old, false))).toMatchObject({ added: [], edited: [{ id: 1 }] })
})

test('an episode that vanished from the feed is told apart from one that never was', () => {
  const known = remember([{ guid: 'a' }, { guid: 'b' }])
  expect(digest([{ guid: 'a' }], known)).toMatchObject({ vanished: [2], added: [] })
})

test('items with nothing to play are left out and counted', () => {
  expect(
    digest([{ enclosure: null }, { type: 'application/pdf', enclosure: 'https://x.example/a.pdf' }, {}]),
  ).toMatchObject({
    skipped: 2,
    added: [{ facts: { guid: 'guid-2' } }],
  })
})
