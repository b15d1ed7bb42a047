import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Glob, type BunPlugin } from 'bun'

const root = join(import.meta.dir, '..')
const ownStyles = /src\/ui\/.*\.css$/

/** Makes the bundler read our own style sheets by `readStyles`. */
const limits: BunPlugin = {
  name: 'limits',
  setup(build) {
    build.onLoad({ filter: ownStyles }, async ({ path }) => ({ contents: await readStyles(path), loader: 'css' }))
  },
}

/**
 * Puts a sheet into the layer of its folder: that of pages, or that of components below it. Those in `styles` name
 * theirs. Keeps a limit out of `width < 768px`: the bundler writes 767.999px, which browsers round up, and 1024px itself.
 */
async function readStyles(path: string): Promise<string> {
  const css = (await Bun.file(path).text()).replace(
    /\b(width|height) < (\d+)px/g,
    (_, side: string, limit: string) => `${side} <= ${Number(limit) - 0.02}px`,
  )
  if (path.includes('/ui/styles/')) return css
  return `@layer ${path.includes('/ui/pages/') ? 'pages' : 'components'} {\n${css}}`
}

/**
 * Puts the styles of parts that are loaded later into the scripts of those parts, which add them to the page before
 * they draw anything. So a page loads the styles of what it shows, and not those of the whole interface. `scripts`:
 * those whose styles, and those of all that they import at once, stay in the style sheet.
 */
export async function stylesWhereNeeded(scripts: readonly string[]): Promise<BunPlugin> {
  const early = new Set<string>()
  for (const script of scripts) listImported(join(root, script), early)
  const late = await minifyEach([...known].filter(path => path.endsWith('.css') && !early.has(path)))
  return {
    name: 'styles-where-needed',
    setup(build) {
      build.onLoad({ filter: ownStyles }, async ({ path }) => {
        const css = late.get(path)
        if (css === undefined) return { contents: await readStyles(path), loader: 'css' }
        return { contents: asScript(css), loader: 'js' }
      })
    },
  }
}

/** A style sheet made by script needs no exception in the Content-Security-Policy. */
const asScript = (css: string) =>
  `const sheet = new CSSStyleSheet()\nsheet.replaceSync(${JSON.stringify(css)})\ndocument.adoptedStyleSheets.push(sheet)`

async function minifyEach(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const plain = paths.filter(path => !path.includes('/src/ui/styles/'))
  const built = await Bun.build({
    entrypoints: plain,
    root,
    minify: true,
    target: 'browser',
    plugins: [limits],
    naming: '[dir]/[name].[ext]',
  })
  const minified = new Map<string, string>()
  for (const output of built.outputs)
    minified.set(join(root, output.path.replace(/^\.\//, '')), withoutOldSpellings(await output.text()).trim())
  return minified
}

/**
 * Leaves out the two spellings of logical properties that are for browsers of before 2021, which cannot run the rest.
 */
export const withoutOldSpellings = (css: string) =>
  css.replace(/(?<=[{}])[^{}]*:-(?:webkit|moz)-any\([^{}]*\{[^{}]*\}/g, '')

/** Lists the files that a script imports, and those that they import, without those that are imported later. */
function listImported(path: string, seen: Set<string>) {
  if (seen.has(path)) return
  seen.add(path)
  if (!/\.tsx?$/.test(path)) return
  const transpiler = new Bun.Transpiler({ loader: path.endsWith('x') ? 'tsx' : 'ts' })
  for (const { path: to, kind } of transpiler.scanImports(readFileSync(path, 'utf8'))) {
    const found = kind === 'import-statement' && to.startsWith('.') && findFile(resolve(dirname(path), to))
    if (found) listImported(found, seen)
  }
}

const known = new Set(new Glob('src/{ui,shared}/**/*.{ts,tsx,css}').scanSync({ cwd: root, absolute: true }))
const findFile = (path: string) =>
  ['', '.ts', '.tsx', '/index.ts'].map(ending => path + ending).find(file => known.has(file))
