import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'bun:test'
import { runMediaCommand } from '../../../src/server/cli/media'
import { readConfig } from '../../../src/server/config'
import { openDataFolder } from '../../../src/server/data-folder'
import { MOVE_LOCK } from '../../../src/server/downloads/media-move'
import { lockDataFolder } from '../../../src/server/platform/instance-lock'
import { executable } from '../../support/executable'
import { refusal, startTestApp, temporaryFolder } from '../../support/app'
import { bucketFound, hasty, inBucket } from '../../support/bucket'
import { noise, rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { startS3Server, type S3Server } from '../../support/s3-server'

const bytesOf = (place: number) => noise(40_000 + place, place + 1)
const pathOf = (place: number) => `Weather/é #${place}.mp3`

/** A library with `count` files in the media folder, and a bucket beside it. */
async function startWorld(count: number) {
  const s3 = await startS3Server()
  const folder = temporaryFolder()
  const env = { DATA_DIRECTORY: folder, DISK_RESERVE: '0', ...inBucket(s3) }
  const config = readConfig(env)
  await plant(folder, count)
  const lines: string[] = []
  return {
    s3,
    folder,
    env,
    config,
    lines,
    move: (to: string) => {
      lines.length = 0
      return runMediaCommand(['move', '--to', to], config, line => lines.push(line))
    },
    [Symbol.dispose]: () => s3[Symbol.dispose](),
  }
}

async function plant(folder: string, count: number) {
  using host = startFeedHost()
  await using app = await startTestApp({ folder })
  app.prefill(0)
  const items = Array.from({ length: count }, (_, place) => ({
    title: `Episode ${place}`,
    guid: `g${place}`,
    enclosure: `${host.origin}/media/${place}.mp3`,
  }))
  await app.podcasts.add(host.feed('/feed.xml', rss({ title: 'Weather', items })))
  const { store } = app.context
  for (const [place] of items.entries()) {
    const file = join(folder, 'podcasts', pathOf(place))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, bytesOf(place))
    const size = bytesOf(place).byteLength
    const { id } = store.episodes.find(place + 1)!
    store.episodes.keepFile(id, { path: pathOf(place), size, type: 'audio/mpeg', duration: null, now: 0 })
  }
}

/** Every file of the library, by the storage of its row; throws where its bytes are not what they were. */
function filesOf(folder: string, s3: S3Server) {
  const { store } = openDataFolder(folder)
  try {
    const objects = s3.objects()
    const rows = store.health.files()
    for (const { id, file_path: path, file_storage } of rows) {
      const found =
        file_storage === 'folder'
          ? readFileSync(join(folder, 'podcasts', path))
          : objects.get(`castellan/${path}`)!.bytes()
      if (!Buffer.from(found).equals(bytesOf(id - 1))) throw new Error(`${path} has other bytes`)
    }
    return {
      folder: rows.filter(row => row.file_storage === 'folder').length,
      s3: rows.filter(row => row.file_storage === 's3').length,
      unsettled: [...store.mediaCopies.list(), ...store.forgottenFiles.list()].length,
    }
  } finally {
    store.close()
  }
}

const onDisk = (folder: string) =>
  readdirSync(join(folder, 'podcasts'), { recursive: true, encoding: 'utf8' }).filter(path => path.endsWith('.mp3'))

test('files move to the bucket and back, byte for byte, and nothing stays where they were', async () => {
  using world = await startWorld(5)
  const { s3, folder, move, lines } = world
  expect(await move('s3')).toBe(true)
  expect(lines).toEqual([expect.stringMatching(/^5 files to move/), expect.stringMatching(/^Moved 5 files/)])
  expect(filesOf(folder, s3)).toEqual({ folder: 0, s3: 5, unsettled: 0 })
  expect([onDisk(folder), s3.keys().length]).toEqual([[], 5])
  expect(await move('s3')).toBe(true)
  expect(lines[0]).toMatch(/^0 files to move/)

  expect(await move('folder')).toBe(true)
  expect(lines.at(-1)).toBe('New downloads are still stored elsewhere: set MEDIA_STORAGE=folder.')
  expect(filesOf(folder, s3)).toEqual({ folder: 5, s3: 0, unsettled: 0 })
  expect([onDisk(folder).length, s3.keys()]).toEqual([5, []])
})

