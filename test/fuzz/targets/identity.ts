import fc from 'fast-check'
import { applyDigest } from '../../../src/server/feeds/apply/apply'
import { digestFeed } from '../../../src/server/feeds/apply/digest'
import { mergeTwins } from '../../../src/server/feeds/apply/twins'
import { openStore } from '../../../src/server/store'
import { rss, type ItemSpec } from '../../support/builders'
import { require, type Target } from '../target'

type Item = {
  guid: number | null
  title: number
  address: number
  signature: number | null
  day: number | null
  hours: number
  length: number
  minutes: number
}
/** A reading: the items of the one before from a place on, shifted and changed, and others in front and behind. */
type Reading = {
  from: number
  to: number
  shiftHours: number
  renamed: boolean
  moved: boolean
  front: Item[]
  behind: Item[]
  trailer: number | null
}
type Input = { first: Item[]; readings: Reading[] }

const item: fc.Arbitrary<Item> = fc.record({
  guid: fc.option(fc.nat(8), { freq: 4 }),
  title: fc.nat(6),
  address: fc.nat(8),
  signature: fc.option(fc.nat(3)),
  day: fc.option(fc.nat(20), { freq: 6 }),
  hours: fc.constantFrom(0, 0, 8, 23),
  length: fc.constantFrom(0, 0, 20_001, 20_002, 20_003),
  minutes: fc.constantFrom(0, 30, 31),
})
const items = (maxLength: number) => fc.array(item, { maxLength })
const titles = ['News', 'Fog', 'Fog 1', 'Fog 2', 'Part 3: Tide', 'Folge 3', '…']
const address = 'https://pod.example/feed.xml'

/** Whatever a feed becomes: each reading is stored, takes no episode twice, and changes nothing when it comes again. */
export function identity(): Target<Input> {
  const store = openStore(':memory:')
  const user = store.users.add({ username: 'admin', role: 'admin', explicit_consent: 1 }, 0)
  let last = 0
  return {
    name: 'identity',
    texts: [],
    slowMs: 3000,
    inputs: fc.record({
      first: items(10),
      readings: fc.array(
        fc.record({
          from: fc.nat(4),
          to: fc.nat(12),
          shiftHours: fc.constantFrom(0, 0, 0, 1, -5, 24, 168),
          renamed: fc.boolean(),
          moved: fc.boolean(),
          front: items(3),
          behind: items(3),
          trailer: fc.option(fc.nat(8)),
        }),
        { minLength: 1, maxLength: 4 },
      ),
    }),
    async check({ first, readings }) {
      const feedUrl = `${address}?${++last}`
      const podcast = store.podcasts.add({
        title: '',
        folder: String(last),
        feedUrl,
        privacy: 0,
        userId: user.id,
        now: 1,
      })
      let listed = first
      let [guids, host] = [0, 0]
      try {
        await read(podcast.id, bodyOf(listed, { guids, host, trailer: null }), 0)
        for (const [at, reading] of readings.entries()) {
          guids += Number(reading.renamed)
          host += Number(reading.moved)
          const kept = listed
            .slice(reading.from, reading.to)
            .map(one => ({ ...one, hours: one.hours + reading.shiftHours }))
          listed = [...reading.front, ...kept, ...reading.behind]
          await read(podcast.id, bodyOf(listed, { guids, host, trailer: reading.trailer }), at + 1)
          await mergeTwins(store, podcast.id)
        }
      } finally {
        store.inTransaction(() => store.removals.remove('podcast', podcast.id, ''))
      }
    },
  }

  async function read(podcastId: number, body: string, at: number) {
    const seenAt = Date.UTC(2026, 6, 1 + at)
    const digest = digestOf(podcastId, body)
    const taken = [...digest.edited.map(({ id }) => id), ...digest.returned, ...digest.vanished]
    require(new Set(taken).size === taken.length, 'an episode is taken twice', taken)
    const guids = digest.added.concat(digest.edited).map(({ facts }) => facts.guid)
    require(new Set(guids).size === guids.length, 'two episodes have one guid', guids)
    const validators = { etag: null, lastModified: null, digest: null }
    await applyDigest(store, podcastId, digest, { validators, seenAt })
    const { added, edited, returned, vanished, superseded } = digestOf(podcastId, body)
    const changes = {
      added: added.map(({ facts }) => facts.title),
      edited: edited.map(({ id }) => id),
      returned,
      vanished,
      superseded,
    }
    require(Object.values(changes).every(
      list => list.length === 0,
    ), 'a reading changes something when it comes again', changes)
  }

  function digestOf(podcastId: number, body: string) {
    const result = digestFeed({
      body: new TextEncoder().encode(body),
      contentEncoding: '',
      contentType: '',
      address,
      maxBytes: 1_000_000,
      known: store.episodes.knownOf(podcastId),
      guidEvidence: store.podcasts.guidEvidenceOf(podcastId),
    })
    require(result.ok, 'a feed of items cannot be read')
    return result.digest
  }
}

function bodyOf(list: readonly Item[], at: { guids: number; host: number; trailer: number | null }): string {
  const trailer =
    at.trailer === null ? '' : `<podcast:trailer url="${addressOf(at.trailer, at.host)}">Trailer</podcast:trailer>`
  return rss({ extra: trailer, items: list.map(one => specOf(one, at)) })
}

const addressOf = (address: number, host: number) => `https://cdn${host}.example/${address}.mp3`

function specOf(
  { guid, title, address, signature, day, hours, length, minutes }: Item,
  at: { guids: number; host: number },
): ItemSpec {
  return {
    guid: guid === null ? null : at.guids === 0 ? `g${guid}` : `${at.guids}:${guid}`,
    title: titles[title]!,
    enclosure: addressOf(address, at.host) + (signature === null ? '' : `?token=${signature}`),
    length,
    date: day === null ? null : new Date(Date.UTC(2026, 5, 1 + day, hours)).toUTCString(),
    duration: String(minutes * 60),
  }
}
