import { expect, test } from 'bun:test'
import { jobsOf } from '../../../../src/server/jobs'
import { userAgent } from '../../../../src/server/platform/version'
import { refusal, startClock, startTestApp, temporaryFolder, withPasswords } from '../../../support/app'
import { startFeedHost, type Handler } from '../../../support/feed-host'

const DAY = 24 * 60 * 60 * 1000
const newest = { version: '99.1.0', url: 'https://a.example/99', notes: 'Much better' }

/** A server that asks a host for the newest version. */
async function startAsking(handler: Handler) {
  const host = startFeedHost()
  const now = startClock()
  const address = host.on('/newest.json', handler)
  const app = await startTestApp({ now, env: { UPDATE_CHECK_URL: address } })
  return {
    host,
    now,
    app,
    check: () => app.context.updates.checkIfDue(),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host.stop()
    },
  }
}

test('nothing is asked unless an address is configured', async () => {
  await using app = await startTestApp()
  await app.context.updates.checkIfDue()
  expect(await app.info.update()).toEqual({ isOn: false, checkedAt: null, newer: null, failure: null })
})

test('a newer version is found, and asking takes our name and nothing else of us', async () => {
  await using world = await startAsking(() => Response.json(newest))
  expect(await world.app.info.update()).toEqual({ isOn: true, checkedAt: null, newer: null, failure: null })
  await world.check()
  expect(await world.app.info.update()).toMatchObject({ isOn: true, newer: newest, failure: null })
  expect(Date.parse((await world.app.info.update()).checkedAt!)).toBe(world.now())
  const { headers } = world.host.requests[0]!
  expect(headers.get('user-agent')).toBe(userAgent)
  const others = [...headers.keys()].filter(
    name => !['user-agent', 'host', 'accept', 'accept-encoding', 'connection'].includes(name),
  )
  expect(others).toEqual([])
})

test('the version that runs here is no news', async () => {
  await using world = await startAsking(() => Response.json({ version: '0.0.1' }))
  await world.check()
  expect(await world.app.info.update()).toMatchObject({ checkedAt: expect.any(String), newer: null, failure: null })
})

test('one check a day is made, also after a restart and by a clock that went back', async () => {
  await using world = await startAsking(() => Response.json(newest))
  await world.check()
  world.now.advance(DAY - 1)
  await world.check()
  expect(world.host.requests).toHaveLength(1)
  world.now.advance(1)
  await world.check()
  expect(world.host.requests).toHaveLength(2)
  world.now.advance(-2 * DAY)
  await world.check()
  expect(world.host.requests).toHaveLength(3)
})

test('a job makes the checks', async () => {
  await using world = await startAsking(() => Response.json(newest))
  await jobsOf(world.app.context)
    .find(({ name }) => name === 'check for a newer version')!
    .run()
  expect(world.host.requests).toHaveLength(1)
})

test('another address knows nothing of what the old one said', async () => {
  const folder = temporaryFolder()
  using host = startFeedHost()
  const start = (path: string) =>
    startTestApp({ folder, env: { UPDATE_CHECK_URL: host.on(path, () => Response.json(newest)) } })
  {
    await using app = await start('/one.json')
    await app.context.updates.checkIfDue()
  }
  await using app = await start('/two.json')
  expect(await app.info.update()).toMatchObject({ checkedAt: null, newer: null })
  await app.context.updates.checkIfDue()
  expect(await app.info.update()).toMatchObject({ newer: newest })
})

const failures: [string, Handler, object][] = [
  ['a refusal', () => new Response('busy', { status: 503 }), { reason: 'refused', status: 503 }],
  ['a page', () => new Response('<html>'), { reason: 'unreadable', status: null }],
  ['an endless answer', () => new Response(new Uint8Array(200_000)), { reason: 'unreadable', status: null }],
  [
    'a redirect to a forbidden address',
    () => Response.redirect('http://169.254.169.254/'),
    { reason: 'unreachable', status: null },
  ],
  ['a redirect in a circle', (_, url) => Response.redirect(url.href), { reason: 'unreachable', status: null }],
]

test.each(failures)('%s is noted as a failure, and the version that was found stays', async (_, handler, failure) => {
  let answer: Handler = () => Response.json(newest)
  await using world = await startAsking((request, url) => answer(request, url))
  await world.check()
  answer = handler
  world.now.advance(DAY)
  await world.check()
  expect(await world.app.info.update()).toMatchObject({ newer: newest, failure })
  // It is asked again on the next day only.
  const asked = world.host.requests.length
  await world.check()
  expect(world.host.requests).toHaveLength(asked)
})

test('a host that is gone is noted as a failure', async () => {
  await using world = await startAsking(() => Response.json(newest))
  world.host.stop()
  await world.check()
  expect(await world.app.info.update()).toMatchObject({
    newer: null,
    failure: { reason: 'unreachable', status: null },
  })
})

test('a server that stops does not wait for the answer, and notes nothing', async () => {
  const asked = Promise.withResolvers<void>()
  const never = Promise.withResolvers<Response>()
  using host = startFeedHost()
  const address = host.on('/newest.json', () => {
    asked.resolve()
    return never.promise
  })
  const app = await startTestApp({ env: { UPDATE_CHECK_URL: address } })
  const checking = app.context.updates.checkIfDue()
  await asked.promise
  await app[Symbol.asyncDispose]()
  await checking
})

test('only admins learn of it', async () => {
  using host = startFeedHost()
  const address = host.on('/newest.json', () => Response.json(newest))
  await using app = await startTestApp({ env: { ...withPasswords, UPDATE_CHECK_URL: address } })
  await app.context.updates.checkIfDue()
  const alice = await app.signUp('alice', 'uploader')
  expect(await refusal(alice.info.update())).toMatchObject({ status: 403, code: 'not-admin' })
  expect(await refusal(app.info.update())).toMatchObject({ status: 401 })
  expect(await app.as('root', 'Sup3rSecret').info.update()).toMatchObject({ newer: newest })
})