test('a file that is gone is named and stays recorded, a name that is taken in the bucket is left alone', async () => {
  using world = await startWorld(3)
  const { s3, folder, move, lines } = world
  rmSync(join(folder, 'podcasts', pathOf(0)))
  s3.put(`castellan/${pathOf(1)}`, Buffer.from('somebody else’s'))
  expect(await move('s3')).toBe(false)
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(/^Moved 1 file /),
    '2 files could not be moved:',
    `  ${pathOf(0)}: it is not there`,
    `  ${pathOf(1)}: another file has its name in the bucket`,
  ])
  expect(
    Buffer.from(
      s3
        .objects()
        .get(`castellan/${pathOf(1)}`)!
        .bytes(),
    ).toString(),
  ).toBe('somebody else’s')
  expect(existsSync(join(folder, 'podcasts', pathOf(1)))).toBe(true)
})

test('files of a podcast that was deleted without them move, too', async () => {
  using world = await startWorld(2)
  const { s3, folder, move } = world
  {
    await using app = await startTestApp({ folder, env: world.env })
    const [podcast] = await app.podcasts.list()
    await app.podcasts.remove(podcast!.id, false)
  }
  expect(await move('s3')).toBe(true)
  expect([s3.keys().length, onDisk(folder)]).toEqual([2, []])
})

test('a bucket that goes away ends the move with a reason, and running it again completes it', async () => {
  using world = await startWorld(3)
  const { s3, folder, move, lines } = world
  const denied = { kind: 'refuse', status: 403, code: 'AccessDenied' } as const
  const fault = s3.fail(denied, { when: ({ method, key }) => method === 'PUT' && key?.endsWith('#1.mp3') === true })
  expect(await move('s3')).toBe(false)
  expect(lines.at(-1)).toMatch(/AccessDenied.*run the command again/)
  expect(filesOf(folder, s3)).toMatchObject({ s3: 1, folder: 2 })
  fault.off()
  expect(await move('s3')).toBe(true)
  expect(filesOf(folder, s3)).toEqual({ folder: 0, s3: 3, unsettled: 0 })
})

test('a file that cannot be deleted where it was goes at the next run', async () => {
  using world = await startWorld(2)
  const { s3, folder, move } = world
  await move('s3')
  const denied = { kind: 'refuse', status: 403, code: 'AccessDenied' } as const
  const fault = s3.fail(denied, { when: ({ method }) => method === 'DELETE' })
  expect(await move('folder')).toBe(true)
  expect([onDisk(folder).length, s3.keys().length]).toEqual([2, 2])
  fault.off()
  await move('folder')
  expect(s3.keys()).toEqual([])
})

test('only one process moves files, and the command says what it needs', async () => {
  using world = await startWorld(1)
  const { folder, move, config } = world
  const unlock = lockDataFolder(join(folder, MOVE_LOCK))
  expect(await refusal(move('s3'))).toMatchObject({ message: 'Another process is moving media files.' })
  unlock()
  expect(await refusal(move('tape'))).toMatchObject({ message: '--to is s3 or folder' })
  const without = runMediaCommand(['move', '--to', 's3'], { ...config, bucket: null }, () => {})
  expect(await refusal(without)).toMatchObject({ message: expect.stringContaining('names no bucket') as string })
})

test('killed again and again, a move loses no file, and the next run and the next start clear what it left', async () => {
  const count = 40
  using world = await startWorld(count)
  const { s3, folder, env } = world
  async function killAfter(to: string, requests: number) {
    s3.forgetRequests()
    const child = Bun.spawn([executable, 'media', 'move', '--to', to], {
      env: { ...process.env, ...env },
      stdout: 'ignore',
      stderr: 'ignore',
    })
    while (child.exitCode === null && s3.requests.length < requests) await Bun.sleep(0)
    child.kill('SIGKILL')
    await child.exited
    const files = filesOf(folder, s3)
    expect(files.folder + files.s3).toBe(count)
    return files
  }
  for (const to of ['s3', 'folder']) {
    for (const requests of [3, 31, 64]) await killAfter(to, requests)
    // One that a start clears, and not a run.
    await killAfter(to, 9)
    {
      await using app = await startTestApp({ folder, env, bucketLimits: hasty })
      await bucketFound(app)
      await app.context.downloads.settled()
      expect(app.context.store.mediaCopies.list()).toEqual([])
      expect(s3.keys().length).toBe(filesOf(folder, s3).s3)
      expect(onDisk(folder).length).toBe(filesOf(folder, s3).folder)
    }
    expect(await world.move(to)).toBe(true)
  }
  expect(filesOf(folder, s3)).toEqual({ folder: count, s3: 0, unsettled: 0 })
  expect([onDisk(folder).length, s3.keys(), s3.uploads()]).toEqual([count, [], []])
})
