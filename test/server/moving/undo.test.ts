import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { startClock, startTestApp, temporaryFolder, type TestApp } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'
import { writeAntennapod } from '../../support/foreign/antennapod'
import { writeGpodder } from '../../support/foreign/gpodder'
import { writePodfetch } from '../../support/foreign/podfetch'
import { wholeDumpOf } from '../../support/whole-dump'
import { fillLibrary } from './fill'
import { moveIn, openWorld, undoLatest, undoneOf } from './world'

const writers = {
  gPodder: writeGpodder,
  AntennaPod: writeAntennapod,
  PodFetch: (path: string, origin: string) => writePodfetch(path, origin, 'C'),
}

async function startUndoing() {
  const host = startFeedHost()
  openWorld(host)
  const clock = startClock()
  const app = await startTestApp({ now: clock })
  app.prefill(0)
  const { row: alice } = await app.signUp('alice')
  return {
    host,
    clock,
    app,
    alice,
    path: join(temporaryFolder(), 'Database'),
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

test('undoing a move tells open pages of every position that it puts back', async () => {
  await using world = await startUndoing()
  await moveIn(world.app, writeAntennapod(world.path, world.host.origin))
  const count = world.app.context.store.playback.listProgress(world.app.context.admin).length
  expect(count).toBeGreaterThan(0)
  world.clock.advance(60_000)
  await undoLatest(world.app)
  const restored = world.app.events.filter(event => event.type === 'positionsRestored')
  expect(restored.flatMap(({ episodeIds }) => episodeIds)).toHaveLength(count)
})

for (const [name, write] of Object.entries(writers)) {
  test(`an empty library is empty again once a move from ${name} is undone`, async () => {
    await using world = await startUndoing()
    const before = await dumpOf(world.app)
    await moveIn(world.app, write(world.path, world.host.origin))
    expect(await dumpOf(world.app)).not.toEqual(before)
    world.clock.advance(60_000)
    const id = await undoLatest(world.app)
    expect(await dumpOf(world.app)).toEqual(before)
    expect(undoneOf(world.app, id).filter(line => !line.includes(' undone'))).toEqual([])
  })

  test(`a library that shares much with ${name} is as it was once the move is undone`, async () => {
    await using world = await startUndoing()
    await fillLibrary(world.app, world.host, [world.app.context.admin, world.alice])
    const before = await dumpOf(world.app)
    world.clock.advance(60_000)
    await moveIn(world.app, write(world.path, world.host.origin))
    const between = await dumpOf(world.app)
    for (const table of ['playback', 'podcast', 'queue_item'])
      expect({ table, rows: between[table] }).not.toEqual({ table, rows: before[table] })
    world.clock.advance(60_000)
    const id = await undoLatest(world.app)
    expect(await dumpOf(world.app)).toEqual(before)
    expect(undoneOf(world.app, id).filter(line => !line.includes(' undone'))).toEqual([])
  })
}
