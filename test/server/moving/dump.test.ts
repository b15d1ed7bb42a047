import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readLines } from '../../../src/server/moving/lines'
import { readMysql, type DumpRow } from '../../../src/server/moving/dump/rows'
import { readPostgres } from '../../../src/server/moving/dump/load'
import { refusal, startClock, startTestApp, temporaryFolder } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'
import { dumpOf, reportOf } from '../../support/foreign/dump'
import { writePinepods } from '../../support/foreign/pinepods'
import { writePodfetch } from '../../support/foreign/podfetch'
import { writeDump, type DumpStyle } from '../../support/foreign/write-dump'
import { moveIn, openWorld } from './world'

async function startMoving() {
  const host = startFeedHost()
  openWorld(host)
  const app = await startTestApp({ now: startClock() })
  app.prefill(0)
  const { context } = app
  const folder = temporaryFolder()
  const database = writePinepods(join(folder, 'pinepods'), host.origin)
  return {
    app,
    database,
    path: join(folder, 'dump.sql'),
    origin: host.origin,
    dump: () => dumpOf(app.folder, host.origin),
    moving: join(app.folder, 'moving'),
    write: (style: DumpStyle, options: Parameters<typeof writeDump>[3] = {}) =>
      writeDump(join(folder, 'dump.sql'), database, style, options),
    /** Why a dump is refused. */
    async refused(text: string | null = null, from: string | null = null) {
      if (text !== null) writeFileSync(join(folder, 'dump.sql'), text)
      const error = await refusal(context.moves.start(context.admin, join(folder, 'dump.sql'), { from }))
      return (error as Error).message
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host.stop()
    },
  }
}

const rowsOf = (read: typeof readMysql, text: string) => {
  const rows: DumpRow[] = []
  read(text.split('\n'), table => (table === 'other' ? null : row => rows.push(row)))
  return rows
}

test('lines are whole wherever the file is cut for reading, and end as on any system', () => {
  const lines = Array.from({ length: 4000 }, (_, number) => `${number} ${'ü€🎧'.repeat(number % 97)}`)
  const path = join(temporaryFolder(), 'lines')
  writeFileSync(path, [...lines.slice(0, 2000).map(line => `${line}\r\n`), lines.slice(2000).join('\n')].join(''))
  expect(statSync(path).size).toBeGreaterThan(1_000_000)
  expect([...readLines(path)]).toEqual(lines)
  expect(() => [...readLines(path, 100_000)]).not.toThrow()
  writeFileSync(path, `first\n${'x'.repeat(600_000)}`)
  expect(() => [...readLines(path, 500_000)]).toThrow('The file has a line of more than 500000 bytes')
})

const letters = 'ü€🎧'

test('values of PostgreSQL are read with everything that it escapes', () => {
  const text = String.raw`-- PostgreSQL database dump
COPY public.other (a) FROM stdin;
COPY public.first (a) FROM stdin;
\\.
\.
COPY "odd ""schema".first (a, "b ""c", d) FROM stdin;
\N	\\N	
\t\n\r\b\f\v	\x41\101\q	${letters}
\.
-- PostgreSQL database dump complete`
  expect(rowsOf(readPostgres, text)).toEqual([
    [null, '\\N', ''],
    ['\t\n\r\b\f\v', 'AAq', 'ü€🎧'],
  ])
})

test('values of MySQL are read with everything that it escapes', () => {
  const text = String.raw`INSERT INTO ${'`other`'} VALUES (1,'a
INSERT INTO ${'`first`'} VALUES (0);');
CREATE TABLE ${'`first`'} (
  ${'`a`'} int COMMENT 'a '' ; and ${'`z`'} ',
  ${'`b`'} text
);
INSERT INTO ${'`first`'} VALUES (1,'it\'s ''so''\\'),( NULL , _binary '\n\r\t\b\0\Z\%\q' );
INSERT IGNORE INTO ${'`pods`.`first`'} (${'`b`, `a`'}) VALUES
('${letters};
)',2);`
  expect(rowsOf(readMysql, text)).toEqual([
    ['1', "it's 'so'\\"],
    [null, '\n\r\t\b\0\u001a\\%q'],
    ['2', 'ü€🎧;\n)'],
  ])
})

