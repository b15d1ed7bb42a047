import { expect, spyOn, test } from 'bun:test'
import { utimesSync, writeFileSync } from 'node:fs'
import { runUsersCommand } from '../../../src/server/cli/users'
import { newKey } from '../../support/access'
import { basic, startClock, startTestApp, withPasswords } from '../../support/app'
import { noise, rss } from '../../support/builders'
import { facts } from '../store/plant'
import { startFeedHost } from '../../support/feed-host'
import { cookieOf } from '../../support/sessions'

const bytes = noise(300_000) as Uint8Array<ArrayBuffer>
type Options = Parameters<typeof startTestApp>[0]

/**
 * An application with one episode that has a file, while nothing else is written and no time passes. `ask` requests a
 * range of it; `looks` counts how often it was looked up.
 */
async function withFile({ explicit = 0, ...options }: Options & { explicit?: number } = {}) {
  const host = startFeedHost()
  const app = await startTestApp({
    elapsed: startClock(),
    ...options,
  })
  const { store, files, admin } = app.context
  const feedUrl = host.feed('/feed.xml', rss({}))
  const podcast = store.podcasts.add({ title: 'A', folder: 'a', feedUrl, privacy: 1, userId: admin.id, now: 1 })
  const enclosure_url = host.file('/a.mp3', bytes)
  const id = store.episodes.add(podcast.id, facts('A', { enclosure_url, explicit }), 1, 1)
  await Bun.write(files.folder.pathOf('a/a.mp3'), bytes)
  store.episodes.keepFile(id, { path: 'a/a.mp3', size: bytes.length, type: 'audio/mpeg', now: 1, duration: null })
  const { eid } = store.episodes.find(id)!
  const looks = spyOn(store.episodes, 'requireMedia')
  const ask = (headers: Record<string, string> = {}, query = '', method = 'GET') =>
    app.fetch(`/media/${eid}.mp3${query}`, { method, headers: { Range: 'bytes=0-9', ...headers } })
  return {
    ...app,
    host,
    eid,
    ask,
    looks: () => looks.mock.calls.length,
    path: () => files.folder.pathOf(store.episodes.find(id)!.file_path!),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host[Symbol.dispose]()
    },
  }
}

const everythingOf = async (response: Response) => ({
  status: response.status,
  headers: Object.fromEntries(response.headers),
  body: Bun.hash(await response.arrayBuffer()),
})

test('a range from memory is what a look at the request answers', async () => {
  await using app = await withFile()
  const etag = (await app.ask()).headers.get('etag')!
  const modified = (await app.ask()).headers.get('last-modified')!
  const requests: [Record<string, string>, string?, string?][] = [
    [{}],
    [{ Range: 'bytes=1000-1999' }],
    [{ Range: 'bytes=-5' }],
    [{ Range: 'bytes=299990-' }],
    [{ Range: 'bytes=300000-' }],
    [{ Range: 'bytes=0-1,5-6' }],
    [{ Range: 'words=1-2' }],
    [{ 'If-Range': etag }],
    [{ 'If-Range': modified }],
    [{ 'If-Range': '"old"' }],
    [{ 'If-None-Match': etag }],
    [{ 'If-None-Match': '"old"' }],
    [{}, '?download=1'],
    [{ Range: 'bytes=5-' }, '', 'HEAD'],
  ]
  for (const request of requests) {
    app.context.store.settings.edit({ podcastPrefill: 1 })
    const before = app.looks()
    const first = await everythingOf(await app.ask(...request))
    expect([request, app.looks()]).toEqual([request, before + 1])
    expect(await everythingOf(await app.ask(...request))).toEqual(first)
    const isLookedAtAgain = first.status === 416 || request[2] === 'HEAD'
    expect([request, app.looks()]).toEqual([request, before + (isLookedAtAgain ? 2 : 1)])
  }
})

