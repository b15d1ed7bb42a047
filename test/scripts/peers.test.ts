import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { temporaryFolder } from '../support/app'
import { executable, startExecutable } from '../support/executable'
import { startFeedHost } from '../support/feed-host'

const small = ['feeds=3', 'episodes=80', 'turns=1', 'ms=20', 'ranges=50']

/** The rows of the tables that `bun run bench peers` prints: name, ours, theirs, ratio. */
async function comparePeers(...args: string[]) {
  const script = join(import.meta.dir, '../../scripts/bench/index.ts')
  const command = [process.execPath, script, 'peers', `castellan=${executable}`, ...args]
  const run = Bun.spawn(command, { stdout: 'pipe', stderr: 'pipe' })
  const [stdout, stderr] = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()])
  expect({ code: await run.exited, stderr }).toMatchObject({ code: 0 })
  const rows = stdout.split('\n').filter(line => line.startsWith('| '))
  return { stdout, rows: rows.map(line => line.slice(2, -2).split(' | ')) }
}

test('without a peer the bench says how to give one', async () => {
  const { stdout, rows } = await comparePeers()
  expect(stdout).toMatch(/^No peer is given: .+podfetch=http.+\n$/)
  expect(rows).toEqual([])
})

test('a server of the same API is measured as PodFetch, and is left as it was', async () => {
  await using peer = await startExecutable({
    DATA_DIRECTORY: join(temporaryFolder(), 'data'),
    ALLOWED_NETWORKS: '127.0.0.0/8',
    DISK_RESERVE: '0',
    BASIC_AUTH: 'true',
    USERNAME: 'root',
    PASSWORD: 'Sup3r:Secret',
  })
  const address = peer.origin.replace('//', '//root:Sup3r%3ASecret@')
  const { rows } = await comparePeers(`podfetch=${address}`, `podfetch.pid=${peer.process.pid}`, ...small)

  const [titles, , ...measured] = rows
  expect(titles).toEqual(['what', 'Castellan', 'PodFetch', 'PodFetch : Castellan'])
  for (const [name, ours, theirs] of measured) {
    expect({ name, ours }).toMatchObject({ ours: expect.stringMatching(/^\d/) })
    expect({ name, theirs }).toMatchObject({ theirs: expect.stringMatching(/^\d/) })
  }
  const names = measured.map(([name]) => name!.split(':')[0])
  expect([...new Set(names)]).toEqual([
    'import of feeds of 80 episodes',
    'timeline, 25 rows',
    'the list of all podcasts, 3 rows',
    'episodes of a podcast, 75 rows',
    'search, a word',
    'refresh of an unchanged feed',
    'a file of 64 MB, a range of 64 KB',
    'a file of 64 MB, whole',
    'memory after all this, at most',
  ])
  expect(names.length).toBeGreaterThan(15)

  const headers = { Authorization: `Basic ${btoa('root:Sup3r:Secret')}` }
  const left = async (path: string) => (await fetch(`${peer.origin}/api/v1${path}`, { headers })).json()
  expect(await left('/podcasts')).toEqual([])
  expect(await left('/settings')).toMatchObject({ podcastPrefill: 5, autoUpdate: true, autoDownload: true })
}, 120_000)

test('what a peer answers otherwise than expected is named in its row, and the rest is measured', async () => {
  using peer = startFeedHost()
  const asked: string[] = []
  peer.on('/login', async request => {
    asked.push(await request.text())
    return Response.json({ user: { accessToken: 'let-me-in' } })
  })
  const known = (answer: unknown) => (request: Request) =>
    request.headers.get('authorization') === 'Bearer let-me-in'
      ? Response.json(answer)
      : new Response('Unauthorized', { status: 401 })
  peer.on('/api/libraries', known({ libraries: [{ id: 'lib', mediaType: 'podcast', folders: [{ id: 'folder' }] }] }))
  const item = { id: 'one', media: { metadata: { feedUrl: 'https://pod.example/one.xml' } } }
  peer.on('/api/libraries/lib/items', known({ results: [item] }))
  peer.on('/api/libraries/lib/recent-episodes', known({ episodes: 'none' }))
  peer.on('/api/libraries/lib/search', known({ episodes: [] }))

  const { rows } = await comparePeers(`audiobookshelf=${peer.origin.replace('//', '//anna:secret@')}`, ...small)
  expect(asked).toEqual(['{"username":"anna","password":"secret"}'])
  const theirs = Object.fromEntries(rows.map(([name, , cell]) => [name, cell]))
  expect(theirs).toMatchObject({
    what: 'Audiobookshelf',
    'import of feeds of 80 episodes: ms each': 'not measured: POST /api/podcasts/opml/create answered 404',
    timeline: 'not measured: expected a list in episodes',
    'the list of all podcasts, 3 and 1 rows: p50, p99 ms': expect.stringMatching(/^\d/),
    'episodes of a podcast': 'not measured: nothing was imported',
    'search, a word: p50, p99 ms': expect.stringMatching(/^\d/),
    'refresh of an unchanged feed: ms each': 'not measured: nothing was imported',
    'a file of 64 MB': 'not measured: POST /api/podcasts/opml/create answered 404',
    'memory and processor time': 'not measured: the id of its process was not given',
  })
}, 120_000)

