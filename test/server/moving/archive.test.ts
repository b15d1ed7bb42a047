import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { refusal, startClock, startTestApp, temporaryFolder } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'
import { writeAudiobookshelf } from '../../support/foreign/audiobookshelf'
import { dumpOf } from '../../support/foreign/dump'
import { writeGpodder } from '../../support/foreign/gpodder'
import { writeZip, type ZipContent } from '../../support/foreign/zip'
import { moveIn, openWorld } from './world'

async function startArchives() {
  const host = startFeedHost()
  openWorld(host)
  const app = await startTestApp({ now: startClock() })
  app.prefill(0)
  const folder = temporaryFolder()
  const database = readFileSync(writeGpodder(join(folder, 'Database'), host.origin))
  let count = 0
  const pack = (contents: readonly ZipContent[], isLarge = false) =>
    writeZip(join(folder, `${count++}.zip`), contents, isLarge)
  return {
    host,
    app,
    database,
    folder,
    pack,
    dump: () => dumpOf(app.folder, host.origin),
    /** The message with which an archive is refused, and that nothing is left of it. */
    async refused(path: string) {
      const { moves, admin } = app.context
      const { message } = (await refusal(moves.start(admin, path))) as Error
      expect(readdirSync(join(app.folder, 'moving'))).toEqual([])
      return message
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host.stop()
    },
  }
}

const POSITIONS = 7

test("Audiobookshelf's own backup comes over", async () => {
  await using world = await startArchives()
  await world.app.signUp('alice')
  const database = writeAudiobookshelf(join(world.folder, 'absdatabase.sqlite'), world.host.origin)
  const backup = writeZip(join(world.folder, '2026-05-01T1200.audiobookshelf'), [
    { name: 'absdatabase.sqlite', content: readFileSync(database) },
    { name: 'details', content: '2026-05-01\n2.36.0' },
    { name: 'metadata-items/one/cover.jpg', content: 'a picture', isStored: true },
  ])
  await moveIn(world.app, backup)
  expect(world.dump()).toMatchObject({ positions: { length: 2 }, bookmarks: { length: 1 }, playlists: { length: 2 } })
})

test.each([
  [false, false],
  [true, false],
  [false, true],
  [true, true],
])(
  'an archive with one known database comes over: stored %p, with the marks of a large one %p',
  async (isStored, isLarge) => {
    await using world = await startArchives()
    await moveIn(world.app, world.pack([{ name: 'gPodder/Database', content: world.database, isStored }], isLarge))
    expect(world.dump().positions).toHaveLength(POSITIONS)
    expect(readdirSync(join(world.app.folder, 'moving'))).toEqual([])
  },
)

test('the log of a database comes out of the archive as well', async () => {
  await using world = await startArchives()
  const path = join(world.folder, 'Database')
  const db = new Database(path)
  db.run('PRAGMA journal_mode = WAL')
  db.run('PRAGMA wal_autocheckpoint = 0')
  db.run('UPDATE episode SET current_position = 900 WHERE id = 11')
  const contents = ['Database', 'Database-wal'].map(name => ({ name, content: readFileSync(join(world.folder, name)) }))
  db.close()
  await moveIn(world.app, world.pack(contents))
  expect(world.dump().positions[0]).toStartWith('admin | /alpha.xml | a1 | 900')
})

test('no name of an archive becomes a path', async () => {
  await using world = await startArchives()
  const above = join(dirname(world.app.folder), 'Database')
  const names = ['../../../Database', '/etc/castellan/x', 'C:\\x', '..\\..\\y', 'nul\0l.opml', '']
  await moveIn(
    world.app,
    world.pack(names.map(name => ({ name, content: name.endsWith('Database') ? world.database : 'x' }))),
  )
  expect(world.dump().positions).toHaveLength(POSITIONS)
  expect([above, '/etc/castellan'].filter(path => existsSync(path))).toEqual([])
})

test('a bomb is refused before it goes off, and one that lies about its size when it does', async () => {
  await using world = await startArchives()
  const zeros = new Uint8Array(80 * 1024 * 1024)
  const { refused, pack } = world
  expect(await refused(pack([{ name: 'Database', content: zeros }]))).toMatch(
    /^Database unpacks from \d+ to 83886080 bytes/,
  )
  expect(await refused(pack([{ name: 'Database', content: zeros, claims: { size: 5000 } }]))).toContain(
    'larger than it says',
  )
  expect(await refused(pack([{ name: 'Database', content: 'x', claims: { size: 2 ** 31 } }]))).toContain('unpacks from')
  const huge = pack([{ name: 'Database', content: 'x', isStored: true, claims: { size: 9 * 1024 ** 3 } }], true)
  expect(await refused(huge)).toContain('more than')
})

