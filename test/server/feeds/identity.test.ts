import { describe, expect, test } from 'bun:test'
import { digestFeed, type Digest } from '../../../src/server/feeds/apply/digest'
import type { KnownEpisode } from '../../../src/server/store/episodes'
import type { GuidEvidence } from '../../../src/server/store/podcasts'
import { rss, type ItemSpec } from '../../support/builders'
import { knownAfter } from '../../support/known-episodes'

const day = (number: number) => new Date(Date.UTC(2026, 0, number)).toUTCString()

function digest(items: ItemSpec[], known: KnownEpisode[] = [], guidEvidence: GuidEvidence | null = null): Digest {
  const result = digestFeed({
    body: new TextEncoder().encode(rss({ items })),
    contentType: '',
    contentEncoding: '',
    address: 'https://pod.example/feed.xml',
    maxBytes: 1_000_000,
    known,
    guidEvidence,
  })
  if (!result.ok) throw new Error('no feed')
  return result.digest
}

const remember = (items: ItemSpec[]) => knownAfter(digest(items))

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

test('two items with one guid are both kept, and keep their identity', () => {
  const items = [
    { guid: 'same', title: 'Fog', date: day(3), enclosure: 'https://cdn.example/a.mp3' },
    { guid: 'same', title: 'Tide', date: day(2), enclosure: 'https://cdn.example/b.mp3' },
    { guid: 'same', title: 'Fog', date: day(3), enclosure: 'https://cdn.example/a.mp3?utm_source=x' },
  ]
  expect(digest(items).added.map(({ facts }) => facts.guid)).toEqual(['same', 'same#cdn.example/b.mp3'])
  expect(digest(items, remember(items))).toMatchObject({ added: [], edited: [] })
})

test('an episode with a changed guid is recognised by its enclosure', () => {
  const before = remember([{ guid: 'old' }])
  const after = digest([{ guid: 'new' }], before)
  expect(after.added).toEqual([])
  expect(after.edited).toMatchObject([{ id: 1, facts: { guid: 'new' } }])
})

