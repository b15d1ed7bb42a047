import { expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const server = join(import.meta.dir, '../../src/server')
const packageOf = /node_modules\/((?:@[^/]+\/)?[^/]+)/

/** Starts the server in a process of its own until its first answer, and prints the paths of all loaded modules. */
const script = `
  const { createContext } = await import('${server}/context')
  const { createApp } = await import('${server}/app')
  const { readConfig } = await import('${server}/config')
  const context = createContext(readConfig(process.env))
  const app = await createApp(context, process.env.UI)
  app.listen({ hostname: '127.0.0.1', port: 0 })
  await fetch(new URL('/healthz', app.server.url))
  console.log(JSON.stringify(Object.keys(require.cache)))
  process.exit()
`

async function modulesOfStart(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-start-'))
  const ui = join(folder, 'ui')
  mkdirSync(join(ui, 'public'), { recursive: true })
  try {
    const child = Bun.spawn([process.execPath, '-e', script], {
      env: { DATA_DIRECTORY: folder, PODCAST_DIRECTORY: folder, UI: ui, LOG_LEVEL: 'error' },
      stderr: 'inherit',
    })
    return JSON.parse(await new Response(child.stdout).text()) as string[]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('the server starts without the libraries and modules of Node that only some requests need', async () => {
  const modules = await modulesOfStart()
  const packages = new Set(modules.map(path => packageOf.exec(path)?.[1] ?? ''))
  expect([...packages].filter(Boolean).toSorted()).toEqual([
    '@elysiajs/static',
    '@sinclair/typebox',
    'cookie',
    'elysia',
    'entities',
    'exact-mirror',
    'fast-decode-uri-component',
    'ipaddr.js',
    'jose',
    'memoirist',
    // The first account of a new library gets its look.
    'unhomoglyph',
  ])
  expect(modules.filter(path => /entities\/.*decode/.test(path))).toEqual([])

  const own = modules.filter(path => path.startsWith(server) && path.endsWith('.ts'))
  const transpiler = new Bun.Transpiler({ loader: 'ts' })
  const imports = await Promise.all(
    own.map(async path => {
      const found = transpiler.scanImports(await Bun.file(path).text())
      return found.filter(({ kind }) => kind === 'import-statement').map(one => `${path} → ${one.path}`)
    }),
  )
  expect(imports.flat().filter(one => /→ node:(crypto|http|https|stream|util|zlib)$/.test(one))).toEqual([])
})
