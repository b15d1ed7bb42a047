import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { movesApi } from '../../../src/ui/api/administration'
import { refusal, startClock, startTestApp, temporaryFolder, withPasswords } from '../../support/app'
import { silentMp3 } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { dumpOf, reportOf } from '../../support/foreign/dump'
import { writeGpodder } from '../../support/foreign/gpodder'
import { writePodfetch } from '../../support/foreign/podfetch'
import { changeForeign } from '../../support/foreign/write'
import { openWorld } from './world'

async function startArrivals(env: Record<string, string> = {}, folder = temporaryFolder()) {
  const host = startFeedHost()
  openWorld(host)
  const clock = startClock()
  const app = await startTestApp({ now: clock, env, folder })
  app.prefill(0)
  return {
    host,
    app,
    clock,
    path: writeGpodder(join(temporaryFolder(), 'Database'), host.origin),
    dump: () => dumpOf(app.folder, host.origin),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host.stop()
    },
  }
}
type World = Awaited<ReturnType<typeof startArrivals>>

/** Uploads a file in parts. */
async function upload(api: ReturnType<typeof movesApi>, path: string, part = 10_000) {
  const bytes = readFileSync(path)
  let move = await api.start({ name: 'Database', bytes: bytes.length })
  for (let offset = 0; offset < bytes.length; offset += part)
    move = await api.upload(move.id, offset, new Blob([bytes.subarray(offset, offset + part)]))
  return move
}

const finish = async ({ app: { context } }: World) => {
  context.moves.resume()
  await context.moves.settled()
}

test('an uploaded file is recognised and tried out, moves in when a person says so, and leaves a report', async () => {
  await using world = await startArrivals()
  const { moves } = world.app
  const before = world.dump()
  const { id, state } = await upload(moves, world.path)
  expect(state).toBe('reading')
  await finish(world)
  const ready = await moves.get(id)
  expect(ready).toMatchObject({ state: 'ready', source: 'gPodder', file: 'Database', podcasts: { total: 3, done: 0 } })
  expect(world.host.requests).toEqual([])
  expect(world.dump()).toEqual(before)

  expect((await moves.begin(id)).state).toBe('adding')
  await finish(world)
  const done = await moves.get(id)
  expect(done).toMatchObject({ state: 'done', podcasts: { total: 3, done: 3 }, items: { total: done.items.applied } })
  // Only the feeds know which episodes they have dropped.
  const known = ({ counts }: typeof done) => counts.filter(({ kind }) => kind !== 'episodes')
  expect(known(done)).toEqual(known(ready))
  expect(done.counts.find(({ kind }) => kind === 'positions')).toEqual({
    kind: 'positions',
    taken: 7,
    present: 0,
    leftOut: 2,
    reasons: [
      { reason: 'no-media', total: 1 },
      { reason: 'podcast-left-out', total: 1 },
    ],
  })
  const podcasts = await moves.podcasts(id)
  expect(podcasts.map(({ title, state }) => `${title} ${state}`)).toEqual([
    'Alpha added',
    'Gone unread',
    'Members added',
  ])
  expect(podcasts[0]).toMatchObject({ taken: 9, present: 0, leftOut: 0, podcastId: expect.any(String) })
  expect(world.dump().positions).toHaveLength(7)
  expect(await moves.list()).toMatchObject([{ id, state: 'done' }])
  expect(readdirSync(join(world.app.folder, 'moving'))).toEqual([])
})

test('open pages hear of every step', async () => {
  await using world = await startArrivals()
  const { id } = await upload(world.app.moves, world.path)
  await finish(world)
  await world.app.moves.begin(id)
  await finish(world)
  const steps = world.app.events.filter(event => event.type === 'moveChanged')
  expect(steps.length).toBeGreaterThanOrEqual(6)
  expect(new Set(steps.map(({ uuid }) => uuid))).toEqual(new Set([id]))
})

test('a part of an upload that does not begin at the end of the last is refused, and says where it does', async () => {
  await using world = await startArrivals()
  const { moves } = world.app
  const bytes = readFileSync(world.path)
  const { id } = await moves.start({ name: 'Database', bytes: bytes.length })
  await moves.upload(id, 0, new Blob([bytes.subarray(0, 1000)]))
  const again = await refusal(moves.upload(id, 0, new Blob([bytes.subarray(0, 1000)])))
  expect(again).toMatchObject({ status: 409, code: 'move-state', args: { offset: '1000' } })
  const tooMuch = await refusal(moves.upload(id, 1000, new Blob([bytes])))
  expect(tooMuch).toMatchObject({ code: 'move-state' })
  expect(await moves.get(id)).toMatchObject({ state: 'receiving', received: 1000 })
  await moves.upload(id, 1000, new Blob([bytes.subarray(1000)]))
  await finish(world)
  expect((await moves.get(id)).state).toBe('ready')
  expect(await refusal(moves.upload(id, 0, new Blob([bytes])))).toMatchObject({ code: 'move-state' })
  const json = world.app.fetch(`/api/v1/moves/${id}/file?offset=0`, { method: 'PUT', body: '{}' })
  expect((await json).status).toBe(422)
})

