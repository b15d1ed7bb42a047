import { expect, test } from 'bun:test'
import { noteVisit } from '../../../src/ui/state/visits'
import { createMemoryStorage } from '../../support/memory-storage'

const HOUR = 3_600_000

test('a visit ends after an hour without the page, and the one before it is remembered', () => {
  const storage = createMemoryStorage()
  const visitAt = (now: number) => {
    noteVisit(storage, now)
    return storage.getItem('visit.before')
  }
  expect([HOUR, HOUR + 1, 3 * HOUR, 3 * HOUR + 5, 9 * HOUR].map(visitAt)).toEqual([
    null,
    null,
    String(HOUR + 1),
    String(HOUR + 1),
    String(3 * HOUR + 5),
  ])
})
