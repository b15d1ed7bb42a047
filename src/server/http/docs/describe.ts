import { ProblemBody } from '../../../shared/api/problem'
import { operations } from './operations'
import { methodsAt } from '../core/methods'
import { rules, type Rule } from './rules'

type Schema = Record<string, unknown> & { properties?: Record<string, Schema>; required?: string[] }
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
  responses: Record<
    string,
    { description: string; headers?: Record<string, unknown>; content?: Record<string, { schema: Schema }> }
  >
}

/** Whoever has no name here may ask these as well. */
const isPublic = (call: string) =>
  /^GET \/(healthz|readyz|api\/v1\/sys\/config|api\/v1\/invites\/:id)$|^POST \/api\/v1\/(login|users)$/.test(call)

/**
 * The API in the words of OpenAPI 3.1, made of the schemas by which the routes check what they get and give. It says nothing of
 * this installation, not even its version. What podcast apps sync by is described elsewhere.
 */
export function describeApi(routes: readonly Route[], prefix: string) {
  const known = new Map(routes.map(route => [`${route.method} ${route.path.slice(prefix.length) || '/'}`, route]))
  const paths: Record<string, Record<string, Operation>> = {}
  for (const [call, text] of Object.entries(operations)) {
    const route = known.get(call)
    // Open mode has fewer.
    if (!route) continue
    const [method, path] = call.split(' ') as [string, string]
    const at = path.replace(/:(\w+)/g, '{$1}')
    paths[at] = {
      ...paths[at],
      [method.toLowerCase()]: describe(call, text, route, methodsAt(path, known.keys())),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Castellan',
      version: 'v1',
      description:
        'Podcasts, episodes, positions and files. Errors are Problems with an `errorCode`; positions are seconds, moments are ISO 8601 in UTC.',
    },
    servers: [{ url: prefix || '/' }],
    components: {
      schemas: { Problem: plain(ProblemBody) },
      securitySchemes: {
        password: { type: 'http', scheme: 'basic', description: 'User name and password' },
        apiKey: { type: 'http', scheme: 'bearer', description: 'The API key of the profile: 32 hex digits' },
      },
    },
    security: [{ password: [] }, { apiKey: [] }],
    paths,
  }
}
export type Description = ReturnType<typeof describeApi>

function describe(call: string, text: string, { hooks }: Route, allowed: string): Operation {
  const [summary, status = '200'] = text.split(' → ') as [string, string?]
  const path = call.split(' ')[1]!
  const own = rules[call] ?? {}
  const names = [...path.matchAll(/:(\w+)/g)].map(match => match[1]!)
  const parameters = [
    ...names.map((name): Parameter => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    ...queryOf(plain(hooks.query)),
  ].map(one => (own[one.name] ? { ...one, schema: withRule(one.schema, own[one.name]!) } : one))
  const body = withRules(plain(hooks.body), own)
  const answer = plain(hooks.response)
  return {
    operationId: call.replace(/\W+/g, '_').toLowerCase(),
    summary,
    tags: [groupOf(path)],
    ...(isPublic(call) && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body.type !== undefined && {
      requestBody: { required: true, content: { 'application/json': { schema: body } } },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(isByStatus(answer) ? answer : { [status]: answer }).map(([status, schema]) => [
          status,
          {
            description: status === '204' ? 'Done' : summary,
            ...(Object.keys(schema).length > 0 && { content: { 'application/json': { schema } } }),
          },
        ]),
      ),
      '405': {
        description: 'What other methods are answered here',
        headers: { Allow: { required: true, schema: { type: 'string', const: allowed } } },
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
      default: {
        description: 'Refused',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  }
}

/** A field's schema with what else is enforced; of a union its first text, number or list of them has that. */
function withRule(schema: Schema, rule: Rule): Schema {
  const union = schema.anyOf as Schema[] | undefined
  return union
    ? { ...schema, anyOf: union.map((one, index) => (index === 0 ? { ...one, ...rule } : one)) }
    : { ...schema, ...rule }
}

const withRules = (body: Schema, own: Readonly<Record<string, Rule>>): Schema =>
  body.properties
    ? {
        ...body,
        properties: Object.fromEntries(
          Object.entries(body.properties).map(([name, of]) => [name, own[name] ? withRule(of, own[name]) : of]),
        ),
      }
    : body

/** Whether a route gives several answers, and so a schema for each status. */
const isByStatus = (answer: Schema): answer is Record<string, Schema> =>
  Object.keys(answer).length > 0 && Object.keys(answer).every(name => /^\d{3}$/.test(name))

const ofServer = new Set(['healthz', 'readyz', 'metrics', 'sys', 'info', 'stats'])

function groupOf(path: string): string {
  const name = path.split('/')[path.startsWith('/api/v1/') ? 3 : 1]!
  return ofServer.has(name) ? 'server' : name
}

function queryOf(query: Schema): Parameter[] {
  const required = new Set(query.required)
  return Object.entries(query.properties ?? {}).map(([name, schema]) => {
    const bare = numberOf(schema)
    return { name, in: 'query', required: required.has(name) && bare.default === undefined, schema: bare }
  })
}

/** Numbers of an address arrive as text; what is meant is the number. */
const numberOf = (schema: Schema): Schema =>
  (schema.anyOf as Schema[] | undefined)?.find(({ type }) => type === 'integer' || type === 'number') ?? schema

/** Without what only our own machinery reads, and with a union of words as the list of them; `{}` for none. */
const plain = (schema: unknown): Schema =>
  schema ? (JSON.parse(JSON.stringify(schema), (_, value: unknown) => asEnum(value)) as Schema) : {}

function asEnum(value: unknown): unknown {
  const { anyOf, ...rest } = (value ?? {}) as { anyOf?: { const?: unknown }[] }
  if (!Array.isArray(anyOf) || anyOf.length === 0) return value
  const words = anyOf.flatMap(one => (typeof one.const === 'string' ? [one.const] : []))
  return words.length === anyOf.length ? { ...rest, type: 'string', enum: words } : value
}
