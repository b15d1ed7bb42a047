import { Glob } from 'bun'
import { expect, test } from 'bun:test'
import { dirname, join } from 'node:path'
import { existsSync } from 'node:fs'
import { folderOf, testsOf } from './mutants/folders'
import { findCircles, readImports } from './support/imports'

const root = join(import.meta.dir, '..')
const { files, imports } = await readImports()
const values = imports.filter(one => !one.isType)

const within = (folder: string) => (path: string) => path.startsWith(`${folder}/`)
const offenders = (from: (path: string) => boolean, to: (path: string) => boolean) =>
  values.filter(one => from(one.from) && to(one.to)).map(({ from, to }) => `${from} → ${to}`)

// Each line may use the lines above it, and itself. A folder or file that no line names fails the test.

const server = [
  ['platform'],
  ['store'],
  ['config', 'data-folder', 'begun-work', 'start-faults'],
  ['outbound', 'thread'],
  ['storage'],
  ['accounts'],
  ['audit'],
  ['feeds'],
  ['media'],
  ['opml', 'search', 'directory', 'statistics'],
  ['playback'],
  ['downloads'],
  ['covers', 'texts', 'clips'],
  ['sidecars', 'transcription'],
  ['sync'],
  ['library'],
  ['notify'],
  ['moving'],
  ['upkeep'],
  ['start-reader'],
  ['reader'],
  ['tasks'],
  ['worker'],
  ['second-thread'],
  ['context'],
  ['setup'],
  ['jobs', 'cli', 'http/core'],
  ['http/docs', 'http/api', 'http/media', 'http/setup'],
  ['http/apps'],
  ['app'],
  ['demo'],
  ['main'],
  ['entry'],
]
const ui = [
  ['resource', 'i18n', 'format', 'format-facts', 'routes', 'api'],
  ['failure', 'device'],
  ['state'],
  // The player's rules and devices; `player` is its views.
  ['playback'],
  ['app-context', 'use-administration', 'use-derived', 'use-resource'],
  ['components'],
  ['library'],
  ['player'],
  ['shell'],
  ['pages'],
  ['app-state', 'app', 'main'],
]

/** Finds files that no layer names, and imports that run upwards. */
function findUpward(side: string, layers: readonly (readonly string[])[]): string[] {
  const placeOf = (path: string) =>
    layers.findIndex(names => names.some(name => path === `${side}/${name}` || path.startsWith(`${side}/${name}/`)))
  const unnamed = files.filter(path => within(side)(path) && placeOf(path) === -1)
  const upward = imports.filter(
    ({ from, to }) => within(side)(from) && files.includes(to) && within(side)(to) && placeOf(to) > placeOf(from),
  )
  return [...unnamed, ...upward.map(({ from, to }) => `${from} → ${to}`)]
}

test('the layers of the server use each other downwards only, types included', () => {
  expect(findUpward('server', server)).toEqual([])
})

test('the layers of the interface use each other downwards only, types included', () => {
  expect(findUpward('ui', ui)).toEqual([])
})

test('no files import each other in a circle, types included', async () => {
  const everywhere = await readImports('.', '{src,test,scripts}/**/*.{ts,tsx}')
  expect(findCircles(everywhere.imports)).toEqual([])
})

test('no folders import each other in a circle, types included', () => {
  const folders = imports
    .filter(({ to }) => files.includes(to))
    .map(({ from, to }) => ({ from: dirname(from), to: dirname(to) }))
    .filter(({ from, to }) => from !== to && !within(from)(to) && !within(to)(from))
    // The root files of a side are layers of their own, see above.
    .filter(({ from, to }) => from.includes('/') && to.includes('/'))
  expect(findCircles(folders)).toEqual([])
})

test('the shared code imports nothing of server or interface', () => {
  expect(
    offenders(within('shared'), path => within('server')(path) || within('ui')(path) || path.startsWith('bun')),
  ).toEqual([])
})

test('the interface knows the server by the shared code alone', () => {
  expect(
    offenders(within('ui'), path => within('server')(path) || path.startsWith('bun:') || path.startsWith('node:')),
  ).toEqual([])
})

test('the interface imports no TypeBox schema as a value', () => {
  expect(offenders(within('ui'), path => within('shared/api')(path) || path === '@sinclair/typebox')).toEqual([])
})

test('only the store speaks SQL', async () => {
  const users = values.filter(({ to }) => to === 'bun:sqlite').map(({ from }) => from)
  expect(users.filter(from => !within('server/store')(from))).toEqual(['server/platform/instance-lock'])
})

