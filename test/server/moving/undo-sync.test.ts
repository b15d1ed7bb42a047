import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { temporaryFolder } from '../../support/app'
import { writeGpodder } from '../../support/foreign/gpodder'
import { startLibrary } from '../../support/podcast-app'
import { wholeDumpOf } from '../../support/whole-dump'
import { fillLibrary } from './fill'
import { moveIn, openWorld, undoLatest, undoneOf } from './world'

const MINUTE = 60_000

type Told = { add: string[]; remove: string[]; timestamp: number }

async function startWithPhone() {
  const world = await startLibrary()
  openWorld(world.host)
  const { app, host, now, phone } = world
  const { admin } = app.context
  const told = async (since: number) => (await phone.changes('phone', since)).json as Told
  const namesOf = (urls: readonly string[]) => urls.map(url => url.replace(host.origin, '')).sort()
  return {
    ...world,
    told: async (since: number) => {
      const { add, remove } = await told(since)
      return { add: namesOf(add), remove: namesOf(remove) }
    },
    positions: async (since: number) => {
      const { actions } = await phone.received(`since=${since}`)
      return actions
        .map(
          action =>
            `${action.episode.replace(host.origin, '')} ${action.action === 'new' ? 'unplayed' : String(action['position'])}`,
        )
        .sort()
    },
    /** The second from which on a phone asks next. */
    later() {
      now.advance(MINUTE)
      return Math.floor(now() / 1000)
    },
    feed: (name: string) => `${host.origin}/${name}.xml`,
    file: () => writeGpodder(join(temporaryFolder(), 'Database'), host.origin),
    admin,
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]()
    },
  }
}

/** Without what phones are told, which is never forgotten. */
function dumpOf(folder: string) {
  const {
    subscription: _,
    episode_action: _actions,
    device: _device,
    sync_asked: _asked,
    ...rest
  } = wholeDumpOf(folder)
  return rest
}

test('a phone that has received the subscriptions of a move receives their end', async () => {
  await using world = await startWithPhone()
  const { app, phone, told } = world
  await phone.subscribe('phone', [])
  const before = dumpOf(app.folder)
  const moved = world.later()
  await moveIn(app, world.file())
  expect(await told(moved)).toEqual({ add: ['/alpha.xml', '/gone.xml', '/members.xml'], remove: [] })
  const undone = world.later()
  await undoLatest(app)
  expect(await told(undone)).toEqual({ add: [], remove: ['/alpha.xml', '/gone.xml', '/members.xml'] })
  expect(await world.positions(0)).toEqual([])
  expect(dumpOf(app.folder)).toEqual(before)
})

test('positions that phones have received are told as they were before, or as unplayed', async () => {
  await using world = await startWithPhone()
  const { app, phone } = world
  await fillLibrary(app, world.host, [world.admin])
  await phone.subscribe('phone', [])
  const before = dumpOf(app.folder)
  const moved = world.later()
  await moveIn(app, world.file())
  expect(await world.positions(moved)).toContain('/a2.mp3 1800')
  expect(await world.positions(moved)).toContain('/a3.mp3 1800')
  const undone = world.later()
  await undoLatest(app)
  // Of podcasts that are gone nothing is left to tell.
  expect(await world.positions(undone)).toEqual(['/a2.mp3 5', '/a3.mp3 unplayed'])
  expect(await world.told(undone)).toEqual({ add: [], remove: ['/gone.xml', '/members.xml'] })
  expect(dumpOf(app.folder)).toEqual(before)
})

test('a podcast that a phone subscribes to by itself after the move stays, and stays a favourite', async () => {
  await using world = await startWithPhone()
  const { app, phone, feed } = world
  await phone.subscribe('phone', [])
  world.later()
  await moveIn(app, world.file())
  world.later()
  await phone.subscribe('tablet', [feed('alpha')])
  const undone = world.later()
  const id = await undoLatest(app)
  expect(await world.told(undone)).toEqual({ add: [], remove: ['/gone.xml', '/members.xml'] })
  expect(await phone.list('tablet')).toEqual([feed('alpha')])
  expect(undoneOf(app, id)).toContain('subscriptions kept on-a-device: 1')
  expect(undoneOf(app, id)).toContain('podcasts kept favourite: 1')
})

test('what a phone had subscribed to and played before the library had it is as it was', async () => {
  await using world = await startWithPhone()
  const { app, phone, feed, host } = world
  await phone.subscribe('phone', [feed('alpha')])
  await phone.upload([
    {
      podcast: feed('alpha'),
      episode: `${host.origin}/a5.mp3`,
      action: 'play',
      device: 'phone',
      position: 9,
      total: 99,
    },
  ])
  const before = wholeDumpOf(app.folder)
  world.later()
  await moveIn(app, world.file())
  const undone = world.later()
  const id = await undoLatest(app)
  expect(undoneOf(app, id).filter(line => line.includes('kept'))).toEqual([])
  expect(await phone.list('phone')).toEqual([feed('alpha')])
  expect(await world.told(undone)).toEqual({ add: [], remove: ['/gone.xml', '/members.xml'] })
  const after = wholeDumpOf(app.folder)
  for (const table of ['podcast', 'favourite', 'playback', 'episode_action', 'listened', 'listening', 'tag'])
    expect({ table, rows: after[table] }).toEqual({ table, rows: before[table] })
})