test('a file that lies on the server is copied by an admin alone, and stays as it was', async () => {
  await using world = await startArrivals(withPasswords)
  const { app, path } = world
  const root = app.as('root', 'Sup3rSecret')
  const before = readFileSync(path)
  const { id } = await root.moves.start({ path })
  await finish(world)
  expect(await root.moves.get(id)).toMatchObject({ state: 'ready', source: 'gPodder', bytes: null })
  expect(readFileSync(path).equals(before)).toBe(true)
  const { moves } = await app.signUp('alice', 'uploader')
  expect(await refusal(moves.start({ path }))).toMatchObject({ status: 403, code: 'not-admin' })
  expect(await refusal(moves.get(id))).toMatchObject({ status: 404, code: 'move-not-found' })
  for (const wrong of [{}, { name: 'x' }, { name: 'x', bytes: 1, from: 'winamp' }])
    expect(await refusal(moves.start(wrong))).toMatchObject({ status: 422 })
  expect(await refusal(root.moves.start({ path: 'Database' }))).toMatchObject({ status: 422 })
  expect(await refusal(moves.start({ name: 'x', bytes: 9e12 }))).toMatchObject({ status: 413, code: 'too-large' })
})

test('a file that cannot be read says why, and can be dropped', async () => {
  await using world = await startArrivals()
  const { moves } = world.app
  writeFileSync(world.path, 'hello')
  const { id } = await upload(moves, world.path)
  await finish(world)
  expect(await moves.get(id)).toMatchObject({
    state: 'failed',
    message: expect.stringContaining('is not one of'),
    errorCode: 'move-unknown-file',
    arguments: { programs: expect.stringContaining('AntennaPod') },
  })
  await moves.drop(id)
  expect(await moves.list()).toEqual([])
  const missing = await moves.start({ path: '/nowhere/podcast.db' })
  await finish(world)
  expect(await moves.get(missing.id)).toMatchObject({
    state: 'failed',
    message: 'There is no /nowhere/podcast.db',
    errorCode: 'move-no-file',
    arguments: { path: '/nowhere/podcast.db' },
  })
})

test('bringing another file drops the one before that had not begun, and none that had', async () => {
  await using world = await startArrivals()
  const { moves } = world.app
  const first = await upload(moves, world.path)
  await finish(world)
  await moves.begin(first.id)
  await finish(world)
  const second = await upload(moves, world.path)
  const third = await upload(moves, world.path)
  await finish(world)
  expect((await moves.list()).map(({ id }) => id)).toEqual([third.id, first.id])
  expect(readdirSync(join(world.app.folder, 'moving'))).toEqual([third.id])
  expect(await refusal(moves.begin(second.id))).toMatchObject({ code: 'move-not-found' })
  expect(await refusal(moves.drop(first.id))).toMatchObject({ code: 'move-state' })
  expect(await refusal(moves.begin(first.id))).toMatchObject({ code: 'move-state' })
})

test('an import of the command line that failed keeps its report and its undo when another file is brought', async () => {
  await using world = await startArrivals()
  const { moves, context } = world.app
  await context.moves.start(context.admin, world.path)
  context.store.moves.setState(
    1,
    'failed',
    { code: 'move-damaged', message: 'The file is damaged', args: {} },
    context.now(),
  )
  const [failed] = await moves.list()
  expect(failed).toMatchObject({ state: 'failed', begun: true, undoableUntil: expect.any(String) })
  expect(await refusal(moves.drop(failed!.id))).toMatchObject({ code: 'move-state' })
  const { id } = await upload(moves, world.path)
  expect((await moves.list()).map(move => move.id)).toEqual([id, failed!.id])
})

test('a restart while a file is read reads it again', async () => {
  const folder = temporaryFolder()
  let id = ''
  {
    await using world = await startArrivals({}, folder)
    const bytes = readFileSync(world.path)
    ;({ id } = await world.app.moves.start({ name: 'Database', bytes: bytes.length }))
    mkdirSync(join(folder, 'moving', id), { recursive: true })
    writeFileSync(join(folder, 'moving', id, 'source'), bytes)
    world.app.context.store.moves.setStage(1, 'reading')
  }
  await using world = await startArrivals({}, folder)
  await finish(world)
  expect(await world.app.moves.get(id)).toMatchObject({ state: 'ready', source: 'gPodder' })
})

