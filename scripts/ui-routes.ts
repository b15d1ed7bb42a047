import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Glob, spawnSync } from 'bun'
import { createApp } from '../src/server/app'
import { readConfig } from '../src/server/config'
import { createContext } from '../src/server/context'
import type { Route } from '../src/server/http/docs/describe'
import { operations } from '../src/server/http/docs/operations'

// Writes the types of the API that the interface calls: `bun run routes`, after a route or its schema has changed.

const root = join(import.meta.dir, '..')
const file = join(root, 'src/ui/api/routes.ts')
const API = '/api/v1'

type Schema = {
  type?: string
  format?: string
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: readonly string[]
  patternProperties?: Record<string, Schema>
  default?: unknown
}

/** The schemas of `src/shared/api` that have a type of their own name. */
type Named = Map<unknown, { name: string; module: string }>

async function findNamed(): Promise<Named> {
  const named: Named = new Map()
  for (const path of [...new Glob('*.ts').scanSync(join(root, 'src/shared/api'))].sort()) {
    const source = await Bun.file(join(root, 'src/shared/api', path)).text()
    const exported = (await import(join(root, 'src/shared/api', path))) as Record<string, unknown>
    for (const [name, schema] of Object.entries(exported))
      if (typeof schema === 'object' && new RegExp(`^export type ${name}\\b`, 'm').test(source))
        named.set(schema, { name, module: path.replace('.ts', '') })
  }
  return named
}

/** Writes the types of all calls: what each takes as a query or a body, and what it answers. */
export async function writeRoutes(routes: readonly Route[]): Promise<string> {
  const named = await findNamed()
  const used = new Map<string, Set<string>>()
  const typeOf = (schema: unknown): string => {
    const known = named.get(schema)
    if (!known) return shapeOf(schema as Schema, typeOf)
    used.set(known.module, (used.get(known.module) ?? new Set()).add(known.name))
    return known.name
  }
  const calls = routes
    .filter(({ method, path }) => path.startsWith(`${API}/`) && `${method} ${path}` in operations)
    .map(route => {
      const call = `${route.method} ${route.path}`
      const { body, query, declared } = route.hooks
      const parts = [
        body && `body: ${typeOf(body)}`,
        query && `query: ${typeOf(query)}`,
        `answer: ${answerOf(declared, operations[call]!, typeOf)}`,
      ]
      return `  '${call.replace(API, '')}': { ${parts.filter(Boolean).join('; ')} }`
    })
  const imports = [...used]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([module, names]) => `import type { ${[...names].sort().join(', ')} } from '../../shared/api/${module}'`)
  return `// Made by \`bun run routes\` from the routes of the server.
${imports.join('\n')}

export type Routes = {
${[...new Set(calls)].sort().join('\n')}
}
`
}

/** The type of an answer: several statuses are a union, and without a schema only its status tells whether it is empty. */
function answerOf(response: unknown, operation: string, typeOf: (schema: unknown) => string): string {
  if (!response) return operation.endsWith('→ 204') ? 'void' : 'unknown'
  const isByStatus = Object.keys(response).every(key => /^\d{3}$/.test(key))
  return isByStatus ? union(Object.values(response).map(typeOf)) : typeOf(response)
}

/** The type of a schema that has no name. A flag of a query is a text on the wire, and a number one that is read. */
function shapeOf(schema: Schema, typeOf: (schema: unknown) => string): string {
  if ('const' in schema) return quoted(schema.const)
  if (schema.enum?.includes('true')) return 'boolean'
  if (schema.enum) return schema.enum.map(quoted).join(' | ')
  if (schema.anyOf) {
    // A number of a query may also be the text that it is on the wire.
    return union(schema.anyOf.filter(({ format }) => format !== 'integer' && format !== 'numeric').map(typeOf))
  }
  if (schema.type === 'array') return arrayOf(typeOf(schema.items))
  if (schema.type === 'integer') return 'number'
  if (schema.properties) {
    const fields = Object.entries(schema.properties).map(([name, field]) => {
      const isOptional = !schema.required?.includes(name) || field.default !== undefined
      return `${/^\w+$/.test(name) ? name : `'${name}'`}${isOptional ? '?' : ''}: ${typeOf(field)}`
    })
    return fields.length === 0 ? '{}' : `{ ${fields.join('; ')} }`
  }
  if (schema.patternProperties) return `Record<string, ${typeOf(Object.values(schema.patternProperties)[0])}>`
  if (schema.type === 'object') return 'Record<string, unknown>'
  return schema.type ?? 'unknown'
}

const quoted = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value))
const union = (types: readonly string[]) => [...new Set(types)].join(' | ')
const arrayOf = (type: string) => (/^\w+(\[\])*$/.test(type) ? `${type}[]` : `(${type})[]`)

if (import.meta.main) {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-routes-'))
  mkdirSync(join(folder, 'ui/public'), { recursive: true })
  const everything = { BASIC_AUTH: 'true', USERNAME: 'root', PASSWORD: 'Sup3rSecret' }
  const context = createContext(readConfig({ DATA_DIRECTORY: join(folder, 'data'), ...everything }))
  const app = await createApp(context, join(folder, 'ui'))
  await Bun.write(file, await writeRoutes(app.routes as readonly Route[]))
  rmSync(folder, { recursive: true })
  spawnSync([process.execPath, 'fmt', file], { cwd: root, stdout: 'inherit', stderr: 'inherit' })
  process.exit()
}