test('miniflux is asked by its own API, with a token, and loses only what was added', async () => {
  type Feed = { id: number; feed_url: string }
  const feeds: Feed[] = [{ id: 1, feed_url: 'https://known.example/feed.xml' }]
  const asked = new Set<string>()
  const entries = (count: number) => ({ total: 80 * feeds.length, entries: Array.from({ length: count }, () => ({})) })
  const answerOf: Record<string, (request: Request, id: number) => unknown> = {
    'GET /me': () => ({ id: 1 }),
    'GET /feeds': () => feeds,
    'GET /entries': request => entries(Number(new URL(request.url).searchParams.get('limit'))),
    'GET /feeds/ID/entries': () => entries(75),
    async 'POST /feeds'(request) {
      const { feed_url } = (await request.json()) as Feed
      await (await fetch(feed_url)).arrayBuffer()
      feeds.push({ id: feeds.length + 1, feed_url })
      return { feed_id: feeds.length }
    },
    async 'PUT /feeds/ID/refresh'(_, id) {
      await (await fetch(feeds.find(feed => feed.id === id)!.feed_url)).arrayBuffer()
    },
    'DELETE /feeds/ID'(_, id) {
      feeds.splice(
        feeds.findIndex(feed => feed.id === id),
        1,
      )
    },
  }
  using peer = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      if (request.headers.get('x-auth-token') !== 'let-me-in') return new Response('Unauthorized', { status: 401 })
      const path = new URL(request.url).pathname.slice('/v1'.length)
      const call = `${request.method} ${path.replace(/\d+/, 'ID')}`
      asked.add(call)
      const answer = await answerOf[call]!(request, Number(/\d+/.exec(path)?.[0]))
      return answer === undefined ? new Response(null, { status: 204 }) : Response.json(answer)
    },
  })

  // In place of its database: a process that rests, as the measurements wait for.
  await using database = Bun.spawn([process.execPath, '-e', 'setInterval(() => {}, 1e9)'])
  const own = `miniflux.pid=${process.pid},${database.pid}`
  const { rows } = await comparePeers(`miniflux=${peer.url.origin}`, 'miniflux.token=let-me-in', own, ...small)
  const theirs = Object.fromEntries(rows.map(([name, , cell]) => [name, cell]))
  expect(theirs['a file of 64 MB']).toBe('not measured: miniflux stores no files')
  for (const name of [
    'import of feeds of 80 episodes: CPU ms each',
    'timeline, 25 rows: CPU ms',
    'the list of all podcasts, 3 and 4 rows: CPU ms',
    'episodes of a podcast, 75 rows: CPU ms',
    'search, a word: CPU ms',
    'refresh of an unchanged feed: CPU ms each',
    'memory after all this, at most: MB',
  ])
    expect({ name, value: theirs[name] }).toMatchObject({ value: expect.stringMatching(/^\d/) })
  expect([...asked].toSorted()).toEqual(Object.keys(answerOf).toSorted())
  expect(feeds.map(({ feed_url }) => feed_url)).toEqual(['https://known.example/feed.xml'])
}, 120_000)

test('a peer that refuses the sign-in is named, and so is one that does not listen', async () => {
  using strict = startFeedHost()
  strict.on('/login', () => new Response('Unauthorized', { status: 401 }))
  const { rows } = await comparePeers(
    `audiobookshelf=${strict.origin.replace('//', '//anna:wrong@')}`,
    'podfetch=http://127.0.0.1:1',
    ...small,
  )
  const reasons = rows.filter(([what]) => what === 'everything').map(([, , reason]) => reason)
  expect(reasons).toEqual([expect.stringMatching(/^not measured: .+/), 'not measured: POST /login answered 401'])
}, 120_000)