test.each([{ style: 'postgres' }, { style: 'mysql' }, { style: 'mariadb', dataOnly: 'complete' }] as const)(
  'columns of $style may come in another order, or be missing, as whole tables may',
  async ({ style, ...options }) => {
    await using world = await startMoving()
    const missing = /^(EpisodeGUID|is_youtube|StartSkip|EndSkip|Completed)$/
    const arrange = (_: string, columns: string[]) => columns.filter(name => !missing.test(name)).reverse()
    const text = readFileSync(world.write(style, { arrange, ...options }), 'utf8')
    writeFileSync(world.path, text.replace('."EpisodeQueue"', '."Nothing"').replaceAll('`EpisodeQueue`', '`nothing`'))
    await moveIn(world.app, world.path)
    expect(world.dump()).toMatchObject({
      positions: [
        'admin | /alpha.xml | a1 | 600 | 1800 | 0 | 1772359200000 | import-pinepods',
        'admin | /alpha.xml | a2 | 1700 | 1800 | 0 | 1772362800000 | import-pinepods',
        'admin | /gone.xml | /g1.mp3 | 30 | 1800 | 0 | 1767225600000 | import-pinepods',
        'admin | /gone.xml | /g2.mp3 | 40 | 1800 | 0 | 1772370000000 | import-pinepods',
      ],
      preferences: ['admin | /alpha.xml | 1.5 | - | 0 | 0'],
      playlists: { length: 2 },
      queue: [],
    })
  },
)

test.each(['postgres', 'mysql', 'mariadb'] as const)('a dump of %s that was cut off is refused', async style => {
  await using world = await startMoving()
  const text = readFileSync(world.write(style), 'utf8')
  const ending = (at: number) => world.refused(text.slice(0, at))
  const inRow = text.indexOf('Title a3')
  expect(await ending(inRow)).toMatch(/^The dump ends early, in the table Episodes|table Episodes .* was cut off\.$/)
  const where = style === 'mysql' ? 'before its last table' : 'in the table Episodes'
  expect(await ending(text.lastIndexOf('\n', inRow))).toStartWith(`The dump ends early, ${where}`)
  expect(await ending(text.indexOf('SavedEpisodes'))).toStartWith('The dump ends early, before its last table')
  expect(await ending(text.search(/-- (PostgreSQL database dump|Dump) complete/))).toStartWith('The dump ends early, ')
  expect(existsSync(world.moving) ? readdirSync(world.moving) : []).toEqual([])
})

test('dumps that cannot be read are refused, with what to do', async () => {
  await using world = await startMoving()
  const mysql = readFileSync(world.write('mysql'), 'utf8')
  const postgres = readFileSync(world.write('postgres'), 'utf8')
  expect(await world.refused(readFileSync(world.write('mysql', { dataOnly: 'plain' }), 'utf8'))).toBe(
    'The dump does not say the columns of the table CollectionEpisodes. Make it with the CREATE TABLE statements, or with --complete-insert.',
  )
  expect(await world.refused('PGDMP\u0001\u000e')).toContain('Make it with pg_dump --format=plain')
  expect(await world.refused(postgres.replace('\nCOPY public."Users"', '\nINSERT INTO public."Users"'))).toContain(
    'without --inserts',
  )
  expect(await world.refused(postgres.replace("'UTF8'", "'LATIN1'"))).toBe('The dump is in LATIN1. Export it in UTF-8.')
  expect(await world.refused(mysql.replace('SET NAMES utf8mb4', 'SET NAMES latin1'))).toContain('is in latin1')
  expect(
    await world.refused(postgres.replace('\nCOPY', `\n${postgres.slice(postgres.indexOf('COPY'))}\nCOPY`)),
  ).toContain('twice. Export one database alone.')
  expect(await world.refused(postgres.replaceAll('feedurl', 'feed'))).toBe(
    'The table Podcasts has no column feedurl: this version is not known.',
  )
  expect(await world.refused(postgres.replace('admin\t', ''))).toBe(
    'A row of the table Users cannot be read: the dump is damaged, or was cut off.',
  )
  expect(await world.refused(mysql.replace("NULL,'admin'", "'admin'"))).toContain('row of the table Users')
  expect(await world.refused(mysql.replace("'admin'", "'ad'min"))).toContain('row of the table Users')
  expect(await world.refused('-- PostgreSQL database dump\n-- PostgreSQL database dump complete')).toStartWith(
    'This file is not one of PodFetch, PinePods',
  )
  expect(await world.refused(postgres, 'podfetch')).toBe('This is not a file of PodFetch')
}, 120_000)