test('an archive that is cut, damaged or encrypted is refused with the reason', async () => {
  await using world = await startArchives()
  const { refused, pack, database } = world
  const cut = pack([{ name: 'Database', content: database }])
  truncateSync(cut, readFileSync(cut).length - 100)
  expect(await refused(cut)).toContain('has no list of files')
  const claims = (one: ZipContent['claims']) => pack([{ name: 'Database', content: database, claims: one }])
  expect(await refused(claims({ crc: 1 }))).toContain('damaged')
  expect(await refused(claims({ flags: 1 }))).toContain('encrypted')
  expect(await refused(claims({ method: 12 }))).toContain('unsupported compression (12)')
  expect(await refused(claims({ packed: 2 ** 30 }))).toContain('ends too early')
  expect(await refused(claims({ packed: 100 }))).toContain('damaged')
  expect(await refused(claims({ offset: 7 }))).toContain('damaged')
  expect(await refused(claims({ size: database.length + 1 }))).toContain('damaged')
  const random = pack([{ name: 'Database', content: database }])
  writeFileSync(random, readFileSync(random).fill(0xaa, 100, 900))
  expect(await refused(random)).toContain('damaged')
})

test('a list of files that lies about itself is refused', async () => {
  await using world = await startArchives()
  const path = world.pack([{ name: 'Database', content: world.database }])
  const bytes = readFileSync(path)
  const end = bytes.length - 22
  const lie = async (change: (bytes: Buffer) => void) => {
    const copy = Buffer.from(bytes)
    change(copy)
    writeFileSync(path, copy)
    return world.refused(path)
  }
  expect(await lie(copy => copy.writeUInt16LE(7, end + 10))).toContain('its list of files')
  expect(await lie(copy => copy.writeUInt32LE(0xfffffff0, end + 16))).toContain('ends too early')
  expect(await lie(copy => copy.writeUInt16LE(3, end + 4))).toContain('several parts')
  expect(await lie(copy => copy.writeUInt16LE(60_000, copy.readUInt32LE(end + 16) + 28))).toContain('its list of files')
})

test('an archive of more files than any backup has is refused before they are read', async () => {
  await using world = await startArchives()
  const path = world.pack([{ name: 'Database', content: world.database }], true)
  const bytes = readFileSync(path)
  // The end of a large archive stands before its locator and the small end.
  bytes.writeBigUInt64LE(100_001n, bytes.length - 22 - 20 - 56 + 32)
  writeFileSync(path, bytes)
  expect(await world.refused(path)).toBe('The archive has more than 100000 files')
})

test('a list of files of more bytes than any backup has is refused, whatever length it states', async () => {
  await using world = await startArchives()
  const name = 'x'.repeat(60_000)
  const many = Array.from({ length: 1200 }, (_, at) => ({ name: `${at}${name}`, content: '', isStored: true }))
  const path = world.pack(many)
  const bytes = readFileSync(path)
  bytes.writeUInt32LE(100, bytes.length - 22 + 12)
  writeFileSync(path, bytes)
  expect(await world.refused(path)).toBe('The archive has more than 100000 files')
})

test('of several databases none is taken, and without any the archive is refused', async () => {
  await using world = await startArchives()
  const { refused, pack, database: content } = world
  const both = [
    { name: 'a/Database', content },
    { name: 'b/Database', content },
  ]
  expect(await refused(pack(both))).toBe(
    'The archive contains several databases: Database, Database. Unpack it and name one of them.',
  )
  expect(await refused(pack([{ name: 'photo.jpg', content: 'x' }]))).toContain('no database and no list')
  expect(await refused(pack([]))).toContain('no database and no list')
  expect(await refused(pack([{ name: 'Database', content: 'x' }]))).toStartWith('This file is not one of')
})

test('a list of feeds in an archive comes over', async () => {
  await using world = await startArchives()
  const content = `<opml version="2.0"><body><outline xmlUrl="${world.host.origin}/alpha.xml" text="A"/></body></opml>`
  await moveIn(world.app, world.pack([{ name: 'backup/feeds.opml', content }]))
  expect(world.dump().favourites).toEqual(['admin | /alpha.xml'])
})
