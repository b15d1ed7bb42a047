import { expect, test } from 'bun:test'
import type { Podcast } from '../../../src/shared/api/podcast'
import { causeOf } from '../../../src/ui/pages/downloads/download-row'
import { arrange, needsAttention, sorts } from '../../../src/ui/pages/podcasts/podcasts-tools'

const podcast = (name: string, more: Partial<Podcast>) => ({ name, new_count: 0, ...more }) as Podcast

test('podcasts are sorted in each of the orders, and by name where that leaves a choice', () => {
  const [early, middle, late] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z']
  const all = [
    podcast('Égal', { last_episode_at: early, added_at: late, last_played_at: null, new_count: 2 }),
    podcast('zebra', { last_episode_at: null, added_at: early, last_played_at: middle, new_count: 9 }),
    podcast('Able', { last_episode_at: late, added_at: middle, last_played_at: null, new_count: 2 }),
  ]
  const orders = Object.fromEntries(sorts.map(sort => [sort, arrange(all, sort).map(({ name }) => name)]))
  expect(orders).toEqual({
    newest: ['Able', 'Égal', 'zebra'],
    title: ['Able', 'Égal', 'zebra'],
    new: ['zebra', 'Able', 'Égal'],
    added: ['Égal', 'Able', 'zebra'],
    played: ['zebra', 'Able', 'Égal'],
  })
})

test('what failed or ended needs attention; what somebody switched off does not', () => {
  const states = ['ok', 'failing', 'gone', 'inactive'] as const
  expect(states.filter(feed_state => needsAttention(podcast('A', { feed_state })))).toEqual(['failing', 'gone'])
})

test.each([
  ['media-unreachable', 404, 'gone', 404],
  ['media-unreachable', 410, 'gone', 410],
  ['media-superseded', null, 'gone', 0],
  ['media-unreachable', 403, 'refused', 403],
  ['media-unreachable', 503, 'interrupted', 503],
  ['media-unreachable', null, 'interrupted', 0],
  ['upstream-timeout', null, 'slow', 0],
  ['upstream-too-slow', null, 'slow', 0],
  ['not-media', null, 'not-audio', 0],
  ['disk-full', null, 'no-room', 0],
  ['media-storage-absent', null, 'interrupted', 0],
  ['unexpected', null, 'unknown', 0],
] as const)('a download that ended with %s (%s) is shown as %s', (errorCode, answered, cause, status) => {
  expect(causeOf({ errorCode, status: answered })).toEqual({ cause, status })
})
