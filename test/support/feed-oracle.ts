import { type Digest, digestFeed, type DigestRequest } from '../../src/server/feeds/apply/digest'
import type { KnownEpisode } from '../../src/server/store/episodes'
import type { GuidEvidence } from '../../src/server/store/podcasts'
import { rss, type ItemSpec } from './builders'
import { startRandom, type Random } from './random'

// Random histories of feeds, and what their publisher knows beside them. Each episode's notes hold its key, so that the
// test sees what the recogniser made of it.

const [SECOND, HOUR, DAY] = [1000, 3600_000, 86_400_000]

/** The style of a feed: the marks by which its publisher tells episodes apart. */
type Style = {
  guid: 'own' | 'url' | 'number' | 'none' | 'address'
  address: 'own' | 'parameter' | 'signed' | 'dated'
  title: 'own' | 'numbered' | 'weekday' | 'one for all'
  date: 'own' | 'hourly' | 'day' | 'none'
  rhythm: 'daily' | 'weekly' | 'irregular'
  length: boolean
  duration: boolean
  window: number
}

const styleOf = ({ pick, weighted, chance }: Random): Style => ({
  guid: weighted({ own: 5, url: 2, number: 1, none: 0, address: 1 }),
  address: weighted({ own: 4, parameter: 2, signed: 2, dated: 1 }),
  title: weighted({ own: 5, numbered: 3, weekday: 1, 'one for all': 1 }),
  date: weighted({ own: 5, hourly: 2, day: 2, none: 1 }),
  rhythm: pick(['daily', 'weekly', 'irregular'] as const),
  length: chance(80),
  duration: chance(60),
  window: pick([5, 10, 20, 40, 80]),
})

type Truth = {
  key: string
  number: number
  title: string
  guid: string
  file: string
  at: number
  size: number
  duration: number
}

const words =
  'harbour fog tide salt lantern gull rope anchor chart storm pier whale sand drift mast cove reef bell'.split(' ')
const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

export type Tally = { listed: number; twins: number; merged: number; lost: number }
export type Story = { seed: number; step: number; event: string; problem: string; style: Style }

/** A change that a publisher or a host makes to a feed between two readings. */
type Event = (feed: Publisher) => void
type Publisher = ReturnType<typeof startPublisher>

function startPublisher(style: Style, random: Random) {
  const { below, between, pick, chance } = random
  const state = {
    all: [] as Truth[],
    first: 0,
    window: style.window,
    host: 'https://cdn.example/show',
    prefix: '',
    secret: 0,
    guids: (number: number): string =>
      ({
        own: `id-${below(2 ** 31).toString(36)}-${number}`,
        url: `https://show.example/episodes/${number}`,
        number: String(1000 + number),
        none: '',
        address: '',
      })[style.guid],
    dates: (time: number) => time,
    titles: (title: string, _: Truth) => title,
    isUndated: style.date === 'none',
    repeated: null as Truth | null,
    isShuffled: false,
    isEmpty: false,
  }
  let last = Date.UTC(2024, 0, 1, 8)

  function publish() {
    const number = state.all.length + 1
    last += { daily: DAY, weekly: 7 * DAY, irregular: between(20, 300) * HOUR }[style.rhythm]
    const at = {
      own: last + below(7200) * SECOND,
      hourly: last,
      day: Math.floor(last / DAY) * DAY,
      none: last,
    }[style.date]
    const topic = `${pick(words)} ${pick(words)} ${pick(words)} ${below(500)}`
    const truth: Truth = {
      key: `truth-${number}`,
      number,
      title: {
        own: `The ${topic}`,
        numbered: `Lighthouse Radio ${number}`,
        weekday: weekdays[number % 7]!,
        'one for all': 'Morning News',
      }[style.title],
      guid: state.guids(number),
      file: `${number}-${pick(words)}`,
      at,
      size: 1_000_000 + below(50_000_000),
      duration: 300 + below(5000),
    }
    state.all.push(truth)
    return truth
  }
  for (let count = style.window + below(20); count > 0; count--) publish()

  const addressOf = ({ file, number, key, at }: Truth) => {
    const bare = state.host.replace('https://', '')
    const base = state.prefix ? `https://${state.prefix}/${bare}` : state.host
    return {
      own: `${base}/${file}.mp3`,
      parameter: `${base}/get.php?e=${file}`,
      signed: `${base}/${file}.mp3?token=${state.secret}${key}`,
      dated: `${base}/${new Date(at).toISOString().slice(0, 10)}/${number}.mp3`,
    }[style.address]
  }

  const listed = () =>
    state.isEmpty ? [] : state.all.slice(Math.max(state.first, state.all.length - state.window)).toReversed()
  const itemOf = (truth: Truth): ItemSpec => ({
    guid: style.guid === 'none' ? null : style.guid === 'address' ? addressOf(truth) : truth.guid,
    title: state.titles(truth.title, truth),
    enclosure: addressOf(truth),
    date: state.isUndated ? null : new Date(state.dates(truth.at)).toUTCString(),
    notes: truth.key,
    ...(style.length && { length: truth.size }),
    ...(style.duration && { duration: String(truth.duration) }),
  })

  return {
    style,
    state,
    random,
    publish,
    listed,
    one: () => pick(listed()),
    feed() {
      const truths = listed()
      if (state.repeated && truths.includes(state.repeated)) truths.push(state.repeated)
      const items = truths.map(itemOf)
      return rss({ items: state.isShuffled && !state.isUndated ? random.shuffled(items) : items })
    },
    newGuids() {
      const scheme = pick(['urn:', 'tag/', 'hex'])
      state.guids = number =>
        scheme === 'hex' ? below(2 ** 31).toString(16) : `${scheme}${between(0, 9)}:${number}-${below(1e6)}`
      for (const truth of state.all) truth.guid = state.guids(truth.number)
    },
    newHost: () => void (state.host = `https://${pick(words)}${below(1000)}.example/${pick(words)}`),
    chance,
  }
}

