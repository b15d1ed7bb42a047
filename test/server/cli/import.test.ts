import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runImportCommand } from '../../../src/server/cli/import'
import { readConfig } from '../../../src/server/config'
import { DATABASE_FILE } from '../../../src/server/data-folder'
import { rss } from '../../support/builders'
import { refusal, startTestApp, temporaryFolder } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'
import { dumpOf, reportOf } from '../../support/foreign/dump'
import { writeGpodder } from '../../support/foreign/gpodder'
import { changeForeign } from '../../support/foreign/write'
import { startRandom } from '../../support/random'
import { openWorld } from '../moving/world'

const KILLS = Number(process.env.MOVE_KILLS ?? 6)

/** A library without podcasts, which no server has open. */
async function startLibrary(folder = temporaryFolder()) {
  const app = await startTestApp({ folder })
  app.prefill(0)
  await app[Symbol.asyncDispose]()
  return folder
}

async function importInto(folder: string, ...args: string[]) {
  const lines: string[] = []
  const isDone = await runImportCommand(args, readConfig({ DATA_DIRECTORY: folder }), line => lines.push(line))
  return { isDone, text: lines.join('\n') }
}

test('an import ends with a table of what came and what did not', async () => {
  using host = startFeedHost()
  openWorld(host)
  const folder = await startLibrary()
  const { isDone, text } = await importInto(folder, writeGpodder(join(temporaryFolder(), 'Database'), host.origin))
  expect(isDone).toBe(true)
  expect(text.slice(text.indexOf('Database (')).replaceAll(host.origin, '')).toBe(`Database (gPodder) for admin

                        taken here already     left out
podcasts                    3            0            1
subscriptions               3            0            0
tags                        1            0            0
positions                   7            0            2
likes                       1            0            0
removed                     1            0            0
episodes                    3            0            0

Left out:
  podcasts, not a feed on the web: 1
  positions, without the address of a file: 1
  positions, of a podcast that was left out: 1

Feeds that could not be read:
  /gone.xml: The host answered 404 (is tried again)`)
  expect(dumpOf(folder, host.origin).positions).toHaveLength(7)
  expect(readdirSync(join(folder, 'moving'))).toEqual([])
})

test('a dry run says the same numbers, requests nothing and changes nothing', async () => {
  using host = startFeedHost()
  openWorld(host)
  const folder = await startLibrary()
  const file = writeGpodder(join(temporaryFolder(), 'Database'), host.origin)
  const before = [readdirSync(folder), readFileSync(join(folder, DATABASE_FILE))]
  const dry = await importInto(folder, file, '--dry-run')
  expect(host.requests).toEqual([])
  expect(readdirSync(join(folder, 'moving'))).toEqual([])
  expect([readdirSync(folder).filter(name => name !== 'moving'), readFileSync(join(folder, DATABASE_FILE))]).toEqual(
    before,
  )
  const { text } = await importInto(folder, file)
  const numbers = (printed: string) => /taken here[\s\S]*?without the address of a file/.exec(printed)?.[0]
  // Only the feeds know which episodes they have dropped.
  const known = (printed: string) => numbers(printed)?.replace(/^episodes .*$/m, '')
  expect(known(dry.text)).toBeString()
  expect(known(dry.text)).toBe(known(text))
})

test('the server does the work while it runs', async () => {
  using host = startFeedHost()
  openWorld(host)
  const folder = await startLibrary()
  const { lockDataFolder } = await import('../../../src/server/platform/instance-lock')
  const unlock = lockDataFolder(join(folder, 'castellan.lock'))
  await using app = await startTestApp({ folder })
  const { store, moves } = app.context
  const work = importInto(folder, writeGpodder(join(temporaryFolder(), 'Database'), host.origin))
  while (store.moves.running().length === 0) await Bun.sleep(10)
  expect(host.requests).toEqual([])
  moves.resume()
  await moves.settled()
  const { isDone } = await work
  unlock()
  expect(isDone).toBe(true)
  expect(dumpOf(folder, host.origin).positions).toHaveLength(7)
})

