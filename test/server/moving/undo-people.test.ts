import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { goodPassword, startClock, startTestApp, temporaryFolder, withPasswords, type TestApp } from '../../support/app'
import { rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { writePodfetch } from '../../support/foreign/podfetch'
import { wholeDumpOf } from '../../support/whole-dump'
import { moveIn, openWorld, undoLatest, undoneOf } from './world'

async function startUndoing(env: Record<string, string> = {}) {
  const host = startFeedHost()
  openWorld(host)
  const clock = startClock()
  const app = await startTestApp({ now: clock, env })
  app.prefill(0)
  const before = await dumpOf(app)
  await moveIn(app, writePodfetch(join(temporaryFolder(), 'copy.db'), host.origin, 'C'), app.context.admin, null, true)
  clock.advance(60_000)
  const { store } = app.context
  return {
    host,
    clock,
    app,
    before,
    alice: store.users.findByName('alice')!,
    zoe: store.users.findByName('zoe')!,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host.stop()
    },
  }
}

async function dumpOf({ folder, context }: TestApp) {
  await context.indexer.run()
  return wholeDumpOf(folder)
}

const usersOf = (app: TestApp, id: number) => undoneOf(app, id).filter(line => line.startsWith('users'))

test('accounts that a move made go with it, and what they have open ends', async () => {
  await using world = await startUndoing()
  const { app, alice, zoe, before } = world
  expect(app.context.store.moves.changesSince(1, 0, 1000).map(({ kind }) => kind)).toContain('transcript')
  app.events.length = 0
  const id = await undoLatest(app)
  expect(usersOf(app, id)).toEqual(['users undone: 2'])
  expect(app.events).toEqual(
    expect.arrayContaining([alice, zoe].map(({ id: userId }) => ({ type: 'signInChanged', userId }) as never)),
  )
  expect(await dumpOf(app)).toEqual(before)
})

test('an account stays once somebody has signed in to it', async () => {
  await using world = await startUndoing(withPasswords)
  const { app, alice, zoe } = world
  await app.as('alice', "alice's word").users.me()
  const id = await undoLatest(app)
  expect(usersOf(app, id)).toEqual(['users kept changed: 1', 'users undone: 1'])
  const { users } = app.context.store
  expect([alice, zoe].map(user => users.find(user.id) !== null)).toEqual([true, false])
})

type World = Awaited<ReturnType<typeof startUndoing>>

/** Each does something with the account, or for it. */
const uses: Record<string, (world: World) => unknown> = {
  'its role is another one': ({ app }) =>
    app.context.users.change(app.context.users.requireUser('alice'), { role: 'uploader' }),
  'its consent is another one': ({ app }) =>
    app.context.users.change(app.context.users.requireUser('alice'), { explicitConsent: true }),
  'it has a password of ours': ({ app, alice }) => app.context.users.setPassword(alice, goodPassword),
  'it has an app password': ({ app, alice }) => {
    const { appPasswords } = app.context
    const { id, token } = appPasswords.begin('Phone')
    appPasswords.grant(id, alice)
    appPasswords.claim(token)
  },
  'it has a device': ({ app, alice }) => app.context.store.sync.addPhone(alice.id, 'phone', 'Phone', null, 1),
  'it has a playlist': ({ app, alice }) => app.context.playlists.create(alice, { name: 'Mine', items: [] }),
  'its podcast is here': ({ app, host, alice }) =>
    app.context.subscribe({ ...alice, role: 'admin' }, `${host.origin}/members2.xml`),
  'it likes an episode': ({ app, alice, host }) => {
    const alpha = app.context.store.podcasts.findByFeed(`${host.origin}/alpha.xml`)!
    const a5 = app.context.store.episodes.knownOf(alpha.id).find(({ guid }) => guid === 'a5')!
    app.context.favourites.like(alice.id, a5.id, true)
  },
}

for (const [name, use] of Object.entries(uses))
  test(`an account stays if ${name} since`, async () => {
    await using world = await startUndoing()
    world.host.feed('/members2.xml', rss({ title: 'New', items: [{ guid: 'n1' }] }))
    await use(world)
    const id = await undoLatest(world.app)
    expect(usersOf(world.app, id)).toEqual([
      expect.stringMatching(/^users kept (changed|not-empty): 1$/),
      'users undone: 1',
    ])
    expect(world.app.context.store.users.find(world.alice.id)).not.toBeNull()
    expect(world.app.context.store.users.find(world.zoe.id)).toBeNull()
  })

test('an account that an admin has deleted is gone already, and its name may be another person by now', async () => {
  await using world = await startUndoing()
  const { app, alice } = world
  app.context.users.remove(app.context.users.requireUser('alice'))
  const { row } = await app.signUp('alice')
  expect(row.id).not.toBe(alice.id)
  const id = await undoLatest(app)
  expect(usersOf(app, id)).toEqual(['users gone: 1', 'users undone: 1'])
  expect(app.context.store.users.find(row.id)).not.toBeNull()
})

test('the only admin who can sign in stays', async () => {
  await using world = await startUndoing(withPasswords)
  const { app, zoe } = world
  const { store, admin } = app.context
  store.users.setRole(admin.id, 'user')
  const id = await undoLatest(app)
  expect(usersOf(app, id)).toEqual(['users kept last-admin: 1', 'users undone: 1'])
  expect(store.users.find(zoe.id)).toMatchObject({ role: 'admin' })
})

test('a transcript goes, and one that the publisher gives by now stays', async () => {
  await using world = await startUndoing()
  const { app } = world
  const { store } = app.context
  const { episode_id: episodeId, other_id: documentId } = store.moves
    .changesSince(1, 0, 1000)
    .find(({ kind }) => kind === 'transcript')!
  expect(store.documents.of(episodeId!, 'transcript').map(({ id }) => id)).toEqual([documentId!])
  const named = { kind: 'transcript', url: 'https://cdn.example/a.vtt', type: 'text/vtt', language: null } as const
  store.documents.describe(episodeId!, [named])
  store.podcasts.favour((await app.signUp('bob')).row.id, store.episodes.find(episodeId!)!.podcast_id, true, 1)
  app.events.length = 0
  const id = await undoLatest(app)
  expect(undoneOf(app, id)).toContain('transcripts undone: 2')
  expect(store.episodes.find(episodeId!)).toMatchObject({ has_generated_transcript: 0 })
  expect(store.documents.of(episodeId!, 'transcript').map(({ url }) => url)).toEqual([named.url])
  expect(app.events).toContainEqual({ type: 'textsStored', episodeId: episodeId! })
})