test.each<[string, (app: Awaited<ReturnType<typeof signedIn>>) => unknown]>([
  [
    'a session that ended',
    ({ app, alice, Cookie }) =>
      app.fetch('/api/v1/session', { method: 'DELETE', headers: { Cookie, Authorization: alice.authorization! } }),
  ],
  ['an account that was removed', ({ root }) => root.users.remove('alice')],
  ['a key that was replaced', ({ alice }) => alice.users.edit('alice', { apiKey: newKey() })],
  ['a key that was withdrawn', ({ alice }) => alice.users.removeApiKey()],
  ['a feed key that was renewed', ({ alice }) => alice.users.renewFeedKey()],
  ['a password that was changed', ({ alice }) => alice.users.edit('alice', { password: 'Ano7herOne' })],
  ['a listener who may not hear it any more', ({ root }) => root.users.change('alice', { explicitConsent: false })],
])('%s counts at once', async (_, withdraw) => {
  const world = await signedIn()
  await using app = world.app
  const before = await world.statuses()
  expect(before).toEqual([206, 206, 206, 206])
  // The first use of a key from an address is recorded, which is a change of the database.
  await world.statuses()
  const looks = app.looks()
  expect(await world.statuses()).toEqual(before)
  expect(app.looks()).toBe(looks)

  await withdraw(world)
  const remembered = await world.statuses()
  expect(remembered).not.toEqual(before)
  // Everybody else is still heard.
  expect((await app.ask({ Authorization: basic('root', 'Sup3rSecret') })).status).toBe(206)
  app.context.store.settings.edit({ podcastPrefill: 1 })
  expect(await world.statuses()).toEqual(remembered)
})

/** Somebody who may hear an explicit episode, and reads it in every way. */
async function signedIn() {
  const app = await withFile({ env: withPasswords, explicit: 1 })
  const alice = await app.signUp('alice', 'user', true)
  const headers = { Authorization: alice.authorization! }
  const started = await app.fetch('/api/v1/session', { method: 'POST', headers })
  const Cookie = started.headers.get('set-cookie')!.split(';')[0]!
  const apiKey = newKey()
  await alice.users.edit('alice', { apiKey })
  const feedKey = app.context.feedKeys.of(alice.row)
  const ways = [
    () => app.ask(headers),
    () => app.ask({ Cookie }),
    () => app.ask({}, `?apiKey=${apiKey}`),
    () => app.ask({}, `?apiKey=${feedKey}`),
  ]
  const statuses = async () => {
    const found: number[] = []
    for (const way of ways) found.push((await way()).status)
    return found
  }
  return { app, alice, root: app.as('root', 'Sup3rSecret'), Cookie, statuses }
}

test('what another process changed counts after a second', async () => {
  const elapsed = startClock()
  await using app = await withFile({ env: withPasswords, elapsed })
  const { authorization } = await app.signUp('alice')
  const headers = { Authorization: authorization! }
  expect((await app.ask(headers)).status).toBe(206)
  const terminal = { print: () => undefined, readPassword: async () => '' }
  await runUsersCommand(['remove', 'alice'], app.context.config, terminal)
  elapsed.advance(1000)
  expect((await app.ask(headers)).status).toBe(401)
})

test('a file that another process replaced is sent as it is after a second', async () => {
  const elapsed = startClock()
  await using app = await withFile({ elapsed })
  const etag = (await app.ask()).headers.get('etag')
  writeFileSync(app.path(), noise(400_000, 2))
  utimesSync(app.path(), 1, 1)
  elapsed.advance(1000)
  const { headers } = await app.ask()
  expect(headers.get('content-range')).toBe('bytes 0-9/400000')
  expect(headers.get('etag')).not.toBe(etag)
})

test('a file that is removed is relayed from then on, and one that comes in its place is sent', async () => {
  await using app = await withFile()
  await app.ask()
  await app.episodes.removeDownload(app.eid)
  const requests = app.host.requestsTo('/a.mp3').length
  expect((await app.ask()).status).toBe(206)
  expect(app.host.requestsTo('/a.mp3').length).toBe(requests + 1)

  app.host.file('/a.mp3', noise(350_000, 3))
  app.events.length = 0
  await app.episodes.download(app.eid)
  await app.event('downloadFinished')
  expect((await app.ask()).headers.get('content-range')).toBe('bytes 0-9/350000')
})