test('lines and statements that would fill the memory are refused', async () => {
  await using world = await startMoving()
  const text = readFileSync(world.write('postgres'), 'utf8')
  const long = 'x'.repeat(100_000_000)
  expect(await world.refused(text.replace('Title a1', `Title ${long}`))).toBe(
    'The file has a line of more than 33554432 bytes',
  )
  const rows = "(1,'x'),\n".repeat(600_000)
  expect(await world.refused(`-- MySQL dump 10.13\nINSERT INTO \`Users\` (\`UserID\`) VALUES\n${rows}`)).toBe(
    'The dump has a statement of more than 33554432 bytes',
  )
}, 120_000)

test('a value of more than a million characters counts as missing, even one that joins tables', async () => {
  await using world = await startMoving()
  const text = readFileSync(world.write('postgres'), 'utf8')
  const long = 'x'.repeat(1_000_001)
  writeFileSync(world.path, text.replace('local://7', `https://${long}`).replace('g1.mp3', `g1.mp3?${long}`))
  await moveIn(world.app, world.path)
  expect(world.dump().podcasts).toHaveLength(4)
  expect(reportOf(world.app.folder)).toContain('podcasts left-out not-on-the-web: 2')
  expect(reportOf(world.app.folder)).toContain('positions left-out no-media: 1')
})

test('two programs in one dump are told apart by --from', async () => {
  await using world = await startMoving()
  const other = writePodfetch(`${world.path}.db`, world.origin, 'C')
  const text = readFileSync(writeDump(`${world.path}.other`, other, 'postgres'), 'utf8')
  writeFileSync(world.path, `${text}\n${readFileSync(world.write('postgres'), 'utf8')}`)
  expect(await world.refused()).toContain('Name one of them with --from')
  const { context } = world.app
  expect(await context.moves.start(context.admin, world.path, { from: 'pinepods' })).toMatchObject({
    source: 'pinepods',
  })
})

test('a move goes on with the tables of the dump that it has written, and writes them again if they are lost', async () => {
  await using world = await startMoving()
  const { context } = world.app
  const paths = ['kept', 'lost'].map(name => writeDump(`${world.path}.${name}`, world.database, 'postgres'))
  for (const path of paths) await context.moves.start(context.admin, path)
  const [kept, lost] = context.store.moves.running().map(({ uuid }) => join(world.moving, uuid, 'source'))
  expect(statSync(`${kept!}.tables`).mode & 0o777).toBe(0o600)
  writeFileSync(kept!, readFileSync(kept!, 'utf8').slice(0, 300))
  rmSync(`${lost!}.tables`)
  // Of a process that was killed while it wrote them.
  writeFileSync(`${lost!}.tables.new`, 'half')
  for (const _ of paths) {
    context.moves.resume()
    await context.moves.settled()
  }
  expect([1, 2].map(id => context.store.moves.find(id)?.state)).toEqual(['done', 'done'])
  expect(world.dump().positions).not.toEqual([])
  expect(readdirSync(world.moving)).toEqual([])
}, 120_000)
