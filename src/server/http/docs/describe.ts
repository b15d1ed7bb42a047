import { ProblemBody } from '../../../shared/api/parts'
import { downloadStates, searchFields, yourLists } from '../../../shared/choices'
import { MAX_RATE, MIN_RATE, RATE_STEPS } from '../../../shared/limits'
import { coverSizes } from '../../covers/sizes'
import { methodsAt } from '../core/open-routes'
import { operations } from './operations'

// Why: docs/internals/decisions/0007

/** Parts of an Elysia route that the description needs. */
export type Route = {
  method: string
  path: string
  hooks: { body?: unknown; query?: unknown; params?: unknown; declared?: unknown }
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
        'Podcasts, episodes, positions and files. Errors are Problems with an `errorCode`. Positions are seconds, ' +
        'instants are ISO 8601 in UTC.',
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
    responses: { ...describeAnswers(plain(hooks.declared), status, summary), ...describeRefusals(allowed) },
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
  const { anyOf } = (value ?? {}) as { anyOf?: { const?: unknown }[] }
  if (!Array.isArray(anyOf) || anyOf.length === 0) return value
  const { anyOf: _, ...rest } = value as object & { anyOf: unknown }
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

/** Keywords of JSON schema for a field, beyond those of its schema. */
type Rule = { [keyword: string]: unknown }

const cursor: Rule = { description: 'The `X-Next-Cursor` of an earlier response', pattern: '^[\\w.-]+$' }
const instant: Rule = { description: 'An instant or a day in ISO 8601', examples: ['2026-03-01T05:00:00.000Z'] }
const username: Rule = { minLength: 1, maxLength: 64, pattern: '^[^:/\\\\%]+$', examples: ['mara'] }
const size: Rule = { enum: coverSizes.map(String) }
const name: Rule = { pattern: '\\S', examples: ['Evening'] }

/**
 * Rules that routes enforce beyond their schemas, by call and by field of its path, query or body. A test compares them
 * with the server.
 */
const rules: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  'GET /api/v1/settings/opml/:type': { type: { enum: ['local', 'online'] } },
  'GET /api/v1/podcasts/:id/:term/search': {
    id: { enum: ['0', '1'], description: '0 is iTunes, 1 is the Podcast Index' },
    term: { minLength: 1, maxLength: 200 },
  },
  'GET /covers/podcasts/:id': { size },
  'GET /covers/episodes/:id': { size },
  'GET /covers/podcasts/:id/persons/:place': { size },
  'GET /covers/episodes/:id/persons/:place': { size },
  'GET /covers/chapters/:id': { size },
  'GET /api/v1/downloads': { state: { enum: downloadStates }, cursor },
  'GET /api/v1/search': {
    in: { enum: searchFields },
    cursor,
    from: instant,
    to: instant,
  },
  'GET /api/v1/people/named/episodes': { cursor },
  'GET /api/v1/podcasts/:id/episodes': { cursor, last_podcast_episode: instant },
  'GET /api/v1/podcasts/timeline': {
    cursor,
    lastTimestamp: instant,
    from: instant,
    to: instant,
    tz: { description: 'An IANA time zone', examples: ['Europe/Copenhagen'] },
  },
  'POST /api/v1/podcasts/timeline/listened': { from: instant, to: instant },
  'POST /api/v1/podcasts/timeline/queue': { from: instant, to: instant },
  'GET /api/v1/episodes/yours/:list': { list: { enum: yourLists }, cursor },
  'GET /api/v1/stats/overview': {
    from: instant,
    to: instant,
    tz: { description: 'An IANA time zone', examples: ['Europe/Copenhagen'] },
  },
  'POST /api/v1/users': {
    username,
    password: {
      description: 'At least 8 characters, with a digit, a lower-case and an upper-case letter',
      examples: ['Corr3ctHorse'],
    },
  },
  'PUT /api/v1/users/:username': {
    username: { ...username, minLength: 0, pattern: '^[^:/\\\\%]*$' },
    apiKey: { description: '32 random hexadecimal digits', pattern: '^([0-9a-fA-F]{32})?$' },
  },
  'PUT /api/v1/users/:username/username': { username },
  'POST /api/v1/podcasts/feed': {
    rssFeedUrl: { minLength: 1, maxLength: 4096, examples: ['https://example.com/feed.xml'] },
    userAgent: { pattern: '^[\\x20-\\x7e]*$' },
  },
  'POST /api/v1/podcasts/preview': { userAgent: { pattern: '^[\\x20-\\x7e]*$' } },
  'PUT /api/v1/podcasts/:id/feed': {
    rssFeedUrl: { minLength: 1, maxLength: 4096, examples: ['https://example.com/feed.xml'] },
  },
  'PUT /api/v1/podcasts/:id/preferences': {
    speed: { minimum: MIN_RATE, maximum: MAX_RATE, multipleOf: 1 / RATE_STEPS },
  },
  'PUT /api/v1/podcasts/:id/settings': { userAgent: { pattern: '^[\\x20-\\x7e]*$' } },
  'POST /api/v1/tags': { name },
  'PUT /api/v1/tags/:id': { name },
  'POST /api/v1/playlist': { name },
  'PUT /api/v1/playlist/:id': { name },
}