test('a file that moves is sent from its new place', async () => {
  await using app = await withFile()
  await app.ask()
  const { store, files } = app.context
  const { file_path } = store.episodes.find(1)!
  await files.folder.move(file_path!, 'elsewhere.mp3')
  expect((await app.ask()).status).toBe(206)
  expect(app.host.requestsTo('/a.mp3').length).toBe(1)
  store.episodes.moveFile(1, 'elsewhere.mp3')
  expect(await everythingOf(await app.ask())).toMatchObject({ status: 206 })
  expect(app.host.requestsTo('/a.mp3').length).toBe(1)
})

test('nobody gets what was remembered for another sender', async () => {
  const env = { REVERSE_PROXY: 'true', REVERSE_PROXY_HEADER: 'Remote-User', REVERSE_PROXY_AUTO_SIGN_UP: 'true' }
  await using app = await withFile({ env: { ...env, ADMINS: 'boss' }, explicit: 1 })
  const statusOf = async (headers: Record<string, string>) => (await app.ask(headers)).status
  expect(await statusOf({ 'Remote-User': 'boss' })).toBe(206)
  expect(await statusOf({ 'Remote-User': 'boss' })).toBe(206)
  expect(await statusOf({ 'Remote-User': 'mara' })).toBe(404)
  expect(await statusOf({ 'Remote-User': '' })).toBe(401)
  expect(await statusOf({})).toBe(401)
})

test('in open mode a foreign host is refused, however often ours was asked', async () => {
  await using app = await withFile()
  const statusOf = async (headers: Record<string, string>) => (await app.ask(headers)).status
  expect(await statusOf({ Host: 'localhost' })).toBe(206)
  expect(await statusOf({ Host: 'evil.example' })).toBe(403)
  expect(await statusOf({ Host: 'localhost', 'X-Forwarded-Host': 'evil.example' })).toBe(403)
  expect(await statusOf({ Host: 'localhost', Upgrade: 'websocket', Origin: 'https://evil.example' })).toBe(403)
})

test('a bounded number of requests is remembered, and none that is long', async () => {
  await using app = await withFile()
  const looksFor = async (query: string) => {
    const before = app.looks()
    expect((await app.ask({}, query)).status).toBe(206)
    return app.looks() - before
  }
  expect([await looksFor('?first'), await looksFor('?first')]).toEqual([1, 0])
  for (let number = 0; number < 256; number++) await looksFor(`?${number}`)
  expect(await looksFor('?first')).toBe(1)
  const long = `?${'x'.repeat(4096)}`
  expect([await looksFor(long), await looksFor(long)]).toEqual([1, 1])
})

test('a cookie and a header are part of what is remembered', async () => {
  await using app = await withFile({ env: withPasswords })
  const { authorization, row } = await app.signUp('alice')
  const Cookie = cookieOf(app, row)
  for (const headers of [{ Cookie }, { Authorization: authorization! }] as Record<string, string>[]) {
    expect((await app.ask(headers)).status).toBe(206)
    expect((await app.ask()).status).toBe(401)
  }
})

test('what is withdrawn while the disk is asked counts for the next request', async () => {
  await using app = await withFile({ env: withPasswords })
  const { authorization } = await app.signUp('alice')
  const { files, users } = app.context
  const { factsOf } = files.folder
  files.folder.factsOf = async path => {
    const facts = await factsOf(path)
    users.remove(users.requireUser('alice'))
    files.folder.factsOf = factsOf
    return facts
  }
  const headers = { Authorization: authorization! }
  expect((await app.ask(headers)).status).toBe(206)
  expect((await app.ask(headers)).status).toBe(401)
})

test('a file that is shorter than recorded is asked of its host every time', async () => {
  await using app = await withFile()
  writeFileSync(app.path(), bytes.slice(0, 100))
  await app.ask()
  await app.ask()
  expect(app.host.requestsTo('/a.mp3').length).toBe(2)
})
