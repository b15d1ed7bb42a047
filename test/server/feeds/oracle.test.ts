import { expect, test } from 'bun:test'
import type { Digest } from '../../../src/server/feeds/apply/digest'
import { events, playHistory, type Story, type Tally } from '../../support/feed-oracle'

// Random histories of feeds with guids of their own, each beside what its publisher knows. ORACLE_RUNS=1000 plays more,
// ORACLE_FROM another range; `bun run oracle` prints the table by event.

const FROM = Number(process.env.ORACLE_FROM ?? 1)
const RUNS = Number(process.env.ORACLE_RUNS ?? 350)
const STEPS = 12
const PARTS = 5

test.each(Array.from({ length: PARTS }, (_, part) => part))(
  'in histories of every kind no episode is lost, none becomes another, and hardly one is invented (part %i)',
  part => {
    const tallies = new Map<string, Tally>()
    const stories: Story[] = []
    for (let seed = FROM + part; seed < FROM + RUNS; seed += PARTS) playHistory(seed, STEPS, tallies, stories)

    const total = { listed: 0, twins: 0, merged: 0, lost: 0 }
    for (const tally of tallies.values())
      for (const key of ['listed', 'twins', 'merged', 'lost'] as const) total[key] += tally[key]
    const tell = (kind: string) => stories.filter(({ problem }) => problem.includes(kind)).slice(0, 5)
    expect(tell('became')).toEqual([])
    expect(tell('lost')).toEqual([])
    expect(total.twins * 10_000, JSON.stringify(tell('twin'))).toBeLessThanOrEqual(total.listed)
    // Every event was played, so that none is free of faults for want of trying.
    expect([...tallies.keys()].toSorted()).toEqual(['first', ...Object.keys(events)].toSorted())
  },
)

test('what is recalled by its bytes is decided as if all of the feed were read', () => {
  let [recalled, readings] = [0, 0]
  const decided = ({ rehashed: _, ...digest }: Digest) => digest
  for (let seed = FROM; seed < FROM + RUNS / PARTS; seed++)
    playHistory(seed, STEPS, new Map(), [], (digest, whole) => {
      expect(decided(digest)).toEqual(decided(whole))
      readings += whole.rehashed.length
      recalled += whole.rehashed.length - digest.rehashed.length
    })
  expect(recalled / readings).toBeGreaterThan(0.5)
})
