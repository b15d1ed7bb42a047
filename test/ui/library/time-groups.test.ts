import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { EpisodeWrapper } from '../../../src/shared/api/episode'
import english from '../../../locales/en.json'
import { showTexts } from '../../support/texts'
import {
  dateFormOf,
  namePeriod,
  nameTimelineGroup,
  periodOf,
  spanOf,
  timelineGroupOf,
  UNDATED,
} from '../../../src/ui/library/episodes/time-groups'

beforeAll(() => showTexts('en', english))
afterAll(() => showTexts('en', {}))

/** Sunday, as the reader sees it. */
const NOW = new Date(2026, 10, 22, 9).getTime()
const at = (year: number, month: number, day: number, hour = 0, minute = 0) =>
  new Date(year, month - 1, day, hour, minute).toISOString()
const episode = (date_of_recording: string, undated = false) =>
  ({ podcastEpisode: { date_of_recording, undated } }) as EpisodeWrapper

test('an episode stands in the day of its reader, after a year in its month, and without a date in neither', () => {
  const groupOf = (instant: string) => timelineGroupOf(episode(instant), NOW)
  expect(groupOf(at(2026, 11, 22, 0, 0))).toBe('2026-11-22')
  expect(groupOf(at(2026, 11, 21, 23, 59))).toBe('2026-11-21')
  expect(groupOf(at(2025, 11, 22))).toBe('2025-11-22')
  expect(groupOf(at(2025, 11, 21, 23, 59))).toBe('2025-11')
  expect(timelineGroupOf(episode(at(2026, 11, 22), true), NOW)).toBe(UNDATED)
})

test('the hour of an episode is told below a day, its date below a month', () => {
  const { now } = Date
  Date.now = () => NOW
  expect([at(2026, 11, 20), at(2024, 1, 1)].map(instant => dateFormOf(episode(instant)))).toEqual(['hour', 'day'])
  Date.now = now
})

test('days are named by what is nearest: today, the weekday, the date, the month', () => {
  const name = (group: string) => {
    const { name, date } = nameTimelineGroup(group, NOW)
    return [name, date]
  }
  expect(name('2026-11-22')).toEqual(['Today', 'Sunday 22 November'])
  expect(name('2026-11-21')).toEqual(['Yesterday', 'Saturday 21 November'])
  expect(name('2026-11-16')).toEqual(['Monday', '16 November'])
  expect(name('2026-11-15')).toEqual(['15 November', 'Sunday'])
  expect(name('2025-12-24')).toEqual(['24 December 2025', 'Wednesday'])
  expect(name('2025-10')).toEqual(['October 2025', null])
  expect(name(UNDATED)).toEqual(['Without a date', null])
})

test('a group reaches from its first moment to that of the next', () => {
  expect(spanOf('2026-11-22')).toEqual({ from: at(2026, 11, 22), to: at(2026, 11, 23) })
  expect(spanOf('2024-12')).toEqual({ from: at(2024, 12, 1), to: at(2025, 1, 1) })
})

test('what was done is grouped by this week, last week and months', () => {
  const saturday = new Date(2026, 10, 21, 9).getTime()
  const periods = [at(2026, 11, 16, 12), at(2026, 11, 13), at(2026, 11, 3), at(2025, 11, 3)]
  expect(periods.map(instant => periodOf(new Date(instant), saturday))).toEqual([
    'this-week',
    'last-week',
    '2026-11',
    '2025-11',
  ])
  expect(['this-week', '2026-11', '2025-11'].map(period => namePeriod(period, NOW))).toEqual([
    'This week',
    'November',
    'November 2025',
  ])
})
