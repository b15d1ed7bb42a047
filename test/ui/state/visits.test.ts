import { expect, test } from 'bun:test'
import { lastVisit, noteVisit } from '../../../src/ui/state/visits'
import { createMemoryStorage } from '../../support/memory-storage'

const HOUR = 3_600_000

test('a visit ends after an hour without the page, and the one before it is known before this one is noted, too', () => {
  const storage = createMemoryStorage()
  const visitAt = (now: number) => {
    const before = lastVisit(storage, now)
    noteVisit(storage, now)
    return [before, lastVisit(storage, now)]
  }
  const both = (moment: number) => [moment, moment]
  expect([HOUR, HOUR + 1, 3 * HOUR, 3 * HOUR + 5, 9 * HOUR].map(visitAt)).toEqual([
    both(0),
    both(0),
    both(HOUR + 1),
    both(HOUR + 1),
    both(3 * HOUR + 5),
  ])
})
