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

test('a check that fails itself, as one at a provider that does not answer, counts as no guess', async () => {
  const throttle = createThrottle(startClock(), () => {}, limits)
  const failing = () => Promise.reject(new Error('no answer'))
  for (let count = 0; count < 20; count++)
    await expect(throttle.guess(mara, '192.0.2.1', failing, 7)).rejects.toThrow('no answer')
  for (let count = 0; count < 2; count++) await throttle.guess(mara, '192.0.2.1', wrong)
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

const siege = { ...limits, maxFailuresPerPair: 20, freeFailuresOfStrangers: 10, strangersPauseMs: 30_000 }
const place = (count: number) => `10.${count >> 8}.${count & 255}.1`

test('many addresses that guess at one name share one guess in a while, right or wrong, and known places go on', async () => {
  const now = startClock()
  const attacks: unknown[] = []
  const publish = (event: { type: string }) => void (event.type === 'accountAttacked' && attacks.push(event))
  const isKnown = (name: string, address: string) => name === 'mara' && address === '192.0.2.1'
  const throttle = createThrottle(now, publish, siege, isKnown)
  let checked = 0
  const guessed = () => {
    checked++
    return null
  }
  for (let count = 0; count < 120; count++) await throttle.guess(mara, place(count), guessed).catch(() => null)
  // The last of the free ones, and one more in its turn.
  expect(checked).toBe(11)
  expect(attacks).toEqual([{ type: 'accountAttacked', name: 'mara', failures: 10 }])

  expect(await throttle.guess(mara, '192.0.2.1', right)).toBe('in')
  expect(await refusal(throttle.guess(named('MARA'), '198.51.100.1', right))).toMatchObject({
    code: 'too-many-attempts',
    retryAfter: 30,
  })
  expect(await throttle.guess(named('noah'), '198.51.100.1', right)).toBe('in')
  now.advance(30_000)
  expect(await throttle.guess(mara, '198.51.100.1', right)).toBe('in')
  expect(await refusal(throttle.guess(mara, '198.51.100.2', right))).toMatchObject({ code: 'too-many-attempts' })
  now.advance(15 * MINUTE)
  for (let count = 200; count < 205; count++) expect(await throttle.guess(mara, place(count), right)).toBe('in')
})

test('guesses at once from many addresses get no further than those one after the other', async () => {
  const throttle = createThrottle(startClock(), () => {}, siege)
  let checked = 0
  const tries = Array.from({ length: 100 }, (_, count) =>
    throttle
      .guess(mara, place(count), async () => {
        checked++
        await Promise.resolve()
        return null
      })
      .catch(() => null),
  )
  await Promise.all(tries)
  expect(checked).toBe(11)
})

test('a name that is guessed at is not pushed out by guesses at others, and is reported once a day', async () => {
  const now = startClock()
  const attacked: string[] = []
  const throttle = createThrottle(now, event => void (event.type === 'accountAttacked' && attacked.push(event.name)), {
    ...siege,
    maxFailuresPerAddress: 1e9,
  })
  const attack = async (from: number) => {
    for (let count = from; count < from + 12; count++) await throttle.guess(mara, place(count), wrong).catch(() => null)
  }
  await attack(0)
  for (let count = 0; count < 9_000; count++) await throttle.recordFailure(named(`name ${count}`), place(count))
  await throttle.guess(mara, place(20), wrong).catch(() => null)
  for (let count = 0; count < 9_000; count++) await throttle.recordFailure(named(`other ${count}`), place(count))
  expect(await refusal(throttle.guess(mara, place(21), right))).toMatchObject({ code: 'too-many-attempts' })
  now.advance(20 * MINUTE)
  await attack(40)
  expect(attacked).toEqual(['mara'])
  now.advance(24 * 60 * MINUTE)
  await attack(60)
  expect(attacked).toEqual(['mara', 'mara'])
})
