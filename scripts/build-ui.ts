import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { Glob, type BunPlugin } from 'bun'
import { stylesWhereNeeded, withoutOldSpellings } from './styles'
import { minify } from 'oxc-minify'
import { compile } from 'sass'

// Why: docs/internals/decisions/0013

const root = join(import.meta.dir, '..')
export const uiFolder = join(root, 'dist/ui')
const assets = join(uiFolder, 'assets')
const publicFolder = join(root, 'src/ui/public')

const options = {
  target: 'browser',
  minify: true,
  define: { 'process.env.NODE_ENV': '"production"' },
} as const

/** Files with a fixed name are copied, not bundled. */
const publicFiles: BunPlugin = {
  name: 'public-files',
  setup(build) {
    build.onResolve({ filter: /\.(png|svg|webmanifest)$/ }, ({ path }) => ({ path, external: true }))
  },
}

/** Builds Pico from those of its modules that the interface uses. */
const sassStyles: BunPlugin = {
  name: 'sass-styles',
  setup(build) {
    const settings = { loadPaths: [join(root, 'node_modules')], quietDeps: true }
    build.onLoad({ filter: /src\/ui\/styles\/.*\.scss$/ }, ({ path }) => ({
      contents: compile(path, settings).css.replace('@charset "UTF-8";', ''),
      loader: 'css',
    }))
  },
}

/**
 * Whatever comes later is told that it needs the application as well. It is there by then; without this, the bundler
 * takes the application into as many files as there are ways to share it, which costs 6 KB of the first load.
 */
const oneCore: BunPlugin = {
  name: 'one-core',
  setup(build) {
    build.onLoad({ filter: /src\/ui\/(pages|player|components)\/.*\.tsx$/ }, async ({ path }) => ({
      contents: `import '${root}/src/ui/app.tsx'\n${await Bun.file(path).text()}`,
      loader: 'tsx',
    }))
  },
}

/** Scripts whose styles most pages need. */
const scriptsOfMostPages = [
  'src/ui/main.tsx',
  'src/ui/player/bar.tsx',
  'src/ui/library/episodes/episode-list.tsx',
  // In the shared part below, so its styles would be loaded by every page as a script.
  'src/ui/components/filter-chip.tsx',
]

/** Small parts that several of the largest pages use. */
const sharedParts = [
  'shared/duration.ts',
  'ui/use-resource.ts',
  'ui/components/cover.tsx',
  'ui/components/filter-chip.tsx',
  'ui/components/buttons.tsx',
  'ui/library/covers.tsx',
  'ui/library/episodes/play-button.tsx',
  'ui/library/episodes/use-swipe.ts',
  'ui/library/playlists/index.ts',
  'ui/library/podcasts/favourite-button.tsx',
]

/** Adds small parts and shared icons to the application: in files of their own they would be mostly wrapping. */
const smallFiles: BunPlugin = {
  name: 'small-files',
  setup(build) {
    build.onLoad({ filter: /src\/ui\/main\.tsx$/ }, async ({ path }) => {
      const icons = listSharedIcons()
      const imports = icons.map(name => `${name} as Shared${name}`)
      // A call that does nothing, so that the bundler keeps them.
      const use = `Object.freeze([${icons.map(name => `Shared${name}`).join()}])`
      const parts = sharedParts.map(part => `import '${root}/src/${part}'`)
      const own = await Bun.file(path).text()
      const contents = [`import { ${imports.join()} } from 'lucide-react'`, ...parts, use, own].join('\n')
      return { contents, loader: 'tsx' }
    })
  },
}

/** Shared icons that none of the largest pages begins with. */
const laterIcons = new Set([
  'Bookmark',
  'BookmarkPlus',
  'Captions',
  'ChevronRight',
  'CirclePlay',
  'CircleX',
  'Copy',
  'Eye',
  'FileUp',
  'Fingerprint',
  'Headphones',
  'History',
  'Pencil',
  'Settings2',
  'Share2',
  'Shuffle',
  'TriangleAlert',
])

function listSharedIcons(): string[] {
  const seen = new Set<string>()
  const shared = new Set<string>()
  for (const file of new Glob('src/ui/**/*.tsx').scanSync(root)) {
    const [, names = ''] = /import \{([^}]*)\} from 'lucide-react'/.exec(readFileSync(join(root, file), 'utf8')) ?? []
    for (const name of names.match(/(?<!as |type )\b[A-Z]\w*/g) ?? [])
      if (seen.has(name)) shared.add(name)
      else seen.add(name)
  }
  return [...shared.difference(laterIcons)].toSorted()
}

