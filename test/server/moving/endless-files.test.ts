import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { startTestApp, withPasswords } from '../../support/app'
import { endless, startServer, writeList } from './hostile'

test('D4: a file without end keeps nobody waiting, and is dropped at once', async () => {
  await using server = await startServer()
  const { ann, bob } = server
  const slow = await server.upload(bob, endless())
  const quick = await server.upload(ann, writeList())
  expect(await server.isRead(ann, quick)).toMatchObject({ state: 'ready' })
  expect(await bob.get(slow)).toMatchObject({ state: 'reading' })
  await bob.drop(slow)
  await server.app.context.moves.settled()
  expect(server.left()).toEqual([quick])
})

test('the next file of the same person ends the reading of the last', async () => {
  await using server = await startServer()
  await server.upload(server.bob, endless())
  const next = await server.upload(server.bob, writeList())
  expect(await server.isRead(server.bob, next)).toMatchObject({ state: 'ready' })
  expect(server.left()).toEqual([next])
})

test('a removed account ends the reading of its file', async () => {
  await using server = await startServer()
  await server.upload(server.bob, endless())
  const { moves, store, users } = server.app.context
  users.remove(store.users.findByName('bob')!)
  moves.resume()
  await moves.settled()
  expect(server.left()).toEqual([])
})

test('a server that stops ends the reading, which begins again with the next start', async () => {
  const server = await startServer()
  const slow = await server.upload(server.bob, endless())
  const { folder } = server.app
  await server[Symbol.asyncDispose]()
  expect(readdirSync(join(folder, 'moving'))).toEqual([slow])
  await using again = await startTestApp({ env: withPasswords, folder })
  expect(again.context.store.moves.reading()).toMatchObject([{ uuid: slow }])
})

test('a file that takes too long fails with the reason', async () => {
  await using server = await startServer({ timeMs: 1500 })
  expect(await server.isRead(server.bob, await server.upload(server.bob, endless()))).toMatchObject({
    state: 'failed',
    message: 'Reading this file takes more than 2 seconds. It is damaged, or not a library.',
  })
  expect(server.left()).toEqual([])
})