const shiftAll =
  (shift: number): Event =>
  ({ state }) => {
    const { dates } = state
    state.dates = time => dates(time) + shift
  }
const dayIn =
  (zone: number): Event =>
  ({ state }) => {
    const { dates } = state
    state.dates = time => Math.floor((dates(time) + zone) / DAY) * DAY - zone
  }
const restyle =
  (titles: (title: string, truth: Truth) => string): Event =>
  ({ state }) => {
    const before = state.titles
    state.titles = (title, truth) => titles(before(title, truth), truth)
  }
const move: Event = feed => {
  feed.newGuids()
  feed.newHost()
}
const both =
  (...events: Event[]): Event =>
  feed =>
    events.forEach(event => event(feed))

const styles: Event[] = [
  restyle((title, { number }) => `#${number} ${title}`),
  restyle(title => `${title} | Lighthouse Radio`),
  restyle(title => title.toUpperCase()),
  restyle((title, { number }) => `Episode ${number}: ${title}`),
  restyle(title => title.replace(/ /g, ' – ')),
]
const shifts = [3 * SECOND, 60 * SECOND, HOUR, -HOUR, 5 * HOUR, 25 * HOUR, DAY, -DAY].map(shiftAll)
const zones = [0, 5, -5, 9].map(hours => dayIn(hours * HOUR))

export const events: Record<string, Event> = {
  nothing: () => {},
  publish: feed => void Array.from({ length: 1 + feed.random.below(3) }, feed.publish),
  'long pause': feed => void Array.from({ length: Math.min(feed.state.window, 60) + 2 }, feed.publish),
  reorder: ({ state }) => void (state.isShuffled = true),
  'tokens changed': ({ state }) => void state.secret++,
  'one retitled': feed => void (feed.one().title += ' (corrected)'),
  'one guid': feed => void (feed.one().guid += '-b'),
  'one file': feed => void (feed.one().file += '-v2'),
  'one date': feed => void (feed.one().at += feed.random.between(1, 3) * DAY),
  republish: feed => {
    const truth = feed.one()
    truth.at += 3 * DAY
    truth.size += 999
  },
  'edited wholly': feed => {
    const truth = feed.one()
    truth.title = `Now: ${truth.title}`
    truth.at += 5 * HOUR
    truth.size += 12_345
    truth.duration += 30
  },
  'titles restyled': feed => feed.random.pick(styles)(feed),
  'guids changed': feed => feed.newGuids(),
  'host moved': feed => feed.newHost(),
  'prefix added': ({ state, random }) =>
    void (state.prefix = random.pick(['dts.podtrac.com/redirect.mp3', 'pdst.fm/e', ''])),
  'lengths changed': ({ state, random }) => state.all.forEach(truth => (truth.size += random.below(100_000))),
  'dates shifted': feed => feed.random.pick(shifts)(feed),
  'dates cut': feed => feed.random.pick(zones)(feed),
  'summer time': ({ state, random }) => {
    const [from, { dates }] = [random.pick(state.all).at, { ...state }]
    state.dates = time => dates(time) + (time > from ? HOUR : 0)
  },
  'dates lost': ({ state }) => void (state.isUndated = true),
  move,
  'move, dates': feed => both(move, feed.random.pick(shifts))(feed),
  'move, days': feed => both(move, feed.random.pick(zones))(feed),
  'move, titles': feed => both(move, feed.random.pick(styles))(feed),
  'move, lengths': feed => both(move, events['lengths changed']!)(feed),
  'move, titles and dates': feed => both(move, feed.random.pick(styles), feed.random.pick(shifts))(feed),
  'window shrunk': ({ state }) => void (state.window = Math.max(3, state.window >> 1)),
  'archive opened': ({ state }) => void (state.window = 10_000),
  'move, archive opened': both(move, ({ state }) => void (state.window = 10_000)),
  'item repeated': feed => void (feed.state.repeated = feed.one()),
  empty: ({ state }) => void (state.isEmpty = true),
}

