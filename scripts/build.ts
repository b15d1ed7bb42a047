import { mkdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { buildUi } from './build-ui'
import { checkBudgets } from './bundle-report'

const root = join(import.meta.dir, '..')
const targets = ['linux-x64-baseline', 'linux-arm64', 'linux-x64-musl', 'linux-arm64-musl', 'darwin-arm64'] as const

/** The executable for one target: server, worker, interface, migrations and locales in one file. */
async function compile(outfile: string, target?: (typeof targets)[number]) {
  const built = await Bun.build({
    entrypoints: [join(root, 'src/server/main.ts'), join(root, 'src/server/worker.ts')],
    target: 'bun',
    minify: { syntax: true, whitespace: true, identifiers: false },
    sourcemap: 'inline',
    bytecode: true,
    format: 'esm',
    // A lazy import becomes a file of its own: in one file its own imports would be loaded at the start.
    splitting: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    compile: {
      outfile,
      assets: [join(root, 'dist/ui')],
      // Code that runs once at the start is not worth compiling; main.ts and worker.ts end that.
      jitPolicy: 20,
      autoloadDotenv: false,
      autoloadBunfig: false,
      ...(target && { target: `bun-${target}` }),
    },
  })
  if (!built.success) throw new AggregateError(built.logs, `${basename(outfile)} could not be built`)
  for (const map of [`${outfile}.map`, join(root, 'dist/worker.js.map')]) rmSync(map, { force: true })
  const hash = new Bun.CryptoHasher('sha256').update(await Bun.file(outfile).bytes()).digest('hex')
  await Bun.write(`${outfile}.sha256`, `${hash}  ${basename(outfile)}\n`)
  console.log(`${outfile} ${(Bun.file(outfile).size / 1e6).toFixed(0)} MB`)
}

mkdirSync(join(root, 'dist'), { recursive: true })
await buildUi()
checkBudgets()
const executable = join(root, 'dist/castellan')
rmSync(executable, { force: true })
await compile(executable)
if (process.argv.includes('--all')) for (const target of targets) await compile(`${executable}-${target}`, target)
