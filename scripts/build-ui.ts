import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const root = join(import.meta.dir, '..')
export const uiFolder = join(root, 'dist/ui')

/**
 * Builds the interface into `dist/ui`: `index.html`, the built-in cover, and in `assets` the files with a hash in their
 * names, each compressed in place (they are served with `Content-Encoding: gzip`).
 */
export async function buildUi() {
  rmSync(uiFolder, { recursive: true, force: true })
  mkdirSync(join(uiFolder, 'assets'), { recursive: true })
  const built = await Bun.build({
    entrypoints: [join(root, 'src/ui/index.html')],
    outdir: uiFolder,
    target: 'browser',
    minify: true,
    splitting: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    naming: { entry: '[name].[ext]', chunk: 'assets/[name]-[hash].[ext]', asset: 'assets/[name]-[hash].[ext]' },
  })
  if (!built.success) throw new AggregateError(built.logs, 'the interface could not be built')
  for (const name of readdirSync(join(uiFolder, 'assets'))) {
    const path = join(uiFolder, 'assets', name)
    await Bun.write(path, gzipSync(await Bun.file(path).bytes(), { level: 9 }))
  }
  cpSync(join(root, 'src/ui/cover.png'), join(uiFolder, 'cover.png'))
}

if (import.meta.main) await buildUi()
