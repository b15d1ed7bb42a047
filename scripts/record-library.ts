import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database } from 'bun:sqlite'
import { Glob } from 'bun'
import { apisOf } from '../test/support/apis'
import { rss, silentMp3 } from '../test/support/builders'
import { startExecutable } from '../test/support/executable'
import { startFeedHost } from '../test/support/feed-host'
import { admin, mara, planted } from '../test/support/released-library'
import { writeTar, withFolders } from './release/archives/tar'

// Before a release whose schema is new: bun scripts/record-library.ts dist/castellan
// Lets an executable make a small library, and keeps its data folder for the tests of updates.

const folder = mkdtempSync(join(tmpdir(), 'castellan-released-'))
try {
  await plant(process.argv[2]!)
  const db = new Database(join(folder, 'castellan.db'))
  db.run('PRAGMA wal_checkpoint(TRUNCATE)')
  const { user_version: schema } = db.query<{ user_version: number }, []>('PRAGMA user_version').get()!
  db.run('VACUUM')
  db.close()
  const paths = ['castellan.db', 'secret.key', ...new Glob('podcasts/**/*.mp3').scanSync(folder)].toSorted()
  const entries = paths.map(path => ({ path, content: readFileSync(join(folder, path)) }))
  const name = join(import.meta.dir, `../test/fixtures/released/schema-${schema}.tar.gz`)
  await Bun.write(name, Bun.gzipSync(new Uint8Array(writeTar(withFolders(entries), 0)), { level: 9 }))
  console.log(`${name} ${Bun.file(name).size} bytes`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function basic(username: string, password: string) {
  return `Basic ${btoa(`${username}:${password}`)}`
}

async function plant(executable: string) {
  using host = startFeedHost()
  const env = { DATA_DIRECTORY: folder, ALLOWED_NETWORKS: '127.0.0.0/8', DISK_RESERVE: '0', ...admin }
  await using running = await startExecutable(env, [executable])
  const root = apisOf(running.origin, basic(admin.USERNAME, admin.PASSWORD))
  const file = host.file('/one.mp3', silentMp3(1))
  const items = planted.episodes.map((title, index) => ({
    title,
    guid: title,
    enclosure: index === 0 ? file : `${host.origin}/missing-${index}.mp3`,
    duration: '600',
    notes: planted.notes,
  }))
  const { id } = await root.podcasts.add(host.feed('/fog.xml', rss({ title: planted.podcast, items })))
  const invite = await root.invites.create({ role: 'uploader', explicitConsent: true })
  await root.users.signUp({ username: mara.username, password: mara.password, inviteId: invite.id })
  await enjoy(apisOf(running.origin, basic(mara.username, mara.password)), String(id))
  while (!new Glob('podcasts/**/*.mp3').scanSync(folder).next().value) await Bun.sleep(100)
}

/** Leaves a trace of Mara in every kind of list. */
async function enjoy(apis: ReturnType<typeof apisOf>, podcast: string) {
  const { data } = await apis.podcasts.episodes(podcast, {}, null)
  const idOf = (title: string) => data.find(one => one.podcastEpisode.name === title)!.podcastEpisode
  const [first, second, third] = planted.episodes.map(idOf)
  await apis.podcasts.favour(podcast, true)
  await apis.episodes.like(first!.id, true)
  await apis.playback.save({ podcastEpisodeId: first!.episode_id, time: planted.position, total: 600 })
  await apis.playback.save({ podcastEpisodeId: second!.episode_id, time: 600, total: 600 })
  const tag = await apis.tags.create({ name: planted.tag, color: 'Green' })
  await apis.tags.assign(tag.id, podcast)
  await apis.playlists.create({ name: planted.playlist, items: [{ episode: second!.id }, { episode: first!.id }] })
  await apis.bookmarks.add({ episode: first!.id, time: 12, note: planted.bookmark })
  await apis.queue.add({ episode: third!.id, at: 'last' })
}