test('a wrong call is refused with what to do', async () => {
  using host = startFeedHost()
  const folder = await startLibrary()
  const file = writeGpodder(join(temporaryFolder(), 'Database'), host.origin)
  const refused = async (...args: string[]) => ((await refusal(importInto(folder, ...args))) as Error).message
  expect(await refused()).toBe('import needs a file')
  expect(await refused(file, 'more')).toBe('Unexpected "more"')
  expect(await refused(file, '--from', 'winamp')).toStartWith('--from is one of podfetch, ')
  expect(await refused(file, '--user', 'nobody')).toStartWith('There is no account "nobody"')
  expect(((await refusal(importInto(temporaryFolder(), file))) as Error).message).toStartWith('No database at')
  const app = await startTestApp({ folder })
  await app.signUp('alice')
  await app[Symbol.asyncDispose]()
  expect(await refused(file)).toMatch(/--user, one of .*alice/)
  expect(existsSync(join(folder, 'moving'))).toBe(false)
})

const PODCASTS = 6
const EPISODES = 150

/** A desktop of many podcasts, and their feeds, which have dropped every third episode. */
function writeLarge(path: string, host: ReturnType<typeof startFeedHost>) {
  writeGpodder(path, host.origin)
  changeForeign(path, 'DELETE FROM podcast; DELETE FROM episode')
  for (let podcast = 1; podcast <= PODCASTS; podcast++) {
    const names = Array.from({ length: EPISODES }, (_, number) => `p${podcast}-${number}`)
    const items = names.filter((_, number) => number % 3 !== 0).map(name => ({ guid: name, title: name }))
    host.feed(`/p${podcast}.xml`, rss({ title: `Podcast ${podcast}`, items }))
    const rows = names.map(
      (name, number) =>
        `(${podcast}, '${name}', '${name}', 'https://cdn.example/${name}.mp3', ${1_700_000_000 + number * 86_400},
          ${60 + number}, 1800, ${1_760_000_000 + number}, ${number % 7 === 0 ? 1 : 0})`,
    )
    changeForeign(
      path,
      `INSERT INTO podcast (id, title, url, section) VALUES (${podcast}, 'P', '${host.origin}/p${podcast}.xml', 'Tag ${podcast % 2}');
       INSERT INTO episode (podcast_id, title, guid, url, published, current_position, total_time, last_playback, archive)
       VALUES ${rows.join(', ')}`,
    )
  }
  return path
}

/** How far the latest move is, in transactions. */
function progressOf(folder: string): number {
  const db = new Database(join(folder, DATABASE_FILE), { readonly: true })
  try {
    db.run('PRAGMA busy_timeout = 5000')
    const sql = `SELECT applied / 50 + (SELECT count(*) FROM move_podcast p WHERE p.move_id = m.id AND p.state <> 'waiting') AS steps
                   FROM move m ORDER BY id DESC LIMIT 1`
    return db.query<{ steps: number }, []>(sql).get()?.steps ?? 0
  } finally {
    db.close()
  }
}

test('an import that is killed again and again comes to the same end', async () => {
  using host = startFeedHost()
  const file = writeLarge(join(temporaryFolder(), 'Database'), host)
  const [whole, killed] = [await startLibrary(), await startLibrary()]
  expect((await importInto(whole, file)).isDone).toBe(true)

  const random = startRandom(Number(process.env.MOVE_SEED ?? 1))
  const steps = progressOf(whole)
  const instants = Array.from({ length: KILLS }, () => random.below(steps)).sort((one, other) => one - other)
  for (const instant of instants) {
    const child = Bun.spawn([process.execPath, 'src/server/main.ts', 'import', file], {
      env: { ...process.env, DATA_DIRECTORY: killed },
      stdout: 'ignore',
      stderr: 'inherit',
    })
    while (child.exitCode === null && progressOf(killed) < instant) await Bun.sleep(1)
    child.kill('SIGKILL')
    await child.exited
  }
  // The first report is that of the interrupted import.
  if (progressOf(killed) < steps) await importInto(killed, file)
  expect(dumpOf(killed, host.origin)).toEqual(dumpOf(whole, host.origin))
  const first = (folder: string) => reportOf(folder, 1)
  expect(first(killed)).toEqual(first(whole))
}, 120_000)
