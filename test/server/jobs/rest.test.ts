import { expect, test } from 'bun:test'
import { createRest } from '../../../src/server/jobs/scheduler'

test('after work, the first quiet minute is for tidying up, once', () => {
  let cpu = 0
  let tidied = 0
  const rest = createRest(
    () => tidied++,
    () => cpu,
  )
  const minute = (usedMs: number) => {
    cpu += usedMs
    rest()
    return tidied
  }
  expect([minute(100), minute(100)]).toEqual([0, 0])
  // While there is work, and when it has ended.
  expect([minute(30_000), minute(5000), minute(50), minute(50)]).toEqual([0, 0, 1, 1])
  // Little by little there is enough of it again.
  for (let count = 0; count < 30; count++) minute(90)
  expect(tidied).toBe(2)
})
