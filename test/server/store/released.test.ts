import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { checkBackup } from '../../../src/server/store/backup'
import { newestSchema, openDatabase, schemaOf } from '../../../src/server/store/open'
import { startTestApp, temporaryFolder } from '../../support/app'
import { admin, mara, planted } from '../../support/released-library'
import { untar } from '../../support/untar'
import { wholeDumpOf } from '../../support/whole-dump'

const fixtures = join(import.meta.dir, '../../fixtures/released')
const schemas = readdirSync(fixtures).map(name => Number(/^schema-(\d+)\.tar\.gz$/.exec(name)![1]))

/** Unpacks the data folder that a released version left. */
async function unpack(schema: number): Promise<string> {
  const folder = temporaryFolder()
  for (const [path, bytes] of await untar(Bun.gunzipSync(readFileSync(join(fixtures, `schema-${schema}.tar.gz`))))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), bytes)
  }
  return folder
}

/** Schemas of the backups in a folder, lowest first; each backup must be whole. */
function backedUp(folder: string): number[] {
  const backups = join(folder, 'backups')
  if (!existsSync(backups)) return []
  const paths = readdirSync(backups)
    .filter(name => name.endsWith('.db'))
    .map(name => join(backups, name))
  for (const path of paths) checkBackup(path, newestSchema)
  return paths.map(path => schemaOf(path)!).toSorted((a, b) => a - b)
}

test('there is a library of the first released schema and of a later one', () => {
  expect(schemas.toSorted((a, b) => a - b).slice(0, 2)).toEqual([13, 38])
})

test.each(schemas)('a library that a released version made with schema %i is whole after the update', async schema => {
  const folder = await unpack(schema)
  await using app = await startTestApp({ folder, env: admin })
  expect(backedUp(folder)).toEqual([schema])

  const apis = app.as(mara.username, mara.password)
  const [podcast] = await apis.podcasts.list()
  expect(podcast).toMatchObject({ name: planted.podcast, favorites: true, tags: [{ name: planted.tag }] })
  const { data } = await apis.podcasts.episodes(String(podcast!.id), {}, null)
  const [first, second, third] = planted.episodes.map(title => data.find(one => one.podcastEpisode.name === title)!)
  expect(first!.podcastEpisode).toMatchObject({ status: true, favored: true })
  expect(first!.podcastHistoryItem).toMatchObject({ position: planted.position, finished: false })
  expect(second!.podcastHistoryItem).toMatchObject({ finished: true })
  const [list] = await apis.playlists.list()
  const playlist = await apis.playlists.find(list!.id)
  expect(playlist.items.map(item => item.podcastEpisode.id)).toEqual([
    second!.podcastEpisode.id,
    first!.podcastEpisode.id,
  ])
  expect((await apis.bookmarks.list()).map(({ note }) => note)).toEqual([planted.bookmark])
  expect((await apis.queue.find()).items.map(item => item.podcastEpisode.id)).toEqual([third!.podcastEpisode.id])
  expect((await apis.search.episodes('harbour')).length).toBe(3)
  const media = await app.fetch(`/media/${first!.podcastEpisode.episode_id}.mp3`, {
    headers: { Authorization: apis.authorization! },
  })
  expect([media.status, (await media.bytes()).length > 10_000]).toEqual([200, true])
})

test.each(schemas)(
  'an update of schema %i that is killed at any statement ends at the next start',
  async schema => {
    const whole = await unpack(schema)
    openDatabase(join(whole, 'castellan.db')).close()
    const expected = wholeDumpOf(whole)
    let killed = 0
    for (let statement = 1; ; statement += 17) {
      const folder = await unpack(schema)
      const path = join(folder, 'castellan.db')
      const child = Bun.spawn(
        [process.execPath, join(import.meta.dir, '../../support/killed-update.ts'), path, String(statement)],
        { stdout: 'ignore', stderr: 'inherit' },
      )
      await child.exited
      if (child.signalCode === null) break
      killed++
      const reached = schemaOf(path)!
      if (reached > schema) expect([statement, backedUp(folder)]).toEqual([statement, [schema]])
      openDatabase(path).close()
      expect(wholeDumpOf(folder)).toEqual(expected)
      expect(backedUp(folder)[0]).toBe(schema)
    }
    expect(killed).toBeGreaterThan(3)
  },
  120_000,
)

test('a version refuses a library that a newer one updated, and leaves every byte of it', async () => {
  const folder = await unpack(schemas[0]!)
  const path = join(folder, 'castellan.db')
  const db = new Database(path)
  db.run(`PRAGMA user_version = ${newestSchema + 1}`)
  db.close()
  const before = readFileSync(path)
  expect(() => openDatabase(path)).toThrow('A newer version used it last')
  expect(readFileSync(path).equals(before)).toBe(true)
  expect(backedUp(folder)).toEqual([])
})
