import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { startRandom, type Random } from '../support/random'
import { testsOf } from './folders'
import { mutantsOf, type Mutant } from './mutate'

// Breaks one line of the source at a time, in a copy, and looks whether the tests of its folder notice.

const root = join(import.meta.dir, '../..')
/** The factor by which broken code may be slower than unbroken code: beyond that it hangs, which is noticed, too. */
const PATIENCE = 5
const MIN_PATIENCE_MS = 60_000

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: {
    count: { type: 'string', default: '28' },
    seed: { type: 'string' },
    folder: { type: 'string', multiple: true },
    /** The share in per cent that must be noticed; 0 only reports. */
    least: { type: 'string', default: '0' },
  },
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
/** A folder stands for those below it, too. */
const isOf = (wanted: string) => (folder: string) => folder === wanted || folder.startsWith(`${wanted}/`)
const wanted = values.folder ?? ['src']
const folders = Object.keys(testsOf).filter(folder => wanted.some(one => isOf(one)(folder)))
const unknown = wanted.filter(one => !folders.some(isOf(one)))
if (unknown.length > 0) {
  console.error(`There is no folder ${unknown.join(', ')}; there are ${Object.keys(testsOf).join(', ')}`)
  process.exit(2)
}

const copy = copyTree()
process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130))
const chosen = choose(folders, Number(values.count), startRandom(seed))
console.log(`seed ${seed}, ${chosen.flatMap(({ mutants }) => mutants).length} lines`)
const table: { folder: string; noticed: number; broken: number }[] = []
for (const { folder, mutants } of chosen) table.push({ folder, ...(await tryAll(folder, mutants)) })

console.log('\nnoticed')
for (const { folder, noticed, broken } of table) console.log(`${folder.padEnd(28)} ${noticed} of ${broken}`)
const sum = (name: 'noticed' | 'broken') => table.reduce((total, row) => total + row[name], 0)
console.log(`${'all'.padEnd(28)} ${sum('noticed')} of ${sum('broken')} (${share(sum('noticed'), sum('broken'))})`)
// Some mutants change nothing that anybody could notice: a few survivors are no reason to fail, many are.
const least = Number(values.least)
if (sum('noticed') * 100 < least * sum('broken')) {
  console.error(`Tests noticed less than ${least} % of the broken lines`)
  process.exit(1)
}

function share(part: number, whole: number): string {
  return `${Math.round((100 * part) / Math.max(whole, 1))} %`
}

/** The working tree as it is, without what is ignored; packages and the built interface are linked. */
function copyTree(): string {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-mutants-'))
  const { stdout } = Bun.spawnSync(['git', 'ls-files', '-z', '-co', '--exclude-standard'], { cwd: root })
  for (const file of stdout.toString().split('\0')) {
    if (file === '' || !existsSync(join(root, file))) continue
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(root, file), join(folder, file))
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  if (existsSync(join(root, 'dist/ui'))) cpSync(join(root, 'dist/ui'), join(folder, 'dist/ui'), { recursive: true })
  return folder
}

/** Draws the same number of lines from each folder, at most one mutant a line. */
function choose(folders: readonly string[], count: number, random: Random) {
  const queues = folders.map(folder => {
    const pattern = folder.endsWith('/*') ? `${folder}.{ts,tsx}` : `${folder}/**/*.{ts,tsx}`
    const files = [...new Bun.Glob(pattern).scanSync(root)].filter(file => !file.endsWith('.d.ts'))
    const all = files.toSorted().flatMap(file => mutantsOf(file, readFileSync(join(root, file), 'utf8')))
    return { folder, left: random.shuffled(all), mutants: [] as Mutant[] }
  })
  for (let missing = count; missing > 0 && queues.some(({ left }) => left.length > 0);)
    for (const queue of queues) {
      const next = queue.left.shift()
      if (!next || missing === 0) continue
      queue.left = queue.left.filter(({ file, line }) => file !== next.file || line !== next.line)
      queue.mutants.push(next)
      missing--
    }
  return queues.filter(({ mutants }) => mutants.length > 0)
}

async function tryAll(folder: string, mutants: readonly Mutant[]) {
  const began = performance.now()
  const unbroken = await runTests(folder, Number.POSITIVE_INFINITY)
  if (!unbroken.isGreen) {
    console.error(`The tests of ${folder} fail without any broken line:\n${unbroken.output.slice(-3000)}`)
    process.exit(1)
  }
  const patienceMs = Math.max(MIN_PATIENCE_MS, PATIENCE * (performance.now() - began))
  let noticed = 0
  for (const { file, line, rule, before, after, source } of mutants) {
    const path = join(copy, file)
    const whole = readFileSync(path, 'utf8')
    writeFileSync(path, source)
    const { isGreen } = await runTests(folder, patienceMs)
    writeFileSync(path, whole)
    if (!isGreen) noticed++
    console.log(`${isGreen ? 'SURVIVED' : 'noticed '} ${file}:${line} ${rule}`)
    if (isGreen) console.log(`  - ${before}\n  + ${after}`)
  }
  return { noticed, broken: mutants.length }
}

async function runTests(folder: string, patienceMs: number) {
  const tests = testsOf[folder]!.filter(path => existsSync(join(copy, path))).map(path => `./${path}`)
  const isOfComponents = (path: string) => path.startsWith('./test/ui/components')
  // As `bun run components`: the globals of a browser replace those of Bun.
  const runs = [
    { args: [] as string[], tests: tests.filter(path => !isOfComponents(path)) },
    {
      args: ['--path-ignore-patterns', '', '--preload', './test/support/dom.ts'],
      tests: tests.filter(path => isOfComponents(path)),
    },
  ].filter(run => run.tests.length > 0)
  let output = ''
  for (const run of runs) {
    const { isGreen, text } = await runOnce([...run.args, ...run.tests], patienceMs)
    output += text
    if (!isGreen) return { isGreen, output }
  }
  return { isGreen: true, output }
}

async function runOnce(args: readonly string[], patienceMs: number) {
  const child = Bun.spawn([process.execPath, 'test', '--bail', '--timeout', '60000', ...args], {
    cwd: copy,
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, NO_COLOR: '1' },
  })
  const timer = Number.isFinite(patienceMs) ? setTimeout(() => child.kill('SIGKILL'), patienceMs) : undefined
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  const code = await child.exited
  clearTimeout(timer)
  return { isGreen: code === 0, text: stdout + stderr }
}
