import { ProblemBody } from '../../../shared/api/problem'
import { methodsAt } from '../core/methods'
import { operations } from './operations'
import { type Rule, rules } from './rules'

// Why: docs/internals/decisions/0007

/** Parts of an Elysia route that the description needs. */
export type Route = {
  method: string
  path: string
  hooks: { body?: unknown; query?: unknown; params?: unknown; response?: unknown }
}

type Parameter = { name: string; in: 'path' | 'query'; required: boolean; schema: Schema }

export type Operation = {
  operationId: string
  summary: string
  tags: string[]
  security?: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, Answer>
}
type Answer = {
  description: string
  headers?: Record<string, unknown>
  content?: Record<string, { schema: Schema }>
}

/** Whether strangers may make a call. */
const isPublic = (call: string) =>
  /^GET \/(healthz|readyz|api\/v1\/sys\/config|api\/v1\/invites\/:id|clip\/:code.*)$|^POST \/api\/v1\/(login|users)$/.test(
    call,
  )

/**
 * Describes the API as OpenAPI 3.1, from the schemas that the routes themselves check by. It reveals nothing about this
 * installation, not even its version. The sync protocol of podcast apps has its own description elsewhere.
 */
export function describeApi(routes: readonly Route[], prefix: string) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Castellan',
      version: 'v1',
      description:
        'Podcasts, episodes, positions and files. Errors are Problems with an `errorCode`. Positions are seconds, instants are ISO 8601 in UTC.',
    },
    servers: [{ url: prefix || '/' }],
    components: {
      schemas: { Problem: plain(ProblemBody) },
      securitySchemes: {
        password: { type: 'http', scheme: 'basic', description: 'User name and password' },
        apiKey: { type: 'http', scheme: 'bearer', description: "The API key from the user's profile: 32 hex digits" },
      },
    },
    security: [{ password: [] }, { apiKey: [] }],
    paths: describePaths(routes, prefix),
  }
}
export type Description = ReturnType<typeof describeApi>

/** Operations by path and method, in the order of their list. */
function describePaths(routes: readonly Route[], prefix: string): Record<string, Record<string, Operation>> {
  const known = new Map(routes.map(route => [`${route.method} ${route.path.slice(prefix.length) || '/'}`, route]))
  const paths: Record<string, Record<string, Operation>> = {}
  for (const [call, text] of Object.entries(operations)) {
    const route = known.get(call)
    // Open mode has fewer routes.
    if (!route) continue
    const [method, path] = call.split(' ') as [string, string]
    const at = path.replace(/:(\w+)/g, '{$1}')
    paths[at] = {
      ...paths[at],
      [method.toLowerCase()]: describe(call, text, route, methodsAt(path, known.keys())),
    }
  }
  return paths
}

function describe(call: string, text: string, { hooks }: Route, allowed: string): Operation {
  const [summary, status = '200'] = text.split(' → ') as [string, string?]
  const path = call.split(' ')[1]!
  const own = rules[call] ?? {}
  const parameters = [...parametersOfPath(path), ...parametersOfQuery(plain(hooks.query))].map(parameter => {
    const rule = own[parameter.name]
    return rule ? { ...parameter, schema: withRule(parameter.schema, rule) } : parameter
  })
  const body = withRules(plain(hooks.body), own)
  return {
    operationId: call.replace(/\W+/g, '_').toLowerCase(),
    summary,
    tags: [groupOf(path)],
    ...(isPublic(call) && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body.type !== undefined && {
      requestBody: { required: true, content: { 'application/json': { schema: body } } },
    }),
    responses: { ...describeAnswers(plain(hooks.response), status, summary), ...describeRefusals(allowed) },
  }
}

/** The answers of a call by status: those that its route declares, or the one with `status`. */
function describeAnswers(declared: Schema, status: string, summary: string): Record<string, Answer> {
  const byStatus = isByStatus(declared) ? declared : { [status]: declared }
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, schema]) => [
      status,
      {
        description: status === '204' ? 'Done' : summary,
        ...(Object.keys(schema).length > 0 && { content: { 'application/json': { schema } } }),
      },
    ]),
  )
}

/** The refusals that every call has. */
function describeRefusals(allowed: string): Record<string, Answer> {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } }
  return {
    '405': {
      description: 'The method is not allowed',
      headers: { Allow: { required: true, schema: { type: 'string', const: allowed } } },
      content,
    },
    default: { description: 'The request was refused', content },
  }
}

/** Whether a route declares a schema per status. */
const isByStatus = (schema: Schema): schema is Record<string, Schema> =>
  Object.keys(schema).length > 0 && Object.keys(schema).every(name => /^\d{3}$/.test(name))

const partsOfServer = new Set(['healthz', 'readyz', 'metrics', 'sys', 'info', 'stats'])

/** The group of a path on the page: its first part, `server` for what concerns the server itself. */
function groupOf(path: string): string {
  const name = path.split('/')[path.startsWith('/api/v1/') ? 3 : 1]!
  return partsOfServer.has(name) ? 'server' : name
}

const parametersOfPath = (path: string): Parameter[] =>
  [...path.matchAll(/:(\w+)/g)].map(match => ({
    name: match[1]!,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))

function parametersOfQuery(query: Schema): Parameter[] {
  const required = new Set(query.required)
  return Object.entries(query.properties ?? {}).map(([name, schema]) => {
    const bare = numberOf(schema)
    return { name, in: 'query', required: required.has(name) && bare.default === undefined, schema: bare }
  })
}

/** The number itself, where Elysia's schema also accepts its text. */
const numberOf = (schema: Schema): Schema =>
  (schema.anyOf as Schema[] | undefined)?.find(({ type }) => type === 'integer' || type === 'number') ?? schema

/** A JSON schema. */
type Schema = Record<string, unknown> & { properties?: Record<string, Schema>; required?: string[] }

/** A copy of a schema without TypeBox's own symbols, and with unions of words as `enum`; `{}` for none. */
const plain = (schema: unknown): Schema =>
  schema ? (JSON.parse(JSON.stringify(schema), (_, value: unknown) => asEnum(value)) as Schema) : {}

function asEnum(value: unknown): unknown {
  const { anyOf, ...rest } = (value ?? {}) as { anyOf?: { const?: unknown }[] }
  if (!Array.isArray(anyOf) || anyOf.length === 0) return value
  const words = anyOf.flatMap(one => (typeof one.const === 'string' ? [one.const] : []))
  return words.length === anyOf.length ? { ...rest, type: 'string', enum: words } : value
}

/** Adds a rule to the schema of a field; in a union it belongs to the first member. */
function withRule(schema: Schema, rule: Rule): Schema {
  const union = schema.anyOf as Schema[] | undefined
  return union
    ? { ...schema, anyOf: union.map((one, index) => (index === 0 ? { ...one, ...rule } : one)) }
    : { ...schema, ...rule }
}

/** Adds rules to the fields of a body. */
const withRules = (body: Schema, own: Readonly<Record<string, Rule>>): Schema =>
  body.properties
    ? {
        ...body,
        properties: Object.fromEntries(
          Object.entries(body.properties).map(([name, field]) => [
            name,
            own[name] ? withRule(field, own[name]) : field,
          ]),
        ),
      }
    : body
