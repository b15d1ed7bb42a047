import { expect, test } from 'bun:test'
import { createPace } from '../../../src/server/feeds/digester'
import { refusal } from '../../support/app'

const nextTurn = () => new Promise(setImmediate)

test('a feed is read once those before it are stored', async () => {
  const pace = createPace()
  const order: string[] = []
  const stored = Promise.withResolvers<void>()
  const storing = pace.apply(stored.promise.then(() => order.push('stored')))
  const reading = pace.digest(async () => order.push('read'))
  await nextTurn()
  stored.resolve()
  await Promise.all([storing, reading])
  expect(order).toEqual(['stored', 'read'])
})

test('a feed is read beside one that takes long to be stored', async () => {
  const pace = createPace(1)
  const stored = Promise.withResolvers<void>()
  const storing = pace.apply(stored.promise)
  expect(await pace.digest(async () => 'read')).toBe('read')
  stored.resolve()
  await storing
})

test('feeds are read one after the other, also after one that cannot be read or stored', async () => {
  const pace = createPace()
  const order: string[] = []
  const first = Promise.withResolvers<void>()
  const failing = refusal(pace.digest(() => first.promise.then(() => order.push('first'))))
  const second = pace.digest(async () => order.push('second'))
  const lost = refusal(pace.apply(Promise.reject(new Error('lost'))))
  await nextTurn()
  first.reject(new Error('unreadable'))
  expect([await failing, await lost]).toMatchObject([{ message: 'unreadable' }, { message: 'lost' }])
  await second
  expect(order).toEqual(['second'])
})
