import { rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { dateOf, type Identity } from './identity'

const root = join(import.meta.dir, '..')

type Compilation = {
  outfile: string
  /** System as the version line shows it. */
  target: string
  identity: Identity
  /** Another system's: its name in Bun's words, and its runtime. */
  cross?: { target: Bun.Build.CompileTarget; executablePath: string }
}

/** Writes an executable: server, worker, interface, migrations and locales in one file. */
export async function compile({ outfile, target, identity, cross }: Compilation) {
  rmSync(outfile, { force: true })
  const build = { commit: identity.commit, date: dateOf(identity), target }
  const built = await Bun.build({
    entrypoints: [join(root, 'src/server/entry.ts'), join(root, 'src/server/worker.ts')],
    target: 'bun',
    minify: { syntax: true, whitespace: true, identifiers: false },
    sourcemap: 'inline',
    bytecode: true,
    format: 'esm',
    // A lazy import becomes a file of its own: in one file its own imports would be loaded at the start.
    splitting: true,
    define: { 'process.env.NODE_ENV': '"production"', CASTELLAN_BUILD: JSON.stringify(build) },
    compile: {
      outfile,
      assets: [join(root, 'dist/ui')],
      // Code that runs once at the start is not worth compiling; main.ts, worker.ts and reader.ts end that.
      jitPolicy: 20,
      autoloadDotenv: false,
      autoloadBunfig: false,
      ...cross,
    },
  })
  if (!built.success) throw new AggregateError(built.logs, `${basename(outfile)} could not be built`)
  // The executable holds its maps; these are copies.
  for (const map of new Bun.Glob('*.map').scanSync(dirname(outfile))) rmSync(join(dirname(outfile), map))
  console.log(`${outfile} ${(Bun.file(outfile).size / 1e6).toFixed(0)} MB`)
}

/** Digest as `sha256sum` writes it. */
export const sha256 = async (path: string) =>
  new Bun.CryptoHasher('sha256').update(await Bun.file(path).bytes()).digest('hex')
