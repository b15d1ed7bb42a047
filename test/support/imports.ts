import { Glob } from 'bun'
import { dirname, join, relative, resolve } from 'node:path'

/** An import between files, named by their paths from the folder without ending; packages keep their name. */
export type Import = { from: string; to: string; isType: boolean }

const root = join(import.meta.dir, '../..')
const withoutEnding = (path: string) => path.replace(/\.tsx?$/, '')

/** Reads every import below a folder, types included. */
export async function readImports(
  folder = 'src',
  pattern = '**/*.{ts,tsx}',
): Promise<{ files: string[]; imports: Import[] }> {
  const source = join(root, folder)
  const paths = await Array.fromAsync(new Glob(pattern).scan(source))
  const own = paths.filter(path => !path.endsWith('.d.ts'))
  const files = new Set(own.map(withoutEnding))
  const imports = await Promise.all(own.map(path => importsOf(source, path, files)))
  return { files: [...files], imports: imports.flat() }
}

async function importsOf(source: string, path: string, files: ReadonlySet<string>): Promise<Import[]> {
  const text = await Bun.file(join(source, path)).text()
  // The transpiler drops imports that are types alone.
  const transpiler = new Bun.Transpiler({ loader: path.endsWith('x') ? 'tsx' : 'ts' })
  const values = new Set(transpiler.scanImports(text).map(found => found.path))
  const written = [...text.matchAll(/^(?:import|export)\b[^'"]*?\bfrom '([^']+)'/gm)].map(([, found]) => found!)
  return [...new Set([...values, ...written])].map(found => ({
    from: withoutEnding(path),
    to: found.startsWith('.') ? resolveFile(relative(source, resolve(source, dirname(path), found)), files) : found,
    isType: !values.has(found),
  }))
}

const resolveFile = (path: string, files: ReadonlySet<string>) => {
  const name = withoutEnding(path)
  return files.has(`${name}/index`) ? `${name}/index` : name
}

/** Finds nodes that reach themselves by more than one step. */
export function findCircles(edges: readonly Pick<Import, 'from' | 'to'>[]): string[] {
  const next = Map.groupBy(edges, ({ from }) => from)
  const reachesItself = (start: string) => {
    const seen = new Set<string>()
    const open = [start]
    for (let node = open.pop(); node !== undefined; node = open.pop())
      for (const { to } of next.get(node) ?? []) {
        if (to === start) return true
        if (!seen.has(to)) open.push(to)
        seen.add(to)
      }
    return false
  }
  return [...next.keys()].filter(reachesItself)
}