test('an episode with a changed guid and file is recognised by title, day and length', () => {
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

test("a guid that is used again for another day's episode is a new one, played or not", () => {
  const old = [{ guid: 'daily', title: 'Monday', date: day(5), enclosure: 'https://cdn.example/mon.mp3' }]
  const next = [{ guid: 'daily', title: 'Tuesday', date: day(7), enclosure: 'https://cdn.example/tue.mp3' }]
  expect(digest(next, remember(old))).toMatchObject({
    added: [{ facts: { guid: 'daily#cdn.example/tue.mp3', feed_guid: 'daily' } }],
    edited: [],
  })
})

const rolling = (
  enclosure: (number: number) => string,
  newest: number,
  spec: (number: number) => ItemSpec = () => ({}),
) =>
  [newest, newest - 1, newest - 2].map(number => ({
    guid: `news-${number}`,
    title: `News ${number}`,
    date: day(number),
    enclosure: enclosure(number),
    ...spec(number),
  }))

describe.each(['e', 't', 'st', 'hash', 'token', 'ts', 'updated', 'utm_id'])('the parameter %s', name => {
  const address = (number: number) => `https://cdn.example/get.php?${name}=${number}`

  test('is part of the address where it alone tells episodes apart', () => {
    const known = remember(rolling(address, 5))
    const next = digest(rolling(address, 6), known)
    expect(next.added.map(({ facts }) => facts.title)).toEqual(['News 6'])
    expect(next).toMatchObject({ edited: [], vanished: [known.find(({ title }) => title === 'News 3')!.id] })
  })

  test('tells episodes apart in a feed without guids, too', () => {
    const items = rolling(address, 5, () => ({ guid: null }))
    expect(digest(items).added).toHaveLength(3)
    expect(
      digest(
        rolling(address, 6, () => ({ guid: null })),
        remember(items),
      ),
    ).toMatchObject({
      added: [{ facts: { title: 'News 6' } }],
      edited: [],
    })
  })

  test('is ignored where it is only a signature', () => {
    const signed = (secret: string) => (number: number) =>
      `https://cdn.example/${number}.mp3?${name}=${secret}${number}`
    const retitled = rolling(signed('b'), 5, () => ({ guid: null, date: null }))
    expect(digest(retitled, remember(rolling(signed('a'), 5, () => ({ guid: null, date: null }))))).toMatchObject({
      added: [],
      vanished: [],
      recognised: 3,
    })
  })
})

test('a signature is left out though another parameter tells the episodes apart', () => {
  const signed = (secret: string) => (number: number) =>
    `https://cdn.example/get.php?token=${secret}${number}&e=${number}`
  const known = remember(rolling(signed('a'), 5, () => ({ guid: null, date: null })))
  expect(known.map(({ guid }) => guid)).toContain('cdn.example/get.php?e=5')
  expect(
    digest(
      rolling(signed('b'), 5, () => ({ guid: null, date: null })),
      known,
    ),
  ).toMatchObject({
    added: [],
    recognised: 3,
  })
})

test('episodes that share one fixed address stay apart, and the address belongs to the newest', () => {
  const fixed = () => 'https://cdn.example/newscast.mp3'
  const known = remember(rolling(fixed, 5))
  expect(known.map(({ superseded }) => superseded)).toEqual([0, 1, 1])
  const next = digest(rolling(fixed, 6), known)
  expect(next.added.map(({ facts, superseded }) => [facts.title, superseded])).toEqual([['News 6', false]])
  expect(next).toMatchObject({ edited: [], superseded: [{ id: known[0]!.id, superseded: true }] })
})

test('a feed of one item with a fixed address and title gets a new episode with each new date', () => {
  const single = (number: number) => [
    { guid: `g${number}`, title: 'News', date: day(number), enclosure: 'https://cdn.example/newscast.mp3' },
  ]
  expect(digest(single(6), remember(single(5)))).toMatchObject({ added: [{ facts: { guid: 'g6' } }], edited: [] })
})

test('a recording that is announced a second time keeps its address for both', () => {
  const once = { guid: 'a', title: 'Fog', date: day(1), enclosure: 'https://cdn.example/fog.mp3', length: 5_000_000 }
  const again = { ...once, guid: 'b', title: 'From the archive: Fog', date: day(40) }
  expect(digest([again, once]).added.map(({ superseded }) => superseded)).toEqual([false, false])
})

test('three items at one address without guids stay three, and are recognised again', () => {
  const items = ['Fog', 'Tide', 'Salt'].map((title, index) => ({
    guid: null,
    title,
    date: day(3 - index),
    enclosure: 'https://cdn.example/a.mp3',
  }))
  expect(digest(items).added.map(({ facts }) => facts.title)).toEqual(['Fog', 'Tide', 'Salt'])
  expect(digest(items, remember(items))).toMatchObject({ added: [], edited: [], recognised: 3 })
})

test('guids that number the items of a feed from the top do not make a new episode of an old one', () => {
  const numbered = (newest: number) =>
    rolling(
      number => `https://cdn.example/${number}.mp3`,
      newest,
      number => ({ guid: String(newest - number + 1) }),
    )
  const known = remember(numbered(5))
  const next = digest(numbered(6), known)
  expect(next.added.map(({ facts }) => facts.title)).toEqual(['News 6'])
  expect(next.edited.map(({ id, facts }) => [known.find(row => row.id === id)!.title, facts.title])).toEqual([
    ['News 5', 'News 5'],
    ['News 4', 'News 4'],
  ])
})

test('a file that is overwritten each day in its slot is another episode', () => {
  const slots = (date: number, length: number) =>
    [8, 12, 18].map(hour => ({
      guid: `news-${hour}`,
      title: `News at ${hour}`,
      date: new Date(Date.UTC(2026, 0, date, hour)).toUTCString(),
      enclosure: `https://cdn.example/news-${hour}.mp3`,
      length: length + hour,
    }))
  expect(digest(slots(6, 900_000), remember(slots(5, 800_000)))).toMatchObject({ edited: [], recognised: 0 })
})

describe('an episode keeps its identity through one change at a time', () => {
  const before = [1, 2, 3].map(number => ({
    guid: `g${number}`,
    title: `Part ${number}`,
    date: day(number),
    enclosure: `https://cdn.example/${number}.mp3`,
    length: 1_000_000 + number,
  }))
  test.each<[string, ItemSpec]>([
    ['another title', { title: 'Another title' }],
    ['another guid', { guid: 'another' }],
    ['no guid', { guid: null }],
    ['another address', { enclosure: 'https://other.example/x.mp3' }],
    ['another length', { length: 7_000_000 }],
    ['another day', { date: day(20) }],
    ['no date', { date: null }],
    ['another title and date', { title: 'Another title', date: day(20) }],
    ['another title and address', { title: 'Another title', enclosure: 'https://other.example/x.mp3' }],
    ['another guid and title', { guid: 'another', title: 'Another title' }],
    ['another guid and address', { guid: 'another', enclosure: 'https://other.example/x.mp3' }],
  ])('%s', (_, change) => {
    const [first, ...rest] = before
    expect(digest([{ ...first, ...change }, ...rest], remember(before))).toMatchObject({
      added: [],
      vanished: [],
      recognised: 3,
    })
  })
})

test('an episode that vanished from the feed is told apart from one that never was', () => {
  const known = remember([{ guid: 'a' }, { guid: 'b' }])
  expect(digest([{ guid: 'a' }], known)).toMatchObject({ vanished: [2], added: [] })
})

test('episodes vanish from a feed that is untidy but whole, not from one that is cut', () => {
  const known = remember([{ guid: 'a' }, { guid: 'b' }])
  const digestText = (text: string) => {
    const body = new TextEncoder().encode(text)
    const result = digestFeed({
      body,
      contentType: '',
      contentEncoding: '',
      address: 'https://pod.example/feed.xml',
      maxBytes: 1e6,
      known,
    })
    return result.ok ? result.digest : null
  }
  const untidy = rss({ items: [{ guid: 'a', extra: '<itunes:category text="News">' }] })
  expect(digestText(untidy)).toMatchObject({ vanished: [2], warnings: [expect.any(String)] })
  expect(digestText(untidy.slice(0, untidy.indexOf('</channel>')))).toMatchObject({ vanished: [] })
})

test('items with nothing to play are left out and counted', () => {
  expect(
    digest([{ enclosure: null }, { type: 'application/pdf', enclosure: 'https://x.example/a.pdf' }, {}]),
  ).toMatchObject({
    skipped: 2,
    added: [{ facts: { guid: 'guid-2' } }],
  })
})

describe('a feed of ten episodes, all played and downloaded, brings none of them a second time', () => {
  type Ten = { title: string; guid: string; enclosure: string; at: number | null; length?: number }
  const HOUR = 3600_000
  const ten = (change: (episode: Ten, index: number) => Partial<Ten> = () => ({})) =>
    Array.from({ length: 10 }, (_, index) => {
      const episode: Ten = {
        title: `${['Fog', 'Tide', 'Salt', 'Gull', 'Rope', 'Pier', 'Reef', 'Bell', 'Mast', 'Cove'][index]} at sea`,
        guid: `old-${index}`,
        enclosure: `https://old.example/${index}.mp3`,
        // Some minutes past the hour, another number each day.
        at: Date.UTC(2026, 0, 20 - index, 6, (index * 17) % 60),
        length: 5_000_000 + 1234 * index,
      }
      const { at, ...rest } = { ...episode, ...change(episode, index) }
      return { ...rest, date: at === null ? null : new Date(at).toUTCString() }
    })
  const moved = (index: number) => ({ guid: `new-${index}`, enclosure: `https://new.example/show/${index}.mp3` })
  const undated = ten(() => ({ at: null }))
  const oneTitle = ten(() => ({ title: 'Morning News' }))

  test.each<[string, ItemSpec[], ItemSpec[]]>([
    ['after a move', ten(), ten((_, index) => moved(index))],
    ['after a move by 25 hours', ten(), ten(({ at }, index) => ({ ...moved(index), at: at! + 25 * HOUR }))],
    [
      'after a move that cut the dates to the day, west of Greenwich',
      ten(),
      ten(({ at }, index) => ({
        ...moved(index),
        at: Math.floor((at! - 5 * HOUR) / 86_400_000) * 86_400_000 + 5 * HOUR,
      })),
    ],
    [
      'after a move that numbered the titles',
      ten(),
      ten(({ title }, index) => ({ ...moved(index), title: `#${90 - index} | ${title.toUpperCase()}`, length: 0 })),
    ],
    [
      'after a move of a show with one title',
      oneTitle,
      ten(({ at }, index) => ({ ...moved(index), title: 'Morning News', at: at! + 3000 })),
    ],
    ['after a move of a feed without dates', undated, ten((_, index) => ({ ...moved(index), at: null }))],
    [
      'when titles are numbered and lengths change, without dates',
      undated,
      ten(({ title, length }, index) => ({ at: null, title: `${index}. ${title}`, length: length! + 999 })),
    ],
    [
      'when all dates go back an hour and advertising changes the lengths',
      oneTitle,
      ten(({ at, length }) => ({ title: 'Morning News', at: at! - HOUR, length: length! + 999 })),
    ],
    [
      'when an episode is published again',
      ten(),
      ten(({ at, length }, index) => (index === 4 ? { at: at! + 72 * HOUR, length: length! + 999 } : {})),
    ],
    [
      'when everything but the guid changes',
      ten(),
      ten(({ at }, index) =>
        index === 4
          ? { title: 'Storm', enclosure: 'https://new.example/x.mp3', at: at! + 72 * HOUR, length: 9_000_000 }
          : {},
      ),
    ],
    [
      'when a prefix counts the listeners',
      ten(),
      ten(({ enclosure }) => ({ enclosure: enclosure.replace('//', '//pdst.fm/e/') })),
    ],
  ])('%s', (_, before, after) => {
    expect(digest(after, remember(before))).toMatchObject({ added: [], recognised: 10, vanished: [] })
  })

  test('nor does the host that answers with no item at all, and later with all of them moved', () => {
    const known = remember(ten())
    expect(digest([], known)).toMatchObject({ vanished: [] })
    expect(
      digest(
        ten((_, index) => moved(index)),
        known,
      ),
    ).toMatchObject({ added: [], recognised: 10 })
  })

  test('but ten newer episodes of the same weekdays are new', () => {
    const week = (first: number) =>
      Array.from({ length: 5 }, (_, index) => ({
        title: ['Friday', 'Thursday', 'Wednesday', 'Tuesday', 'Monday'][index]!,
        guid: `g-${first - index}`,
        enclosure: `https://cdn.example/${first - index}.mp3`,
        date: day(first - index),
      }))
    expect(digest(week(16), remember(week(9)))).toMatchObject({ recognised: 0 })
  })
})

describe('a feed loses the trust in its guids', () => {
  test.each<[string, ItemSpec[], string]>([
    ['when many items share one', [{ guid: 'a' }, { guid: 'a' }, { guid: 'a' }, { guid: 'b' }], 'repeated'],
    ['when they count the items', [{ guid: '1' }, { guid: '2' }, { guid: '3' }], 'by-place'],
  ])('%s', (_, items, evidence) => {
    expect(digest(items).facts.guid_evidence).toBe(evidence as Digest['facts']['guid_evidence'])
  })

  test('when they move to other recordings', () => {
    const show = (newest: number) =>
      rolling(
        number => `https://cdn.example/${number}.mp3`,
        newest,
        number => ({ guid: `slot-${newest - number}`, length: 1_000_000 + number }),
      )
    const next = digest(show(6), remember(show(5)))
    expect(next.facts.guid_evidence).toBe('moved')
    expect(next.added.map(({ facts }) => facts.title)).toEqual(['News 6'])
  })

  test('and for good: one quiet reading later the guid of another recording is still no proof', () => {
    const known = remember([1, 2, 3, 4].map(number => ({ guid: `slot-${number}`, date: day(number) })))
    const again = { guid: 'slot-1', title: 'Storm', date: day(30), enclosure: 'https://cdn.example/storm.mp3' }
    expect(digest([again], known)).toMatchObject({ added: [] })
    const next = digest([again], known, 'moved')
    expect(next.added.map(({ facts }) => facts.title)).toEqual(['Storm'])
    expect(next.facts.guid_evidence).toBe('moved')
  })

  test('and keeps it when two of many share one', () => {
    const items = Array.from({ length: 40 }, (_, index) => ({ guid: index < 2 ? 'twice' : `g${index}` }))
    expect(digest(items).facts.guid_evidence).toBeNull()
  })
})
