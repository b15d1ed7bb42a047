import { Glob } from 'bun'
import { expect, test } from 'bun:test'
import { dirname, join, relative, resolve } from 'node:path'

const root = join(import.meta.dir, '..')
const transpiler = { ts: new Bun.Transpiler({ loader: 'ts' }), tsx: new Bun.Transpiler({ loader: 'tsx' }) }

type Import = { from: string; to: string }

/** Lists the imports of values among our own files, by path from `src`. */
async function imports(): Promise<Import[]> {
  const found: Import[] = []
  for await (const file of new Glob('src/**/*.{ts,tsx}').scan(root)) {
    if (file.endsWith('.d.ts')) continue
    const source = await Bun.file(join(root, file)).text()
    const scanned = transpiler[file.endsWith('.tsx') ? 'tsx' : 'ts'].scanImports(source)
    for (const { path } of scanned)
      found.push({
        from: relative(join(root, 'src'), join(root, file)),
        to: path.startsWith('.') ? relative(join(root, 'src'), resolve(root, dirname(file), path)) : path,
      })
  }
  return found
}

const all = await imports()
const within = (folder: string) => (path: string) => path.startsWith(`${folder}/`)
const offenders = (from: (path: string) => boolean, to: (path: string) => boolean) =>
  all.filter(one => from(one.from) && to(one.to)).map(({ from, to }) => `${from} → ${to}`)

/** Folders of capabilities, from those that know least of the others to those that know most. */
const capabilities = [
  'outbound',
  'accounts',
  'feeds',
  'media',
  'downloads',
  'covers',
  'texts',
  'search',
  'lists',
  'playback',
  'sync',
  'podcasts',
  'opml',
  'retention',
  'notifications',
  'private-feeds',
  'statistics',
  'backups',
  'doctor',
  'directory',
  'opml',
]

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

test('the store knows tables and nothing above them', () => {
  expect(offenders(within('server/store'), path => within('server')(path) && !within('server/store')(path))).toEqual([])
})

test('capabilities know nothing of HTTP and of jobs', () => {
  const isCapability = (path: string) => capabilities.some(name => within(`server/${name}`)(path))
  const isAbove = (path: string) =>
    within('server/http')(path) || within('server/jobs')(path) || /^server\/(context|app|main)$/.test(path)
  expect(offenders(isCapability, isAbove)).toEqual([])
})

test('capabilities use each other in one order only', () => {
  const backwards = all.filter(({ from, to }) => {
    const user = capabilities.findIndex(name => within(`server/${name}`)(from))
    const used = capabilities.findIndex(name => within(`server/${name}`)(to))
    return user !== -1 && used > user
  })
  expect(backwards).toEqual([])
})

test('only the store speaks SQL', async () => {
  const users = all.filter(({ to }) => to === 'bun:sqlite').map(({ from }) => from)
  expect(users.filter(from => !within('server/store')(from))).toEqual(['server/platform/instance-lock.ts'])
})

test('one module alone touches the network', async () => {
  const callers: string[] = []
  const patient: string[] = []
  for await (const file of new Glob('src/server/**/*.ts').scan(root)) {
    const source = await Bun.file(join(root, file)).text()
    if (/(?<![.\w])fetch\(|Bun\.connect\(|node:(http|https|net|tls)'/.test(source)) callers.push(file)
    if (source.includes("/patient'")) patient.push(file)
  }
  expect(callers.toSorted()).toEqual(['src/server/outbound/patient.ts', 'src/server/outbound/request.ts'])
  expect(patient).toEqual(['src/server/outbound/request.ts'])
})

test('media files are read in the second thread alone', () => {
  const readers = all.filter(({ to }) => to === 'music-metadata').map(({ from }) => from)
  expect([...new Set(readers)]).toEqual(['server/media/read.ts'])
  const reading = new Set(['server/media/read', 'server/media/number-tag'])
  expect(
    offenders(
      from => !within('server/media')(from),
      to => reading.has(to),
    ),
  ).toEqual(['server/tasks.ts → server/media/number-tag', 'server/tasks.ts → server/media/read'])
})

test('one clock tells the time', async () => {
  const tellers: string[] = []
  for await (const file of new Glob('src/server/**/*.ts').scan(root)) {
    if (/Date\.now\(\)/.test(await Bun.file(join(root, file)).text())) tellers.push(file)
  }
  expect(tellers).toEqual(['src/server/platform/clock.ts'])
})

test('scripts use the support of tests, never the other way', async () => {
  const offending: string[] = []
  for await (const file of new Glob('{test,scripts}/**/*.ts').scan(root)) {
    for (const { path } of transpiler.ts.scan(await Bun.file(join(root, file)).text()).imports) {
      if (!path.startsWith('.')) continue
      const to = relative(root, resolve(root, dirname(file), path))
      const isUpwards = within('test')(file) ? within('scripts')(to) : within('test')(to) && !within('test/support')(to)
      if (isUpwards) offending.push(`${file} → ${to}`)
    }
  }
  expect(offending).toEqual([])
})

test('tests and scripts draw their random numbers from one generator', async () => {
  const generators: string[] = []
  for await (const file of new Glob('{test,scripts}/**/*.ts').scan(root))
    if (/Math\.imul\(|1_?664_?525/.test(await Bun.file(join(root, file)).text())) generators.push(file)
  expect(generators.filter(file => file !== 'test/architecture.test.ts')).toEqual(['test/support/random.ts'])
})
