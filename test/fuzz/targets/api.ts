import Ajv, { type ValidateFunction } from 'ajv'
import fc from 'fast-check'
import { median, residentMb } from '../../support/measure'
import { oddities } from '../mutate'
import { withOddValues, writeJson } from '../mutate-json'
import { valuesOf, type Schema } from '../schema'
import { basic, startServer } from '../server'
import { Finding, require, type Target } from '../target'

type Parameter = { name: string; in: 'path' | 'query'; schema: Schema }
type Described = { content?: Record<string, { schema: Schema }> }
type Operation = { parameters?: Parameter[]; requestBody?: Described; responses: Record<string, Described> }
type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas: { Problem: Schema } } }

type Call = {
  operation: string
  method: string
  who: string | null
  path: string
  body: string | null
  headers: Record<string, string>
}

/** Codes of failures whose reason lies elsewhere. */
const excused = new Set([502, 503, 504, 507])
const people = fc.constantFrom('root', 'root', 'root', 'uma', 'alice', null)
/** Stands for one of the ids that the server has told of so far. */
const known = fc.nat(999).map(number => `\u0001id${number}\u0001`)
const odd = fc.constantFrom(...oddities, 'me', '..', '.', 'x'.repeat(3000), '0', '-1', '1e9', '9'.repeat(30), 'null')
const rawBodies = [
  '',
  ' ',
  '{',
  '[]',
  'null',
  '"x"',
  '1e999',
  '\ufeff{}',
  '{"a":1}}',
  '['.repeat(300_000),
  'x'.repeat(2_000_000),
]
const extra = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { Range: 'bytes=5-' },
      { Range: 'bytes=999999999999-' },
      { Cookie: 'castellan=%ff; sessionid=x' },
      { 'If-None-Match': '*' },
      { 'Content-Type': 'text/plain' },
      { 'Content-Type': 'application/json; charset=utf-16' },
      { 'X-Forwarded-Proto': 'javascript', 'X-Forwarded-Host': 'a b' },
      { Host: 'x:y:z' },
      { Origin: 'null' },
      { Accept: 'text/html' },
    ),
  },
)

/** Calls that check passwords or keys: each wrong guess makes the next one wait, on purpose. */
const isForGuessing = (name: string) => /\/login$|apiKey($|\/)|^POST .*\/users$|\/invites\/\{id\}$/.test(name)

/** One value for each of them. */
const textsOf = (parameters: readonly Parameter[]): Record<string, fc.Arbitrary<string>> =>
  Object.fromEntries(
    parameters.map(({ name, schema }) => [
      name,
      fc.oneof({ weight: 4, arbitrary: valuesOf(schema, known).map(String) }, { weight: 1, arbitrary: odd }),
    ]),
  )

