import { expect, test } from 'bun:test'
import { createAppCalls, createOpenCalls } from '../../../../../src/server/http/apps/audiobookshelf/serve'
import { noCalls } from '../../../../../src/server/http/apps/audiobookshelf/nothing'
import { unhindered } from '../../../../support/access'
import { startTestApp, withPasswords, type TestApp } from '../../../../support/app'
import { appAt, signedInApp, type AppClient } from '../../../../support/audiobookshelf-app'

const section = (await Bun.file('docs/internals/permissions.md').text()).split('\n## Apps of Audiobookshelf\n')[1]!

/** The table of docs/internals/permissions.md: `METHOD /path` → who may. */
const permissions = new Map(
  [...section.matchAll(/^\| `([A-Z]+ \S+)` +\| (\w+)/gm)].map(([, call, who]) => [call!, who!]),
)

/** The roles of those who may call. */
const allowed: Record<string, readonly string[]> = {
  any: ['user', 'uploader', 'admin'],
  adder: ['uploader', 'admin'],
  uploader: ['uploader', 'admin'],
  admin: ['admin'],
  nobody: [],
}

/** Calls about what this server does not have; the document describes them in a sentence. */
const ofNothing = new Set(noCalls().map(([call]) => call))

function callsOf({ context }: TestApp) {
  const calls = createAppCalls(context).map(([call]) => call)
  return {
    open: createOpenCalls(context, '').map(([call]) => call),
    ofApps: calls.filter(call => !ofNothing.has(call)),
    ofNothing: calls.filter(call => ofNothing.has(call)),
  }
}

/** Bodies without which a call is refused to everybody. */
const bodies: Record<string, unknown> = { 'POST /api/items/batch/get': { libraryItemIds: ['x'] } }

/** A status for a call that names nothing which exists. */
async function statusOf(app: AppClient, call: string): Promise<number> {
  const [method, path] = call.split(' ') as [string, string]
  return (await app.call(method, path.replace(/:\w+/g, 'x'), method === 'GET' ? {} : { body: bodies[call] ?? {} }))
    .status
}

test('R1: the table names every call of these apps, and no other', async () => {
  await using server = await startTestApp({ env: withPasswords })
  const { open, ofApps } = callsOf(server)
  expect([...permissions.keys()].toSorted()).toEqual([...open, ...ofApps].toSorted())
  const isPublic = (call: string) => permissions.get(call) === 'public'
  expect([open.filter(call => !isPublic(call)), ofApps.filter(isPublic)]).toEqual([[], []])
})

test('R1: strangers are refused, whatever they show, and so are roles that may not', async () => {
  // The table tells adders from users, who may add nothing here.
  const env = { ...withPasswords, USER_PODCAST_LIMIT: '0' }
  await using server = await startTestApp({ env, throttleLimits: unhindered })
  await server.signUp('uma')
  await server.signUp('upton', 'uploader')
  const { ofApps, ofNothing } = callsOf(server)
  const strangers = [appAt(server), appAt(server, 'x'), appAt(server, ''), appAt(server, '0'.repeat(43))]
  for (const call of [...ofApps, ...ofNothing])
    for (const stranger of strangers) expect([call, await statusOf(stranger, call)]).toEqual([call, 401])

  for (const [role, name, password] of [
    ['user', 'uma'],
    ['uploader', 'upton'],
    ['admin', 'root', 'Sup3rSecret'],
  ] as const)
    for (const call of ofApps) {
      const status = await statusOf(await signedInApp(server, name, password), call)
      const mayCall = allowed[permissions.get(call)!]!.includes(role)
      expect([call, role, status === 403]).toEqual([call, role, !mayCall])
      expect([call, status, status !== 401 && status < 500]).toEqual([call, status, true])
    }
})

test('R1: what administers a server is refused to admins too', async () => {
  await using server = await startTestApp({ env: withPasswords })
  const root = await signedInApp(server, 'root', 'Sup3rSecret')
  for (const call of callsOf(server).ofNothing) {
    const status = await statusOf(root, call)
    expect([call, [200, 403, 404].includes(status)]).toEqual([call, true])
    if (!call.startsWith('GET')) expect([call, status]).toEqual([call, 403])
  }
})