/** Icons come with keys that React wants in development alone: a kilobyte of chance that nothing can compress. */
const lightIcons: BunPlugin = {
  name: 'light-icons',
  setup(build) {
    build.onLoad({ filter: /lucide-react\/dist\/esm\/icons\/[\w-]+\.mjs$/ }, async ({ path }) => ({
      contents: (await Bun.file(path).text()).replace(/,\s*key: "\w+"|^__iconData\.node;$/gm, ''),
      loader: 'js',
    }))
  },
}

/** Replaces the stand-in for a hook that React itself has had since version 18; the router brings it along. */
const ownStoreHook: BunPlugin = {
  name: 'own-store-hook',
  setup(build) {
    build.onLoad({ filter: /use-sync-external-store\/shim\/index\.js$/ }, () => ({
      contents: "export { useSyncExternalStore } from 'react'",
      loader: 'js',
    }))
  },
}

/** Empties two classes of i18next: texts have no backend to be loaded from, and a format of our own for numbers. */
const lightTexts: BunPlugin = {
  name: 'light-texts',
  setup(build) {
    build.onLoad({ filter: /i18next\/dist\/esm\/i18next\.js$/ }, async ({ path }) => ({
      contents: (await Bun.file(path).text())
        .replace(/^class Formatter \{[^]*?^\}$/m, 'class Formatter {}')
        .replace(/^class Connector extends EventEmitter \{[^]*?^\}$/m, 'class Connector extends EventEmitter {}'),
      loader: 'js',
    }))
  },
}

/**
 * Builds the interface into `dist/ui`: `index.html`; in `public` what has a name of its own, such as the manifest and
 * the service worker; in `assets` the files with a hash in their names, compressed twice: by gzip under their own name,
 * and by Brotli, which browsers ask for where there is https, under that name with `.br`.
 */
export async function buildUi() {
  rmSync(uiFolder, { recursive: true, force: true })
  mkdirSync(assets, { recursive: true })
  const built = await Bun.build({
    ...options,
    entrypoints: [join(root, 'src/ui/index.html')],
    outdir: uiFolder,
    splitting: true,
    plugins: [
      publicFiles,
      oneCore,
      smallFiles,
      lightIcons,
      lightTexts,
      ownStoreHook,
      sassStyles,
      await stylesWhereNeeded(scriptsOfMostPages),
    ],
    naming: { entry: '[name].[ext]', chunk: 'assets/[name]-[hash].[ext]', asset: 'assets/[name]-[hash].[ext]' },
  })
  if (!built.success) throw new AggregateError(built.logs, 'the interface could not be built')

  // The styles of every part are in those of the page already.
  const page = readFileSync(join(uiFolder, 'index.html'), 'utf8')
  for (const name of readdirSync(assets)) if (name.endsWith('.css') && !page.includes(name)) rmSync(join(assets, name))

  for (const name of readdirSync(assets)) {
    if (name.endsWith('.css')) await modernise(join(assets, name))
    if (name.endsWith('.js')) await minifyAgain(join(assets, name))
  }
  const names = readdirSync(assets)
  cpSync(publicFolder, join(uiFolder, 'public'), { recursive: true })
  await buildServiceWorker(names)
  for (const name of names) await compress(join(assets, name))
  cpSync(join(root, 'src/ui/cover.png'), join(uiFolder, 'cover.png'))
}

/** The bundler's own minifier leaves 5 KB of the first load. */
async function minifyAgain(path: string) {
  const { code, errors } = await minify(path, await Bun.file(path).text(), {
    module: true,
    compress: { target: 'es2022' },
  })
  if (errors.length > 0) throw new AggregateError(errors, `${path} could not be minified`)
  await Bun.write(path, code)
}

async function modernise(path: string) {
  await Bun.write(path, withoutOldSpellings(await Bun.file(path).text()))
}

async function compress(path: string) {
  const content = await Bun.file(path).bytes()
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
  await Bun.write(`${path}.br`, brotliCompressSync(content, brotli))
  await Bun.write(path, gzipSync(content, { level: 9 }))
}

/** It knows every file of this build by name, so that a new build is a new worker. */
async function buildServiceWorker(names: readonly string[]) {
  const worker = await Bun.build({
    ...options,
    entrypoints: [join(root, 'src/ui/device/service-worker.ts')],
    outdir: join(uiFolder, 'public'),
    define: {
      ...options.define,
      ASSETS: JSON.stringify(names),
      BUILD: JSON.stringify(Bun.hash(names.join()).toString(36)),
    },
  })
  if (!worker.success) throw new AggregateError(worker.logs, 'the service worker could not be built')
}

if (import.meta.main) await buildUi()
