import { describe, expect, test } from 'bun:test'
import { describeApi } from '../../../src/server/http/docs/describe'
import { isForApps } from '../../../src/server/http/apps/gpodder/protocol'
import { startTestApp, withPasswords, type TestApp } from '../../support/app'
import { isAudiobookshelf } from '../../support/audiobookshelf-app'
import { arrive, waysIn, type Mode, type WayIn } from '../../support/modes'
import { handshake } from '../../support/socket'
import { calls, personas, unproven, type Call, type Persona } from './permission-calls'
import { plant } from './permission-objects'

/** The table of docs/internals/permissions.md: `METHOD /path` → who may. */
const permissions = new Map(
  [
    ...(await Bun.file('docs/internals/permissions.md').text())
      .split('\n## ', 1)[0]!
      .matchAll(/^\| `([A-Z]+ \S+)` +\| (\w+)/gm),
  ].map(([, call, who]) => [call!, who!] as const),
)

const modes = Object.keys(waysIn) as Mode[]

/**
 * Deleting calls come last, so that the others find their objects; the queue item goes before the queue is replaced,
 * and a kept queue before it is restored and used.
 */
const order = (call: string) => {
  if (/^DELETE \S+\/(queue\/items|queues)\/:id$/.test(call)) return -1
  if (/^DELETE \S+\/(podcasts|users|tags|playlist)\/:\w+$/.test(call)) return 2
  return call.startsWith('DELETE') || call === 'POST /api/v1/podcasts/episode' ? 1 : 0
}
const inOrder = [...permissions].toSorted(([one], [other]) => order(one) - order(other))

const isOfPasswords = (route: string) => route.startsWith('POST /api/v1/login')
const isOfApps = (route: string) => isForApps(route.split(' ')[1]!, '') && route !== 'GET /clientconfig.json'

/** A password sent where passwords are off is a failed sign-in, whatever key is in the address. */
const hasFailed = (route: string, persona: Persona) => persona === 'off' && route.includes('/apiKey/:key')

/**
 * The statuses that depend on the way in: only some check passwords, and podcast apps show an app password to a proxy.
 */
function byMode(mode: Mode, route: string, persona: Persona): number | null {
  if (mode !== 'a proxy' && mode !== 'single sign-on') return null
  if (isOfPasswords(route)) return 403
  if (calls[route] === unproven) return persona === 'stranger' || persona === 'off' ? 401 : 409
  return (mode === 'a proxy' && isOfApps(route)) || hasFailed(route, persona) ? 401 : null
}

function expected(who: string, call: Call, persona: Persona, special: number | null): number {
  if (special !== null) return special
  const own = call.of?.[persona]
  if (own !== undefined) return own
  const ok = call.ok ?? 200
  if (who === 'public') return ok
  if (persona === 'stranger' || persona === 'off') return 401
  if (who === 'admin') return persona === 'admin' || persona === 'open mode' ? ok : 403
  if (who === 'uploader') return persona === 'user' || persona === 'other' ? 403 : ok
  return ok
}

async function credentialsOf(app: TestApp, way: WayIn, persona: Persona, alice: Record<string, string>) {
  if (persona === 'user') return alice
  if (persona === 'other') return (await arrive(app, way, 'bob')).headers
  if (persona === 'uploader') return (await arrive(app, way, 'carol', 'uploader')).headers
  if (persona === 'admin') return way.headersOf('root')
  return persona === 'off' ? way.elsewhere : {}
}

