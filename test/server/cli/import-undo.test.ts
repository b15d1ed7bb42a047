import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { deleteRemoved } from '../../../src/server/library/removals'
import { openStore } from '../../../src/server/store'
import { runImportCommand } from '../../../src/server/cli/import'
import { readConfig } from '../../../src/server/config'
import { DATABASE_FILE } from '../../../src/server/data-folder'
import { executable } from '../../support/executable'
import { refusal, startTestApp, temporaryFolder } from '../../support/app'
import { rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { writeGpodder } from '../../support/foreign/gpodder'
import { writeManyEpisodes } from '../../support/foreign/many-episodes'
import { changeForeign } from '../../support/foreign/write'
import { startRandom } from '../../support/random'
import { wholeDumpOf } from '../../support/whole-dump'
import { readRow, untilRow } from '../../support/watched-row'
import { openWorld } from '../moving/world'

const KILLS = Number(process.env.UNDO_KILLS ?? 6)

/** A library without podcasts, which no server has open. */
async function startLibrary() {
  const app = await startTestApp()
  app.prefill(0)
  await app[Symbol.asyncDispose]()
  return app.folder
}

async function importInto(folder: string, ...args: string[]) {
  const lines: string[] = []
  const isDone = await runImportCommand(args, readConfig({ DATA_DIRECTORY: folder }), line => lines.push(line))
  return { isDone, text: lines.join('\n') }
}

test('undoing an import prints what was undone, and what stays and why', async () => {
  using host = startFeedHost()
  openWorld(host)
  const folder = await startLibrary()
  const file = writeGpodder(join(temporaryFolder(), 'Database'), host.origin)
  await importInto(folder, file)
  const app = await startTestApp({ folder })
  const { store, admin, favourites } = app.context
  const { id } = store.podcasts.findByFeed(`${host.origin}/alpha.xml`)!
  const a4 = store.episodes.knownOf(id).find(({ guid }) => guid === 'a4')!
  favourites.like(admin.id, a4.id, true)
  await app[Symbol.asyncDispose]()
  const { isDone, text } = await importInto(folder, '--undo')
  expect(isDone).toBe(true)
  expect(text.slice(text.indexOf('Database (')).replaceAll(host.origin, '')).toBe(`Database (gPodder) was undone

                       undone already gone         kept
podcasts                    2            0            1
subscriptions               3            0            0
tags                        1            0            0
positions                   7            0            0
likes                       1            0            0
removed                     1            0            0
episodes                    3            0            0

Kept:
  podcasts, liked since: 1

Podcasts that stay:
  /alpha.xml: liked since`)
  expect(readdirSync(join(folder, 'moving'))).toEqual([])
})

test('an undo has deleted everything when it says so, also of a podcast with thousands of episodes', async () => {
  using host = startFeedHost()
  const folder = await startLibrary()
  const before = wholeDumpOf(folder)
  const items = Array.from({ length: 3000 }, (_, number) => ({ guid: `e${number}`, title: `Episode ${number}` }))
  host.feed('/long.xml', rss({ title: 'Long', items }))
  const file = writeGpodder(join(temporaryFolder(), 'Database'), host.origin)
  changeForeign(
    file,
    `DELETE FROM podcast; DELETE FROM episode;
     INSERT INTO podcast (id, title, url) VALUES (1, 'Long', '${host.origin}/long.xml')`,
  )
  await importInto(folder, file)
  expect(wholeDumpOf(folder).episode).toHaveLength(items.length)
  expect((await importInto(folder, '--undo')).isDone).toBe(true)
  expect(wholeDumpOf(folder)).toEqual(before)
})

test('what cannot be undone is refused with the reason', async () => {
  using host = startFeedHost()
  openWorld(host)
  const folder = await startLibrary()
  const refused = async (...args: string[]) => ((await refusal(importInto(folder, ...args))) as Error).message
  expect(await refused('--undo')).toBe('There is no such import to undo')
  await importInto(folder, writeGpodder(join(temporaryFolder(), 'Database'), host.origin))
  expect(await refused('--undo', '7')).toBe('There is no such import to undo')
  expect(await refused('--undo', '1', '2')).toBe('Unexpected "2"')
  expect(await refused('--undo', '-1')).toContain('-1')
  expect(await refused('--undo', 'one')).toBe('"one" is not the ID of an import')
  expect(await refused('--undo', '--dry-run')).toBe('--undo takes an ID and --user only')
  expect(await refused('--undo', '--user', 'nobody')).toBe('There is no account "nobody"')
  expect((await importInto(folder, '--undo', '1')).isDone).toBe(true)
  expect(await refused('--undo', '1')).toBe('This import was undone already')
})

/** The place down to which the move is taken back, and how many changes there are. */
const progress = `SELECT coalesce(undo, '') AS undo, coalesce(undo_place, 1 << 30) AS place,
                         (SELECT max(place) FROM move_change) AS changes FROM move`
type Progress = { undo: string; place: number; changes: number }
const progressOf = (folder: string) => readRow<Progress>(folder, progress)!

function countsOf(folder: string) {
  const db = new Database(join(folder, DATABASE_FILE), { readonly: true })
  try {
    return db.query('SELECT * FROM move_undo_count ORDER BY feed_url, kind, outcome, reason').all()
  } finally {
    db.close()
  }
}

/** Deletes what removals left, as the next start of the server does. */
async function finishRemovals(folder: string) {
  const store = openStore(join(folder, DATABASE_FILE))
  for (const removal of store.removals.list()) while (!(await deleteRemoved(store, removal)));
  store.close()
}

test('an undo that is killed again and again comes to the same end', async () => {
  using host = startFeedHost()
  const file = writeManyEpisodes(join(temporaryFolder(), 'Database'), host)
  const [whole, killed] = [await startLibrary(), temporaryFolder()]
  const app = await startTestApp({ folder: whole })
  const podcast = await app.context.subscribe(app.context.admin, `${host.origin}/p1.xml`)
  for (const { id } of app.context.store.episodes.knownOf(podcast.id)) {
    app.context.playback.record(app.context.admin.id, app.context.store.episodes.find(id)!, { position: 3, at: id })
    if (id % 5 === 0) app.context.queue.addAll(app.context.admin.id, [id], 'last')
  }
  await app[Symbol.asyncDispose]()
  const before = wholeDumpOf(whole)
  await importInto(whole, file)
  cpSync(whole, killed, { recursive: true })
  expect((await importInto(whole, '--undo')).isDone).toBe(true)

  const random = startRandom(Number(process.env.UNDO_SEED ?? 1))
  const { changes } = progressOf(killed)
  const places = Array.from({ length: KILLS }, () => random.below(changes)).sort((one, other) => other - one)
  for (const place of places) {
    const child = Bun.spawn([executable, 'import', '--undo', '1'], {
      env: { ...process.env, DATA_DIRECTORY: killed },
      stdout: 'ignore',
      stderr: 'inherit',
    })
    await untilRow<Progress>(killed, progress, row => row!.place <= place, child)
    child.kill('SIGKILL')
    await child.exited
  }
  // Any next import ends it first.
  if (progressOf(killed).undo !== 'undone') await refusal(importInto(killed, join(killed, 'nothing')))
  expect(progressOf(killed).undo).toBe('undone')
  await finishRemovals(killed)
  expect(wholeDumpOf(killed)).toEqual(before)
  expect(wholeDumpOf(whole)).toEqual(before)
  expect(countsOf(killed)).toEqual(countsOf(whole))
}, 120_000)
