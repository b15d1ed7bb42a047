import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { uiFolder } from './build-ui'

// Measures what a browser fetches before the first page is shown: `bun run bundle`, after a build. Fails above the
// budgets.

const KB = 1000
const budgets = { js: 145 * KB, css: 20 * KB }
const assets = join(uiFolder, 'assets')

type First = { page: string; js: number; files: number }

/** Lists the static imports of a script, itself included. */
function closure(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen
  seen.add(name)
  const code = gunzipSync(readFileSync(join(assets, name)))
  for (const { path, kind } of new Bun.Transpiler({ loader: 'js' }).scanImports(code))
    if (kind === 'import-statement') closure(path.replace('./', ''), seen)
  return seen
}

const brotliSize = (name: string) => Bun.file(join(assets, `${name}.br`)).size
const sum = (names: Iterable<string>) => [...names].reduce((total, name) => total + brotliSize(name), 0)

/** Bytes of Brotli-compressed JavaScript for each page; the largest first. */
export function firstLoads(): First[] {
  const names = readdirSync(assets).filter(name => name.endsWith('.js'))
  const page = readFileSync(join(uiFolder, 'index.html'), 'utf8')
  const entry = /<script[^>]* src="\.\/assets\/([^"]+)"/.exec(page)![1]!
  return names
    .filter(name => /-page-\w+\.js$/.test(name))
    .map(name => {
      const files = closure(name, closure(entry))
      return { page: name.replace(/-page-\w+\.js$/, ''), js: sum(files), files: files.size }
    })
    .sort((a, b) => b.js - a.js)
}

const sizeOf = (ending: string) => sum(readdirSync(assets).filter(name => name.endsWith(ending)))

/** Throws, naming the page, when a first load is larger than it may be. */
export function checkBudgets() {
  const [largest] = firstLoads()
  if (largest!.js > budgets.js)
    throw new Error(`the page ${largest!.page} loads ${inKb(largest!.js)} of JavaScript, above ${inKb(budgets.js)}`)
  if (sizeOf('.css') > budgets.css)
    throw new Error(`the styles are ${inKb(sizeOf('.css'))}, above ${inKb(budgets.css)}`)
}

const inKb = (bytes: number) => `${(bytes / KB).toFixed(1)} KB`

if (import.meta.main) {
  for (const { page, js, files } of firstLoads())
    console.log(`${page.padEnd(20)}${inKb(js).padStart(10)}${String(files).padStart(5)} files`)
  console.log(`${'styles'.padEnd(20)}${inKb(sizeOf('.css')).padStart(10)}`)
  for (const name of readdirSync(assets).filter(name => name.endsWith('.json')))
    console.log(`${`texts, ${name.split('-')[0]}`.padEnd(20)}${inKb(brotliSize(name)).padStart(10)}`)
  checkBudgets()
}
