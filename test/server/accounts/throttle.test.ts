import { expect, test } from 'bun:test'
import { createThrottle } from '../../../src/server/accounts/throttle'
import { refusal, startClock } from '../../support/app'

const MINUTE = 60_000
const limits = { freeFailures: 10, maxFailuresPerPair: 3, maxFailuresPerAddress: 5, firstPauseMs: 0, longestPauseMs: 0 }
const named = (name: string) => ({ way: 'password' as const, name })
const mara = named('mara')
const code = { way: 'code' as const, name: 'mara' }
const wrong = () => null
const right = () => 'in'

test('a right guess clears the failures of its pair', async () => {
  const throttle = createThrottle(startClock(), () => {}, limits)
  await throttle.guess(mara, '192.0.2.1', wrong)
  await throttle.guess(mara, '192.0.2.1', wrong)
  expect(await throttle.guess(mara, '192.0.2.1', right)).toBe('in')
  await throttle.guess(mara, '192.0.2.1', wrong)
  expect(await throttle.guess(mara, '192.0.2.1', right)).toBe('in')
})

test('a right guess is no failure of its address', async () => {
  const throttle = createThrottle(startClock(), () => {}, limits)
  for (let count = 0; count < 20; count++) expect(await throttle.guess(mara, '192.0.2.1', right)).toBe('in')
})

test('a pair is refused after its failures, also with the right guess, until a quarter of an hour has passed', async () => {
  const now = startClock()
  const throttle = createThrottle(now, () => {}, limits)
  for (let count = 0; count < 3; count++) await throttle.guess(mara, '192.0.2.1', wrong)
  expect(await refusal(throttle.guess(mara, '192.0.2.1', right))).toMatchObject({
    code: 'too-many-attempts',
    retryAfter: 900,
  })
  now.advance(15 * MINUTE)
  expect(await throttle.guess(mara, '192.0.2.1', right)).toBe('in')
})

test('what an account is guessed at is counted from all addresses, and no traffic of others makes it forgotten', async () => {
  const throttle = createThrottle(startClock(), () => {}, limits)
  const guess = (address: string, check: typeof wrong | typeof right) => throttle.guess(code, address, check, 7)
  for (let count = 0; count < 3; count++) await guess(`192.0.2.${count}`, wrong)
  for (let count = 0; count < 11_000; count++) await throttle.recordFailure(named(`name ${count}`), `10.0.0.${count}`)
  expect(await refusal(guess('198.51.100.1', right))).toMatchObject({ code: 'too-many-attempts' })
  expect(await throttle.guess(code, '198.51.100.1', right, 8)).toBe('in')
})

test('an address that is refused cannot push out what is known of others', async () => {
  const throttle = createThrottle(startClock(), () => {}, limits)
  for (let count = 0; count < 3; count++) await throttle.guess(mara, '192.0.2.1', wrong)
  for (let count = 0; count < 11_000; count++)
    await throttle.recordFailure(named(`name ${count}`), '192.0.2.2').catch(() => undefined)
  expect(await refusal(throttle.guess(mara, '192.0.2.1', right))).toMatchObject({ code: 'too-many-attempts' })
})