function callsOf(path: string, method: string, { parameters = [], requestBody }: Operation): fc.Arbitrary<Call> {
  const inPath = parameters.filter(parameter => parameter.in === 'path')
  const inQuery = parameters.filter(parameter => parameter.in === 'query' && !isForGuessing(parameter.name))
  const fill = (values: Record<string, string>) =>
    path.replace(/\{(\w+)\}/g, (_, name: string) => encoded(/^\.{0,2}$/.test(values[name] ?? '') ? 'x' : values[name]!))
  const schema = requestBody?.content?.['application/json']?.schema
  const values = schema ? (valuesOf(schema, known) as fc.Arbitrary<never>) : fc.constant({} as never)
  const body = fc.oneof(
    { weight: 6, arbitrary: values.map(writeJson) },
    { weight: 5, arbitrary: withOddValues(values).map(writeJson) },
    { weight: 1, arbitrary: fc.constantFrom(...rawBodies) },
  )
  return fc
    .record({
      values: fc.record(textsOf(inPath)),
      query: fc.record(textsOf(inQuery), { requiredKeys: [] }),
      body,
      who: people,
      headers: extra,
      other: fc.option(fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'), { freq: 12 }),
    })
    .map(({ values, query, body, who, headers, other }) => {
      const pairs = Object.entries(query).map(([name, value]) => `${name}=${encoded(value ?? '')}`)
      const used = other ?? method
      return {
        operation: `${method} ${path}`,
        method: used,
        who,
        path: `${fill(values)}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`,
        body: (schema && used === method) || used === 'POST' ? body : null,
        headers,
      }
    })
}

const encoded = (text: string) => encodeURIComponent(text.toWellFormed()).replaceAll('%25', '%')

const WARM_AFTER = 1500
const MAX_GROWN = 1.2
const TOO_LONG_MS = 8000

/**
 * Sends what the description allows, and much that it forbids, as every role: each answer must be one that is
 * described.
 */
export async function api(): Promise<Target<Call[]>> {
  let server = await startServer()
  const document = (await (await fetch(`${server.origin}/api-docs/openapi.json`)).json()) as Document
  const operations = Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
    )
    .filter(({ path, method }) => !isForGuessing(`${method} ${path}`))
  const described = validators(document)
  let ids: string[] = ['root', 'alice', 'uma', 'nobody', '018f3c3e-0000-7000-8000-000000000000']
  let inputs = 0
  let residents: number[] = []
  /** Deleted, or with another password. */
  let isSomebodyLost = false

  const filled = (text: string) =>
    text.replace(
      /(?:\\u0001|%01|\u0001)id(\d+)(?:\\u0001|%01|\u0001)/g,
      (_, number: string) => ids[Number(number) % ids.length]!,
    )

  async function ask({ operation, method, who, path, body, headers }: Call) {
    const place = `${method === operation.split(' ')[0] ? '' : `${method} at `}${operation}`
    const response = await fetch(`${server.origin}${filled(path)}`, {
      method,
      keepalive: false,
      redirect: 'manual',
      signal: AbortSignal.timeout(TOO_LONG_MS),
      headers: {
        ...(who !== null && { Authorization: basic(who) }),
        ...(body !== null && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== null && method !== 'GET' && method !== 'HEAD' && { body: filled(body) }),
    }).catch((error: unknown) => {
      throw new Finding(`${place} is not answered`, [String(error), server.errors()])
    })
    const text = await response.text()
    if (who !== null && response.status === 401) isSomebodyLost = true
    const json =
      text !== '' && response.headers.get('content-type')?.startsWith('application/json')
        ? (JSON.parse(text) as unknown)
        : null
    if (response.status >= 500) {
      // An answer to HEAD has no body to say why.
      const isTold =
        excused.has(response.status) &&
        (method === 'HEAD' || typeof (json as { errorCode?: unknown } | null)?.errorCode === 'string')
      require(isTold || operation === 'GET /readyz', `${place} is answered by ${response.status}`, [
        text.slice(0, 300),
        server.errors(),
      ])
    }
    if (json !== null && method === operation.split(' ')[0]) {
      const answers = described.get(operation)!
      const check = answers.get(String(response.status)) ?? answers.get('default')!
      require(check(json), `${place} is answered by ${response.status} with what is not described`, [
        check.errors?.slice(0, 3),
        text.slice(0, 600),
      ])
      if (response.ok) collect(json)
    }
  }
  function collect(json: unknown) {
    const found = [...JSON.stringify(json).matchAll(/"(?:\w*[iI]d|username)":"([^"\\]{1,100})"/g)].map(
      match => match[1]!,
    )
    ids = [...new Set([...ids, ...found])].slice(-300)
  }

  /** An account or the server itself is gone: a new one, with its memory to be measured anew. */
  async function renewIfLost() {
    const me = await fetch(`${server.origin}/api/v1/users/me`, {
      keepalive: false,
      signal: AbortSignal.timeout(TOO_LONG_MS),
      headers: { Authorization: basic('root') },
    }).catch((error: unknown) => error)
    if (!isSomebodyLost && me instanceof Response && me.ok) return
    isSomebodyLost = false
    const end = me instanceof Response ? null : ((await server.end()) ?? String(me))
    await server.stop()
    server = await startServer()
    inputs = 0
    residents = []
    if (end !== null) throw new Finding('the server answers no more', end)
  }

  return {
    name: 'api',
    inputs: fc.array(
      fc.constantFrom(...operations).chain(({ path, method, operation }) => callsOf(path, method, operation)),
      { minLength: 1, maxLength: 4 },
    ),
    slowMs: 6000,
    async check(calls) {
      try {
        for (const call of calls) await ask(call)
      } finally {
        await renewIfLost()
      }
      if (++inputs >= WARM_AFTER && inputs % 100 === 0) residents.push(residentMb(server.pid))
    },
    // It goes up and down with every collection: what counts is the middle of the first and of the last third.
    async finish() {
      const third = Math.floor(residents.length / 3)
      if (third < 5) return
      const [before, after] = [residents.slice(0, third), residents.slice(-third)].map(median) as [number, number]
      console.log(`api: ${Math.round(before)} MB resident at first, ${Math.round(after)} MB at last`)
      require(after <= MAX_GROWN * before, 'the server holds more memory than before', { before, after, inputs })
    },
    stop: () => server.stop(),
  }
}

function validators({ paths, components }: Document) {
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: false })
  const problem = ajv.compile(components.schemas.Problem)
  const anything = ajv.compile({})
  const compile = (answer: Described): ValidateFunction => {
    const schema = answer.content?.['application/json']?.schema
    // The one reference there is.
    if (schema && '$ref' in schema) return problem
    return schema ? ajv.compile(schema) : anything
  }
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { responses }]) => {
        const answers = Object.entries(responses).map(
          ([status, answer]) => [status, status === 'default' ? problem : compile(answer)] as const,
        )
        return [`${method.toUpperCase()} ${path}` as string, new Map(answers)] as const
      }),
    ),
  )
}