const keyOf = ({ notes }: { notes: string }) => /truth-\d+/.exec(notes)![0]

function digestOf(request: DigestRequest, seed: number): Digest {
  const result = digestFeed(request)
  if (!result.ok) throw new Error(`seed ${seed}: no feed`)
  return result.digest
}

/**
 * Plays one history; counts by the first event of a step, and tells what went wrong. `check` is given each reading, and
 * the same one where no item was recalled.
 */
export function playHistory(
  seed: number,
  steps: number,
  tallies: Map<string, Tally>,
  stories: Story[] = [],
  check?: (digest: Digest, whole: Digest) => void,
) {
  const random = startRandom(seed)
  const publisher = startPublisher(styleOf(random), random)
  const { state, style } = publisher
  let known: (KnownEpisode & { key: string; order: number })[] = []
  let evidence: GuidEvidence | null = null
  let nextId = 1

  for (let step = 0; step <= steps; step++) {
    const event = step === 0 ? 'first' : random.pick(Object.keys(events))
    if (step > 0) {
      if (random.chance(40)) publisher.publish()
      events[event]!(publisher)
    }
    const request = {
      body: new TextEncoder().encode(publisher.feed()),
      contentType: '',
      contentEncoding: '',
      address: 'https://show.example/feed.xml',
      maxBytes: 64_000_000,
      known,
      guidEvidence: evidence,
    }
    const digest = digestOf(request, seed)
    check?.(digest, digestOf({ ...request, known: known.map(row => ({ ...row, item_hash: null })) }, seed))
    const { added, edited, vanished, returned, rehashed } = digest
    evidence = digest.facts.guid_evidence
    const tally = tallies.get(event) ?? { listed: 0, twins: 0, merged: 0, lost: 0 }
    tallies.set(event, tally)
    const tell = (problem: string) => stories.push({ seed, step, event, problem, style })

    const before = new Set(known.map(({ key }) => key))
    const rows = new Map(known.map(row => [row.id, row]))
    for (const { id, facts, hash } of edited) {
      const row = rows.get(id)!
      if (row.key !== keyOf(facts)) {
        tally.merged++
        tell(`${row.key} became ${keyOf(facts)}`)
      }
      Object.assign(row, facts, { announced_duration: facts.duration, in_feed: 1, key: keyOf(facts), item_hash: hash })
    }
    for (const { id, hash } of rehashed) rows.get(id)!.item_hash = hash
    for (const id of vanished) rows.get(id)!.in_feed = 0
    for (const id of returned) rows.get(id)!.in_feed = 1
    for (const [place, { facts, hash }] of added.entries()) {
      if (before.has(keyOf(facts))) {
        tally.twins++
        tell(`a twin of ${keyOf(facts)}`)
      }
      const order = facts.announced_at ?? Date.UTC(2030, 0, 1) + step * DAY - place
      known.push({
        ...facts,
        item_hash: hash,
        announced_duration: facts.duration,
        id: nextId++,
        in_feed: 1,
        superseded: 0,
        key: keyOf(facts),
        order,
      })
    }
    known = known.toSorted((one, other) => one.order - other.order || one.id - other.id)
    const living = new Set(known.filter(({ in_feed }) => in_feed).map(({ key }) => key))
    const listed = publisher.listed()
    tally.listed += listed.length
    for (const { key } of listed)
      if (!living.has(key)) {
        tally.lost++
        tell(`${key} is lost`)
      }
    state.isEmpty = false
    state.repeated = null
    state.isShuffled = false
  }
}