test('one module alone touches the network', async () => {
  const callers: string[] = []
  const patient: string[] = []
  for await (const file of new Glob('src/server/**/*.ts').scan(root)) {
    const source = await Bun.file(join(root, file)).text()
    if (/(?<![.\w])fetch\(|Bun\.connect\(|node:(http|https|net|tls)'/.test(source)) callers.push(file)
    if (source.includes("/patient'")) patient.push(file)
  }
  expect(callers.toSorted()).toEqual([
    // The command asks the server that its own configuration describes.
    'src/server/cli/health.ts',
    'src/server/outbound/connect.ts',
    'src/server/outbound/patient.ts',
    // An address of the configuration, like that of a bucket.
    'src/server/outbound/upload.ts',
    // A bucket is named by the configuration, not by a feed: no address of it is checked.
    'src/server/storage/s3/client.ts',
    // The socket of a program on this machine is no network.
    'src/server/upkeep/replica.ts',
  ])
  expect(patient).toEqual(['src/server/outbound/connect.ts'])
})

test('media files are read in the second thread alone', () => {
  const readers = values.filter(({ to }) => to === 'music-metadata').map(({ from }) => from)
  expect([...new Set(readers)]).toEqual(['server/media/read'])
  const reading = new Set(['server/media/read', 'server/media/write-tags/index'])
  expect(
    offenders(
      from => !within('server/media')(from),
      to => reading.has(to),
    ),
  ).toEqual(['server/tasks → server/media/read', 'server/tasks → server/media/write-tags/index'])
})

test('one clock tells the time', async () => {
  const tellers: string[] = []
  for await (const file of new Glob('src/server/**/*.ts').scan(root)) {
    if (/Date\.now\(\)/.test(await Bun.file(join(root, file)).text())) tellers.push(file)
  }
  expect(tellers).toEqual(['src/server/platform/clock.ts'])
})

test('scripts use the support of tests, never the other way, but where scripts are what is tested', async () => {
  const { imports: found } = await readImports('.', '{test,scripts}/**/*.{ts,tsx}')
  const testsScripts = (path: string) => within('test/scripts')(path) || within('test/clients/packages')(path)
  const upwards = found.filter(({ from, to }) =>
    within('test')(from)
      ? within('scripts')(to) && !testsScripts(from)
      : within('test')(to) && !within('test/support')(to),
  )
  expect(upwards.map(({ from, to }) => `${from} → ${to}`)).toEqual([])
})

test('tests and scripts draw their random numbers from one generator', async () => {
  const generators: string[] = []
  for await (const file of new Glob('{test,scripts}/**/*.ts').scan(root))
    if (/Math\.imul\(|1_?664_?525/.test(await Bun.file(join(root, file)).text())) generators.push(file)
  expect(generators.filter(file => file !== 'test/architecture.test.ts')).toEqual(['test/support/random.ts'])
})

test('the server knows the program of foreign apps where it is mounted, configured and moved in from, and nowhere else', async () => {
  const knowing = new Set<string>()
  for await (const file of new Glob('src/server/**/*.{ts,sql}').scan(root))
    if (/audiobookshelf/i.test(await Bun.file(join(root, file)).text())) knowing.add(file.split('/').slice(2).join('/'))
  const elsewhere = [...knowing].filter(file => !/^(http\/apps\/audiobookshelf|moving|config)\//.test(file))
  // The command line names what it can move in, the demo turns these apps off, the others pass on whether they may sign in.
  expect(elsewhere.toSorted()).toEqual(['app.ts', 'cli/import-options.ts', 'demo/index.ts', 'http/api/system.ts'])
})

test('`bun run mutants` knows the tests of every file of the source, and they exist', () => {
  const source = [...new Glob('src/**/*.{ts,tsx}').scanSync(root)].filter(file => !file.endsWith('.d.ts'))
  expect(source.length).toBeGreaterThan(500)
  expect(source.filter(file => folderOf(file) === undefined)).toEqual([])
  expect(
    Object.values(testsOf)
      .flat()
      .filter(path => !existsSync(join(root, path))),
  ).toEqual([])
})

test('the command that runs all tests names every file and folder of them', async () => {
  const command = await Bun.file(join(root, 'scripts/test.ts')).text()
  const named = [...command.matchAll(/'\.\/(test\/[^']+)'/g)].map(([, path]) => path!)
  const files = [...new Glob('test/**/*.test.{ts,tsx}').scanSync(root)]
  expect(files.filter(file => !named.some(path => file === path || file.startsWith(`${path}/`)))).toEqual([])
})

/** The source of every file of code, by its path from the root. */
async function* sources(pattern = '{src,test,scripts}/**/*.{ts,tsx}') {
  for await (const file of new Glob(pattern).scan(root)) yield [file, await Bun.file(join(root, file)).text()] as const
}

test('the name of a limit begins with MAX_ or MIN_', async () => {
  const otherwise = /\bconst (?:MOST|LONGEST|LARGEST|BIGGEST|LEAST|FEWEST|SHORTEST|SMALLEST)(?:_[A-Z0-9_]+)?\b/
  const named: string[] = []
  for await (const [file, source] of sources()) if (otherwise.test(source)) named.push(file)
  expect(named).toEqual([])
})

test('a line has at most 140 characters, unless it holds a pattern, markup or a list of words', async () => {
  const whole =
    /^\s*\/[^/*]|String\.raw|<\/?[a-z?]|data:image|\.split\(|\bd="M|^:root |^export const importUsage|^\s*'[^' ]+'$/
  const long: string[] = []
  for await (const [file, source] of sources('{src,scripts}/**/*.{ts,tsx,css}'))
    for (const [index, line] of source.split('\n').entries())
      if (line.length > 140 && !whole.test(line)) long.push(`${file}:${index + 1}`)
  expect(long).toEqual([])
})

test('a doc comment begins with a verb or a noun', async () => {
  const riddle = /\/\*\*(?:\n \*)? (?:What|Of|Whose|Whoever|Which|Who|To) .*/g
  const riddles: string[] = []
  for await (const [file, source] of sources())
    for (const [comment] of source.matchAll(riddle)) riddles.push(`${file}: ${comment}`)
  expect(riddles).toEqual([])
})

test('a folder of the source has at most 40 files, but for lists of tables and of resources', () => {
  const lists = new Set(['server/store', 'shared/api'])
  const count = new Map<string, number>()
  for (const file of files) count.set(dirname(file), (count.get(dirname(file)) ?? 0) + 1)
  expect([...count].filter(([folder, found]) => found > 40 && !lists.has(folder))).toEqual([])
})

test('a file of the source has at most 300 lines, and the one that constructs everything at most 200', async () => {
  const long: string[] = []
  for await (const [file, source] of sources('src/**/*.{ts,tsx}')) {
    const most = file === 'src/server/context.ts' ? 200 : 300
    const isMade = source.startsWith('// Made by ')
    if (!isMade && source.split('\n').length - 1 > most) long.push(file)
  }
  expect(long).toEqual([])
})

test('a file tells a story: at most 36 % of them serve one other file alone, and half have 80 lines or more', async () => {
  const importers = Map.groupBy(imports, ({ to }) => to)
  const served = files.filter(file => importers.get(file)?.length === 1)
  expect(served.length / files.length).toBeLessThanOrEqual(0.36)
  const lengths: number[] = []
  for await (const [, source] of sources('src/**/*.{ts,tsx}')) lengths.push(source.split('\n').length - 1)
  expect(lengths.toSorted((one, other) => one - other)[lengths.length >> 1]).toBeGreaterThanOrEqual(80)
})

const MAX_LINES_OF_STYLES = 6_367

test('a style sheet has at most 300 lines, and all of them together do not grow', async () => {
  const lines = new Map<string, number>()
  for await (const [file, source] of sources('src/ui/**/*.css')) lines.set(file, source.split('\n').length - 1)
  expect([...lines].filter(([, count]) => count > 300)).toEqual([])
  expect([...lines.values()].reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(MAX_LINES_OF_STYLES)
})

test('a style sheet takes its layer from its folder', async () => {
  const layered: string[] = []
  for await (const [file, source] of sources('src/ui/!(styles)/**/*.css'))
    if (source.includes('@layer')) layered.push(file)
  expect(layered).toEqual([])
})

test('the interface uses every class and every data attribute that a style sheet names', async () => {
  let code = ''
  for await (const [, source] of sources('src/{ui,shared}/**/*.{ts,tsx,html}')) code += source
  const words = new Set(code.match(/[\w-]+/g))
  const literals = code.match(/'[^'\n]*'|"[^"\n]*"|`[^`]*`/g)!.join(' ')
  const written = new Set(literals.match(/[\w-]+/g))
  // A template such as `is-${state}` writes a class for every value that the code names.
  const begun = new Set([...literals.matchAll(/(?<![\w-])[a-z][\w-]*-(?=\$\{)/g)].map(([start]) => start))
  const isWritten = (name: string) =>
    written.has(name) || [...begun].some(start => name.startsWith(start) && words.has(name.slice(start.length)))
  const unused: string[] = []
  for await (const [file, source] of sources('src/ui/**/*.css')) {
    const selectors = [...source.replace(/\/\*.*?\*\/|url\([^)]*\)/gs, '').matchAll(/([^{};]+)\{/g)].map(
      ([, text]) => text!,
    )
    const named = selectors.filter(text => !text.trim().startsWith('@')).join(' ')
    for (const [, name] of named.matchAll(/\.([a-z][\w-]*)/gi)) if (!isWritten(name!)) unused.push(`${file}: .${name}`)
    for (const [, name] of named.matchAll(/\[(data-[\w-]+)/g)) if (!words.has(name!)) unused.push(`${file}: [${name}]`)
  }
  expect(unused).toEqual([])
})
