import { rss, type ItemSpec } from './builders'
import type { startRandom } from './random'

/** The style of a feed: the marks by which its publisher tells episodes apart. */
export type FeedStyle = {
  guid: 'own' | 'none' | 'one for all' | 'by place' | 'the address'
  address: 'own' | 'by parameter' | 'signed' | 'signed, by parameter' | 'one for all'
  title: 'own' | 'weekday' | 'one for all'
  date: 'own' | 'day' | 'none'
  length: 'true' | 'none'
}

export const styles: { [K in keyof FeedStyle]: readonly FeedStyle[K][] } = {
  guid: ['own', 'own', 'none', 'one for all', 'by place', 'the address'],
  address: ['own', 'by parameter', 'signed', 'signed, by parameter', 'one for all'],
  title: ['own', 'own', 'own', 'weekday', 'one for all'],
  date: ['own', 'own', 'day', 'none'],
  length: ['true', 'none'],
}

/** An episode as its publisher knows it. `key` is what the test knows it by; it also stands in its notes. */
type Truth = { key: string; number: number; title: string; guid: string; file: string; at: number; size: number }

const DAY = 24 * 60 * 60 * 1000
const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/**
 * The truth behind a feed, and the feed as it is served. Each command is something that publishers and their hosts do;
 * `changedSince` tells how many of an episode's marks were changed since the feed was last read.
 */
export function startPublisher(
  style: FeedStyle,
  origin: string,
  { below, pick, chance }: ReturnType<typeof startRandom>,
) {
  const all = new Map<string, Truth>()
  let listed: Truth[] = []
  let repeated: string | null = null
  let secret = 0
  const changes = new Map<string, Set<string>>()
  const note = (truth: Truth, mark: string) => {
    const marks = changes.get(truth.key) ?? new Set()
    changes.set(truth.key, marks.add(mark))
  }

  function publish() {
    const number = all.size + 1
    const truth: Truth = {
      key: `truth-${number}`,
      number,
      title: style.title === 'own' ? `Part ${number}` : style.title === 'weekday' ? weekdays[number % 7]! : 'News',
      guid: `guid-${number}`,
      file: String(number),
      at: Date.UTC(2026, 0, number) + (style.date === 'own' ? below(DAY / 1000) * 1000 : 0),
      size: 20_000 + 417 * number,
    }
    all.set(truth.key, truth)
    listed.unshift(truth)
  }

  function addressOf({ file, key }: Truth): string {
    const signature = `token=${secret}${key}`
    const address = {
      own: `/media/${file}.mp3`,
      'by parameter': `/media/get.php?e=${file}`,
      signed: `/media/${file}.mp3?${signature}`,
      'signed, by parameter': `/media/get.php?e=${file}&${signature}`,
      'one for all': '/media/newscast.mp3',
    }[style.address]
    return origin + address
  }

  function guidOf(truth: Truth, place: number): string | null {
    const guid = {
      own: truth.guid,
      none: null,
      'one for all': 'always the same',
      'by place': String(place + 1),
      'the address': addressOf(truth),
    }[style.guid]
    return guid
  }

  const itemOf = (truth: Truth, place: number): ItemSpec => ({
    guid: guidOf(truth, place),
    title: truth.title,
    enclosure: addressOf(truth),
    date: style.date === 'none' ? null : new Date(truth.at).toUTCString(),
    notes: truth.key,
    ...(style.length === 'true' && { length: truth.size }),
  })

  for (let count = 0; count < 5; count++) publish()

  return {
    all,
    commands: {
      roll() {
        for (let count = 1 + below(2); count > 0; count--) publish()
        listed = listed.slice(0, 5)
      },
      reorder() {
        // Without dates the order alone tells which one is the newest.
        if (style.date !== 'none') listed = listed.toSorted(() => below(3) - 1)
      },
      resign: () => void secret++,
      retitle() {
        const truth = pick(listed)
        truth.title = `${truth.title}, edition ${below(1000)}`
        note(truth, 'title')
      },
      changeGuid() {
        const whole = chance(30)
        for (const truth of whole ? listed : [pick(listed)]) {
          truth.guid = `${truth.guid}-${below(1000)}`
          note(truth, 'guid')
        }
      },
      moveFile() {
        const truth = pick(listed)
        truth.file = `${truth.number}-${below(1000)}`
        note(truth, 'address')
      },
      redate() {
        const truth = pick(listed)
        truth.at += (1 + below(3)) * DAY
        note(truth, 'date')
      },
      shrink: () => void (listed = listed.slice(0, 2 + below(2))),
      repeat: () => void (repeated = pick(listed).key),
    },
    feed() {
      const items = listed.map(itemOf)
      const again = listed.findIndex(({ key }) => key === repeated)
      if (again >= 0) items.push(items[again]!)
      return rss({ items })
    },
    listed: () => listed.map(({ key }) => key),
    /** The episode whose recording lies at an address now. */
    at(url: URL): Truth | undefined {
      if (style.address === 'one for all')
        return listed.reduce((one, other) => (style.date !== 'none' && other.at > one.at ? other : one))
      const file = url.searchParams.get('e') ?? /\/([\w-]+)\.mp3$/.exec(url.pathname)?.[1]
      return [...all.values()].findLast(truth => truth.file === file)
    },
    changesOf: (key: string) => changes.get(key) ?? new Set<string>(),
    /** Forgets what was changed: the feed was read. */
    wasRead() {
      changes.clear()
      repeated = null
    },
  }
}