test("a plain account's file writes into its own account alone, and nothing that belongs to everybody", async () => {
  await using world = await startArrivals(withPasswords)
  const { app } = world
  const root = app.as('root', 'Sup3rSecret')
  await app.signUp('alice')
  const mallory = await app.signUp('mallory', 'user')
  await root.podcasts.add(`${world.host.origin}/alpha.xml`)
  const { id } = await upload(mallory.moves, writePodfetch(world.path, world.host.origin, 'C'))
  await finish(world)
  await mallory.moves.begin(id)
  await finish(world)
  const { favourites, positions, tags, likes, episodes } = world.dump()
  expect({ tags, likes }).toEqual({ tags: [], likes: [] })
  expect(favourites.filter(line => line.startsWith('alice'))).toEqual([])
  expect(positions.map(line => line.split(' | ')[0])).toEqual(positions.map(() => 'mallory'))
  // An episode that the feed has dropped would show up for everybody.
  expect(episodes.filter(line => line.startsWith('/alpha.xml') && line.endsWith('| 0 | 0'))).toEqual([])
  expect(reportOf(app.folder)).toContain('removed left-out not-allowed: 1')
})

test('a move is undone until a day after it, and stopped while it is at work', async () => {
  await using world = await startArrivals()
  const { moves } = world.app
  const before = world.dump()
  const { id } = await upload(moves, world.path)
  await finish(world)
  expect(await refusal(moves.undo(id))).toMatchObject({ status: 409, code: 'move-state' })
  await moves.begin(id)
  expect((await moves.undo(id)).state).toBe('undoing')
  await finish(world)
  expect(await moves.get(id)).toMatchObject({ state: 'undone', undoableUntil: null })
  expect(world.dump()).toEqual(before)

  const again = await upload(moves, world.path)
  await finish(world)
  await moves.begin(again.id)
  await finish(world)
  expect((await moves.get(again.id)).undoableUntil).toBe(new Date(world.clock() + 86_400_000).toISOString())
  expect(world.dump()).not.toEqual(before)
  await moves.undo(again.id)
  await finish(world)
  const undone = await moves.get(again.id)
  expect(undone.undone.find(({ kind }) => kind === 'positions')).toEqual({ kind: 'positions', undone: 7, kept: 0 })
  expect(world.dump()).toEqual(before)
  expect(await refusal(moves.undo(again.id))).toMatchObject({ code: 'move-undone' })
})

test('uploads that nobody let begin are forgotten after a day, with their files', async () => {
  await using world = await startArrivals()
  const { app, clock } = world
  const { id } = await upload(app.moves, world.path)
  await finish(world)
  const folder = join(app.folder, 'moving')
  await app.context.moves.tidy()
  expect(await app.moves.list()).toHaveLength(1)
  clock.advance(25 * 3_600_000)
  utimesSync(join(folder, id), 0, 0)
  await app.context.moves.tidy()
  expect(await app.moves.list()).toEqual([])
  expect(readdirSync(folder)).toEqual([])
})

test('an admin chooses that people and files come as well, and sees what that brings before it begins', async () => {
  await using world = await startArrivals(withPasswords)
  const { app, host } = world
  const root = app.as('root', 'Sup3rSecret')
  await app.signUp('alice')
  const media = temporaryFolder()
  mkdirSync(join(media, 'Alpha'))
  writeFileSync(join(media, 'Alpha', 'a1.mp3'), silentMp3(2))
  const path = writePodfetch(world.path, host.origin, 'C')
  changeForeign(
    path,
    `UPDATE podcast_episodes SET download_location = NULL, file_episode_path = NULL;
     UPDATE podcast_episodes SET download_location = 'Local', file_episode_path = 'podcasts/Alpha/a1.mp3' WHERE guid = 'a1' AND name = 'Title a1'`,
  )
  const { id } = await upload(root.moves, path)
  await finish(world)
  const taken = async (kind: string) => (await root.moves.get(id)).counts.find(count => count.kind === kind)?.taken ?? 0
  expect([await taken('users'), await taken('files')]).toEqual([0, 0])

  const here = join(media, 'nothing')
  const choose = (options: Parameters<typeof root.moves.choose>[1]) => root.moves.choose(id, options)
  const wrong = { withPeople: true, files: { there: 'podcasts', here } }
  expect(await refusal(choose(wrong))).toMatchObject({ status: 422 })
  const options = { withPeople: true, files: { there: 'podcasts', here: media } }
  expect((await choose(options)).state).toBe('reading')
  await finish(world)
  expect(await root.moves.get(id)).toMatchObject({ state: 'ready', options })
  expect([await taken('users'), await taken('files')]).toEqual([1, 1])
  expect(app.context.store.users.findByName('zoe')).toBeNull()

  await root.moves.begin(id)
  await finish(world)
  expect([await taken('users'), await taken('files')]).toEqual([1, 1])
  expect(app.context.store.users.findByName('zoe')).toMatchObject({ role: 'admin' })
  expect(await refusal(choose(options))).toMatchObject({ code: 'move-state' })
})

test('an upload for which the disk has no room is refused before it begins', async () => {
  await using world = await startArrivals({ DISK_RESERVE: '9000000' })
  const { moves } = world.app
  expect(await refusal(moves.start({ name: 'Database', bytes: 1000 }))).toMatchObject({
    status: 507,
    code: 'disk-full',
  })
  expect(await moves.list()).toEqual([])
})
