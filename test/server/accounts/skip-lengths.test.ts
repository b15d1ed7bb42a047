import { expect, test } from 'bun:test'
import { refusal, startTestApp, withPasswords } from '../../support/app'

test('everybody skips thirty seconds and rewinds a little until they choose otherwise, each for themselves', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const alice = await app.signUp('alice')
  const bob = await app.signUp('bob')
  expect(await alice.users.skipLengths()).toEqual({
    back: 30,
    forward: 30,
    nextKey: 'episode',
    rewind: true,
    levelVolume: false,
  })
  expect(await alice.users.setSkipLengths({ back: 15, forward: 45 })).toEqual({
    back: 15,
    forward: 45,
    nextKey: 'episode',
    rewind: true,
    levelVolume: false,
  })
  expect(await alice.users.skipLengths()).toEqual({
    back: 15,
    forward: 45,
    nextKey: 'episode',
    rewind: true,
    levelVolume: false,
  })
  expect(await bob.users.skipLengths()).toEqual({
    back: 30,
    forward: 30,
    nextKey: 'episode',
    rewind: true,
    levelVolume: false,
  })
})

test('the "next" key plays the next episode until its user wants it to skip, and other edits leave that alone', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const alice = await app.signUp('alice')
  const bob = await app.signUp('bob')
  await alice.users.setSkipLengths({ back: 30, forward: 30, nextKey: 'forward' })
  await alice.users.setSkipLengths({ back: 15, forward: 60 })
  expect(await alice.users.skipLengths()).toEqual({
    back: 15,
    forward: 60,
    nextKey: 'forward',
    rewind: true,
    levelVolume: false,
  })
  expect((await bob.users.skipLengths()).nextKey).toBe('episode')
})

test('playing begins a little earlier after a pause until its user turns that off, and other edits leave that alone', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const alice = await app.signUp('alice')
  const bob = await app.signUp('bob')
  await alice.users.setSkipLengths({ back: 30, forward: 30, rewind: false })
  await alice.users.setSkipLengths({ back: 15, forward: 60 })
  expect((await alice.users.skipLengths()).rewind).toBe(false)
  expect((await bob.users.skipLengths()).rewind).toBe(true)
})

test('a length that no button offers is refused', async () => {
  await using app = await startTestApp()
  expect(await refusal(app.users.setSkipLengths({ back: 20, forward: 30 } as never))).toMatchObject({
    code: 'invalid-field',
  })
})

test('episodes are brought to one loudness for a user who wants that, and other edits leave that alone', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const alice = await app.signUp('alice')
  const bob = await app.signUp('bob')
  await alice.users.setSkipLengths({ back: 30, forward: 30, levelVolume: true })
  await alice.users.setSkipLengths({ back: 15, forward: 60 })
  expect((await alice.users.skipLengths()).levelVolume).toBe(true)
  expect((await bob.users.skipLengths()).levelVolume).toBe(false)
})
