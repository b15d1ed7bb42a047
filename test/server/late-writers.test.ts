import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { DATABASE_FILE } from '../../src/server/data-folder'
import { startTestApp, temporaryFolder, withPasswords } from '../support/app'
import { rss } from '../support/builders'
import { startFeedHost } from '../support/feed-host'
import { startOtherWriter } from '../support/other-writer'

const NEVER = 600_000

/** A library whose looks find nobody: another process always comes between a look and the statement. */
async function plant() {
  const host = startFeedHost()
  const app = await startTestApp({ env: withPasswords, writeWaitMs: NEVER })
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  const { store } = app.context
  const feed = host.feed('/fog.xml', rss({ title: 'Fog', items: [{ title: 'One' }] }))
  const podcast = await root.podcasts.add(feed)
  store.isWritable = () => true
  store.whenWritable = async () => true
  /** A feed that is asked for, and answers once another process writes. */
  const meet = () => {
    const asked = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<void>()
    const address = host.on('/slow.xml', async () => {
      asked.resolve()
      await answer.promise
      return new Response(rss({ title: 'Slow', items: [{ title: 'One' }] }), {
        headers: { 'Content-Type': 'application/rss+xml' },
      })
    })
    return { address, asked: asked.promise, answer: answer.resolve }
  }
  return {
    host,
    app,
    root,
    store,
    podcast,
    meet,
    lock: () => startOtherWriter(join(app.folder, DATABASE_FILE)),
    /** Settles when a write has met the other process. */
    met: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const { whenWritable } = store
      let looks = 0
      store.whenWritable = async () => {
        if (++looks > 3) resolve()
        return whenWritable()
      }
      return promise
    },
    failures: () => app.lines.filter(line => /level=(error|warn)/.test(line)),
    [Symbol.asyncDispose]: async () => {
      await app[Symbol.asyncDispose]()
      host.stop()
    },
  }
}

const listOf = (address: string) =>
  `<opml version="2.0"><body><outline type="rss" text="Slow" xmlUrl="${address}"/></body></opml>`

test('a move adds a podcast, and takes it back, once another process has written', async () => {
  await using world = await plant()
  const { app, root, store, meet } = world
  const { address, asked, answer } = meet()
  const path = join(temporaryFolder(), 'list.opml')
  await Bun.write(path, listOf(address))
  const { moves } = app.context
  const user = store.users.findByName('root')!
  const row = await moves.start(user, path)
  moves.resume()
  await asked
  const other = await world.lock()
  const met = world.met()
  answer()
  await met
  await other.release()
  await moves.settled()
  expect((await root.podcasts.list()).map(({ name }) => name).toSorted()).toEqual(['Fog', 'Slow'])
  const [move] = await root.moves.list()
  expect(move).toMatchObject({ state: 'done' })

  moves.undo(user, row.id)
  const another = await world.lock()
  moves.resume()
  expect((await root.podcasts.list()).length).toBe(2)
  await another.release()
  await moves.settled()
  expect((await root.podcasts.list()).map(({ name }) => name)).toEqual(['Fog'])
  expect(world.failures()).toEqual([])
})

test('an import of a list adds a podcast once another process has written', async () => {
  await using world = await plant()
  const { root, store, meet } = world
  const { address, asked, answer } = meet()
  await root.opml.start({ content: listOf(address) })
  await asked
  const other = await world.lock()
  const met = world.met()
  answer()
  await met
  await other.release()
  while (store.jobs.running().length > 0) await Bun.sleep(5)
  expect((await root.podcasts.list()).map(({ name }) => name).toSorted()).toEqual(['Fog', 'Slow'])
  expect(world.failures()).toEqual([])
})

test('removals and the first request of a podcast app that meet another process ask to try again, and change nothing', async () => {
  await using world = await plant()
  const { app, root, podcast } = world
  await app.signUp('bob')
  const { password } = await root.appPasswords.create('Phone')
  const headers = { Authorization: `Basic ${Buffer.from(`root:${password}`).toString('base64')}` }
  const other = await world.lock()
  const calls = [
    ['DELETE', `/api/v1/podcasts/${podcast.id}`, { Authorization: root.authorization! }, '{"delete_files":false}'],
    ['DELETE', '/api/v1/users/bob', { Authorization: root.authorization! }, undefined],
    ['POST', '/api/2/subscriptions/root/new.json', headers, '{"add":["https://cdn.example/feed"],"remove":[]}'],
    ['PUT', '/subscriptions/root/new.json', headers, '["https://cdn.example/feed"]'],
  ] as const
  for (const [method, path, about, body] of calls) {
    const response = await app.fetch(path, {
      method,
      headers: { ...about, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body }),
    })
    expect([path, response.status, response.headers.get('Retry-After')]).toEqual([path, 503, '2'])
  }
  const first = await app.fetch('/api/2/subscriptions/root/other.json?since=0', { headers })
  expect([200, 503]).toContain(first.status)
  await other.release()
  expect((await root.podcasts.list()).map(({ name }) => name)).toEqual(['Fog'])
  expect(app.context.store.users.findByName('bob')).not.toBeNull()
  expect(world.failures()).toEqual([])
})
