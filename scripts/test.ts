import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

// Installs what the tests need, then runs everything: formatting, types, linter, build, tests, browser.
// Nothing is installed when it starts, so it imports Node's own modules only.

const root = join(import.meta.dir, '..')
const reports = join(root, 'dist/reports')
const bun = process.execPath
let passed = 0
let failed = 0
/** Named once more at the end, where nobody has to look for them. */
const failures: string[] = []
/** The printed text of each. */
const texts: string[] = []

const shown = (args: readonly string[]) => `\n$ ${[bun === args[0] ? 'bun' : args[0], ...args.slice(1)].join(' ')}`

function run(args: readonly string[]): boolean {
  console.log(shown(args))
  return spawnSync(args[0]!, args.slice(1), { cwd: root, stdio: 'inherit' }).status === 0
}

/** Runs a check that counts as one test. */
function check(args: readonly string[]) {
  if (run(args)) passed++
  else {
    failed++
    failures.push(args.map(arg => arg.replace(`${root}/`, '')).join(' '))
  }
}

/**
 * Runs tests and counts them by their report; a run that ends without a report counts as one failure. `isQuiet`: its
 * output is printed when it has ended, as another group prints until then.
 */
async function tests(name: string, given: readonly string[], isQuiet = false) {
  const report = join(reports, `${name}.xml`)
  const args = [bun, 'test', '--timeout', '120000', ...given, '--reporter=junit', `--reporter-outfile=${report}`]
  if (!isQuiet) console.log(shown(args))
  const { isGreen, output } = await start(args, isQuiet)
  texts.push(...textsOfFailures(output))
  if (isQuiet) console.log(`${shown(args)}\n${output}`)
  const [, total = '0', broken = '0'] = readReport(report)
  const skipped = Number(/<testsuites[^>]* skipped="(\d+)"/.exec(readText(report))?.[1] ?? 0)
  passed += Number(total) - Number(broken) - skipped
  failed += Math.max(Number(broken), isGreen ? 0 : 1)
  const named = [...readText(report).matchAll(/<testcase name="([^"]*)"[^>]* file="([^"]*)"[^>]*>\s*<failure/g)]
  failures.push(...named.map(([, test, file]) => `${file}: ${test}`))
  if (!isGreen && named.length === 0) failures.push(`${name}: the run ended without a report`)
}

function start([program, ...args]: readonly string[], isQuiet: boolean) {
  const child = spawn(program!, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  })
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output.push(text)
      if (!isQuiet) process.stdout.write(text)
    })
  return new Promise<{ isGreen: boolean; output: string }>(resolve => {
    const end = (isGreen: boolean) => resolve({ isGreen, output: output.join('') })
    child.on('close', code => end(code === 0)).on('error', () => end(false))
  })
}

const MAX_LINES = 60

/** The lines before each failed test, back to the end of the test before it. */
function textsOfFailures(output: string): string[] {
  const parts = output.split(/^(?=\((?:pass|fail|skip|todo)\))/m)
  return parts.flatMap((part, index) => {
    if (!part.startsWith('(fail)')) return []
    const [name = ''] = part.split('\n')
    const lines = (parts[index - 1] ?? '').split('\n').slice(1).slice(-MAX_LINES)
    // The list at the end of the run repeats the names alone.
    return lines.some(line => !/^(\d+ tests? failed:)?\s*$/.test(line)) ? [[...lines, name].join('\n')] : []
  })
}

const readReport = (path: string) => /<testsuites[^>]* tests="(\d+)"[^>]* failures="(\d+)"/.exec(readText(path)) ?? []
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

if (!run([bun, 'install', '--frozen-lockfile'])) process.exit(1)
rmSync(reports, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })
check([bun, 'fmt', '--check'])
check([bun, 'check', '--no-script'])
check([join(root, 'node_modules/.bin/oxlint'), '--deny-warnings'])
check([bun, 'scripts/build.ts'])
// A test mostly waits for a server or a browser, so that one more than the processors keeps these busy.
const workers = `--parallel=${availableParallelism() + 1}`

/** Most of the tests: the longest of the last run begin first. */
const inMemory = () =>
  tests('fast', [
    workers,
    '--no-isolate',
    '--timings',
    join(root, 'dist/test-timings.json'),
    '--update-timings',
    './test/architecture.test.ts',
    './test/documents.test.ts',
    './test/english.test.ts',
    './test/patterns.test.ts',
    './test/specification.test.ts',
    './test/scripts',
    './test/server',
    './test/ui',
  ])

/** A clean clone has no timings yet, and would begin the longest of these last: it reads those of the repository. */
const inBrowser = () =>
  tests('browser', [
    workers,
    '--no-isolate',
    '--timings',
    join(root, 'dist/browser-timings.json'),
    '--timings',
    join(root, 'test/browser/timings.json'),
    '--update-timings',
    './test/browser',
  ])

const executableTests = [
  './test/binary.test.ts',
  './test/killed-news.test.ts',
  './test/killed-move.test.ts',
  './test/killed-removal.test.ts',
  './test/set-aside.test.ts',
  './test/reverse-proxies.test.ts',
]

async function componentsAndExecutable() {
  // In a process of their own: the globals of a browser replace those of Bun. `bunfig.toml` leaves them out of all
  // others.
  await tests('components', [
    '--path-ignore-patterns',
    '',
    '--preload',
    './test/support/dom.ts',
    './test/ui/components',
  ])
  // One after the other: they kill the executable at the moment at which it does something, and wait for it to start.
  await tests('executable', executableTests, true)
}

async function inMemoryAndBrowser() {
  await inMemory()
  await inBrowser()
}

await Promise.all([inMemoryAndBrowser(), componentsAndExecutable()])

const summary = `${passed} passed, ${failed} failed`
writeFileSync(join(reports, 'summary.txt'), `${summary}\n`)
if (texts.length > 0) console.log(`\n${texts.join('\n\n')}`)
if (failures.length > 0) console.log(`\nFailed:\n${failures.map(one => `  ${one}`).join('\n')}`)
console.log(`\n${summary}`)
process.exit(failed > 0 ? 1 : 0)