/** The value for `:id`, by its place in the path. */
const idOf: readonly (readonly [where: RegExp, value: string])[] = [
  [/episodes?\/(favor|:id|download)$|\/covers\/episodes|podcasts\/episodes?\/:id/, 'episode'],
  [/\/invites\//, 'invite'],
  [/\/tags?\//, 'tag'],
  [/\/playlist\//, 'playlist'],
  [/\/bookmarks\//, 'bookmark'],
  [/\/skip-marks\//, 'mark'],
  [/\/queue\/items\//, 'item'],
  [/\/queues\//, 'queue'],
  [/\/clips\//, 'clip'],
  [/\/jobs\//, 'job'],
  [/\/moves\/:id/, 'move'],
  [/\/devices\//, 'device'],
  [/\/destinations\//, 'destination'],
  [/\/appPasswords\//, 'password'],
  [/\/appSessions\//, 'session'],
  [/\/me\/sessions\//, 'browser'],
  [/\/passkeys\//, 'passkey'],
  [/./, 'podcast'],
]

test('R1: the table names every call, and no other', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const routes = app.app.routes
    .filter(({ path }) => !isAudiobookshelf(path))
    .map(({ method, path }) => `${method} ${path}`)
  expect([...permissions.keys()].toSorted()).toEqual([...new Set(routes)].toSorted())
  expect(Object.keys(calls).filter(call => !permissions.has(call))).toEqual([])
})

/** By way in: open mode has fewer calls. */
const descriptions = new Map<Mode | null, ReturnType<typeof describeApi>['paths']>()
function describedBy(mode: Mode | null, app: TestApp) {
  const known = descriptions.get(mode) ?? describeApi(app.app.routes, '').paths
  descriptions.set(mode, known)
  return known
}

async function check(persona: Persona, mode: Mode | null) {
  using way = mode === null ? null : await waysIn[mode]()
  await using app = await startTestApp({
    // The table tells adders from users, who may add nothing here.
    env: { ...way?.env, ALLOWED_NETWORKS: '127.0.0.0/8', USER_PODCAST_LIMIT: '0' },
    // Invalid credentials are sent hundreds of times here.
    throttleLimits: {
      freeFailures: 9e9,
      maxFailuresPerPair: 9e9,
      maxFailuresPerAddress: 9e9,
      freeFailuresOfStrangers: 9e9,
      firstPauseMs: 1,
      longestPauseMs: 1,
    },
    // Nothing answers there.
    directoryAddresses: { itunes: 'http://127.0.0.1:9', podindex: 'http://127.0.0.1:9' },
  })
  const { host, values, secrets, alice } = await plant(app, way)
  using _ = host
  const credentials = way ? await credentialsOf(app, way, persona, alice) : {}
  const headers = { ...credentials, 'Content-Type': 'application/json' }
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => values[name]!)
  const described = describedBy(mode, app)
  const origin = app.listen()
  const found: string[] = []
  const wanted: string[] = []
  const undescribed: string[] = []
  for (const [route, who] of inOrder) {
    const call = calls[route] ?? {}
    const [method, path] = route.split(' ') as [string, string]
    const address = path
      .replace(':username', 'alice')
      .replace(':key', values['key']!)
      .replace(/:(eid|file|tid)/, values['eid']!)
      .replace(':id', values[idOf.find(([where]) => where.test(path))![1]]!)
      .replace(':type', 'local')
      .replace(':list', 'liked')
      .replace(':term', 'fog')
      .replace(':podcast', values['podcast']!)
      .replace(':episode', values['episode']!)
      .replace('*', 'podcasts')
    wanted.push(`${route} ${expected(who, call, persona, mode && byMode(mode, route, persona))}`)
    if (method === 'WS') {
      found.push(`${route} ${await handshake(origin, headers)}`)
      continue
    }
    // Over the network: in memory a request comes from nowhere, which no proxy is trusted to be.
    const response = await fetch(`${origin}${address}${fill(call.query ?? '')}`, {
      method,
      headers,
      redirect: 'manual',
      ...(call.body !== undefined && { body: fill(JSON.stringify(call.body)) }),
    })
    found.push(`${route} ${response.status}`)
    const text = await response.text()
    const answers = described[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]?.responses
    if (answers && response.ok) {
      const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
      const isDescribed = String(response.status) in answers
      if (!isDescribed || (answers[response.status]!.content !== undefined && !isJson))
        undescribed.push(`${route} ${response.status} ${isJson ? 'JSON' : `${text.length} bytes`}`)
    }
    if (persona !== 'user' && who !== 'admin' && !/:username|:key|\/(jobs|moves)/.test(path))
      for (const secret of secrets) expect([route, text.includes(secret)]).toEqual([route, false])
    expect(response.headers.has('www-authenticate')).toBe(
      response.status === 401 && (/^\/(rss|mcp)/.test(path) || isForApps(path, '')),
    )
  }
  expect(found).toEqual(wanted)
  expect(undescribed).toEqual([])
}

describe.each(modes)('by %s', mode => {
  test.each(personas)('R1: %s may make the calls of the table, and is refused the others', persona =>
    check(persona, mode),
  )
})

test('R1: in open mode everybody may make them all', () => check('open mode', null))
