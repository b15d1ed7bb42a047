import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { BunPlugin } from 'bun'
import { isSaid } from '../src/server/platform/texts'
import type { Texts } from '../src/shared/languages'
import { dateOf, type Identity } from './identity'
import { writeTar } from './release/archives/tar'
import { noticesName, writeNotices } from './release/notices'

// Why: docs/internals/decisions/0013

const root = join(import.meta.dir, '..')
/** Hashes of the functions that a start uses, by their syntax. */
export const startOrder = join(import.meta.dir, 'start-order.txt')

/** Bun 1.4.5 doesn't heed `keepNames`: with minified identifiers a stack would name neither functions nor errors. */
export const minified = { syntax: true, whitespace: true, identifiers: false }

/** The interface has the texts in files of its own; messages and public pages need a few of them. */
const saidTexts: BunPlugin = {
  name: 'said-texts',
  setup(build) {
    build.onLoad({ filter: /locales[/\\][\w-]+\.json$/ }, async ({ path }) => {
      const all = (await Bun.file(path).json()) as Texts
      const said = Object.fromEntries(Object.entries(all).filter(([key]) => isSaid(key)))
      return { contents: JSON.stringify(said), loader: 'file' }
    })
  },
}

type Compilation = {
  outfile: string
  /** System as the version line shows it. */
  target: string
  identity: Identity
  /** Another system's: its name in Bun's words, and its runtime. */
  cross?: { target: Bun.Build.CompileTarget; executablePath: string }
}

/** Writes an executable: server, worker, interface, migrations and locales in one file. */
export async function compile(compilation: Compilation) {
  rmSync(compilation.outfile, { force: true })
  await build(compilation, 'none')
  console.log(`${compilation.outfile} ${(Bun.file(compilation.outfile).size / 1e6).toFixed(0)} MB`)
}

/** Packs the source maps of an executable, which `scripts/trace.ts` reads. */
export async function packMaps(compilation: Omit<Compilation, 'outfile'>): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-maps-'))
  try {
    // Compiled again: Bun would put the maps into the executable, too.
    await build({ ...compilation, outfile: join(folder, 'castellan') }, 'external')
    const names = readdirSync(folder).filter(name => name.endsWith('.map'))
    const entries = names.map(async path => {
      const map = (await Bun.file(join(folder, path)).json()) as { sourcesContent?: string[] }
      return { path, content: JSON.stringify({ ...map, sourcesContent: undefined }) }
    })
    return Bun.gzipSync(new Uint8Array(writeTar(await Promise.all(entries), compilation.identity.epoch)), { level: 9 })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function build({ outfile, target, identity, cross }: Compilation, sourcemap: 'none' | 'external') {
  const build = { commit: identity.commit, date: dateOf(identity), target }
  await Bun.write(join(root, 'dist/notices', noticesName), writeNotices())
  const built = await Bun.build({
    entrypoints: [join(root, 'src/server/entry.ts'), join(root, 'src/server/worker.ts')],
    target: 'bun',
    minify: minified,
    sourcemap,
    bytecode: true,
    format: 'esm',
    // A lazy import becomes a file of its own: in one file its own imports would be loaded at the start.
    splitting: true,
    plugins: [saidTexts],
    define: { 'process.env.NODE_ENV': '"production"', CASTELLAN_BUILD: JSON.stringify(build) },
    compile: {
      outfile,
      assets: [join(root, 'dist/ui'), join(root, 'dist/help'), join(root, 'dist/notices')],
      // Code that runs once at the start is not worth compiling; main.ts, worker.ts and reader.ts end that.
      jitPolicy: 20,
      // Puts what a start uses in one place, so that less of the file is read: `scripts/record-start.ts`.
      bytecodeOrder: startOrder,
      autoloadDotenv: false,
      autoloadBunfig: false,
      ...cross,
    },
  })
  if (!built.success) throw new AggregateError(built.logs, `${basename(outfile)} could not be built`)
}

/** Digest as `sha256sum` writes it. */
export const sha256 = async (path: string) =>
  new Bun.CryptoHasher('sha256').update(await Bun.file(path).bytes()).digest('hex')
