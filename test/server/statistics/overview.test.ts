import { expect, test } from 'bun:test'
import { overview } from '../../../src/server/statistics/statistics'
import { plantStore } from '../store/plant'

test('what was played is summed up by podcast, day and weekday of a time zone', () => {
  using here = plantStore()
  const { store, user, podcast, episode } = here
  const alice = user('alice')
  const [fog, lamps] = [podcast('Fog', alice.id), podcast('Lamps', alice.id)]
  const [one, two, other] = [episode(fog.id, 'One'), episode(lamps.id, 'Two'), episode(lamps.id, 'Other')]
  const hour = (text: string) => Date.parse(text) / 3_600_000
  const add = (at: string, { id, podcast_id }: typeof one, seconds: number) =>
    store.listened.add(alice.id, hour(at), id, podcast_id, seconds)
  // A Tuesday, a Monday and a Sunday, in this order.
  add('2026-05-05T10:00Z', two, 30)
  add('2026-05-05T10:00Z', two, 30)
  add('2026-05-04T10:00Z', one, 50)
  add('2026-05-03T23:00Z', other, 40)

  const all = overview(store, alice, null, null, 'UTC')
  expect(all).toEqual({
    podcasts: [
      { id: lamps.id, seconds: 100, episodes: 2 },
      { id: fog.id, seconds: 50, episodes: 1 },
    ],
    episodes: 3,
    seconds: 150,
    saved: 0,
    trimmed: 0,
    measuredSince: null,
    weekdays: [50, 60, 0, 0, 0, 0, 40],
    days: [
      { date: '2026-05-03', seconds: 40 },
      { date: '2026-05-04', seconds: 50 },
      { date: '2026-05-05', seconds: 60 },
    ],
  })
  // In Copenhagen that Sunday hour was a Monday's already.
  expect(overview(store, alice, null, null, 'Europe/Copenhagen').weekdays).toEqual([90, 60, 0, 0, 0, 0, 0])
  const monday = Date.parse('2026-05-04T00:00Z')
  expect(overview(store, alice, monday, monday + 86_400_000, 'UTC').seconds).toBe(50)
  expect(overview(store, user('bob'), null, null, 'UTC')).toMatchObject({ podcasts: [], seconds: 0, days: [] })
  expect(() => overview(store, alice, null, null, 'Atlantis')).toThrow(
    expect.objectContaining({ code: 'invalid-field' }),
  )
})
