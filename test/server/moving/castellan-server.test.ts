import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { goodPassword, refusal, startClock, startTestApp, withPasswords } from '../../support/app'
import { silentMp3 } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { reportOf } from '../../support/foreign/dump'
import { everythingIn, fillLibrary } from './full-library'
import { undoneOf } from './world'

const KEY = '0123456789abcdef0123456789abcdef'.split('').toReversed().join('')
const small = silentMp3(2)
const files = ['Alpha/Ünïcode, one.mp3', 'Alpha/two.mp3']

/** Feeds of loopback are for admins. */
const startServer = async (role: 'user' | 'admin') => {
  const app = await startTestApp({ now: startClock(), env: withPasswords })
  app.prefill(0)
  return { app, alice: await app.signUp('alice', role) }
}

/** Two servers over loopback; the first has a full library of alice, and two files. */
async function startTwo(sound = small) {
  const host = startFeedHost()
  const { app: from, alice } = await startServer('user')
  const { idOf } = await fillLibrary(from, host, alice.row)
  const { store, config, subscribe, admin } = from.context
  for (const [index, path] of files.entries()) {
    mkdirSync(dirname(join(config.podcastFolder, path)), { recursive: true })
    writeFileSync(join(config.podcastFolder, path), sound)
    const facts = { path, size: sound.byteLength, type: 'audio/mpeg', now: 1, duration: null }
    store.episodes.keepFile(idOf(['a3', 'a5'][index]!), facts)
  }
  // Somebody else's.
  host.feed('/others.xml', `<rss version="2.0"><channel><title>Others</title></channel></rss>`)
  await subscribe(admin, `${host.origin}/others.xml`, { evenUnplayable: true, source: 'import' })
  await alice.users.edit('alice', { apiKey: KEY })
  const address = from.listen()
  const { app: to, alice: newcomer } = await startServer('admin')
  const { moves } = to.context
  return {
    host,
    from,
    to,
    address,
    alice: alice.row,
    newcomer,
    async move({ password = KEY, user = 'alice', api = null as string | null, withFiles = true } = {}) {
      const login = { address, isAdmin: true, user, password, from: api }
      const move = await moves.startFromServer(newcomer.row, login, withFiles)
      moves.resume()
      await moves.settled()
      return move
    },
    async undo(id: number) {
      moves.undo(newcomer.row, id)
      moves.resume()
      await moves.settled()
      await to.context.removals.run()
    },
    of: (app: typeof to) => linesOfAlice(everythingIn(app, host)),
    async [Symbol.asyncDispose]() {
      await to[Symbol.asyncDispose]()
      await from[Symbol.asyncDispose]()
      host.stop()
    },
  }
}

/** The lines that name alice, at any depth. */
const linesOfAlice = (dump: object): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries({ ...dump, ...(dump as { more: object }).more })
      .filter((entry): entry is [string, string[]] => Array.isArray(entry[1]))
      .map(([kind, lines]) => [kind, lines.filter(line => line.startsWith('alice'))]),
  )

const media = ({ context }: { context: { config: { podcastFolder: string } } }) =>
  readdirSync(context.config.podcastFolder, { recursive: true })
    .map(String)
    .filter(name => name.endsWith('.mp3'))

test('one person moves whole from a Castellan to another by an API key, with files, and all of it is undone', async () => {
  await using world = await startTwo()
  const { from, to } = world
  const empty = everythingIn(to, world.host)
  const before = everythingIn(from, world.host)
  const { id } = await world.move()
  expect(world.of(to)).toEqual(world.of(from))
  expect(world.of(to)).toMatchObject({ positions: { length: 4 }, playlists: { length: 3 } })
  expect(reportOf(to.folder).filter(line => line.startsWith('files'))).toEqual(['files taken: 2'])
  expect(to.context.store.podcasts.findByFeed(`${world.host.origin}/others.xml`)).toBeNull()
  const here = media(to)
  expect(here).toHaveLength(2)
  for (const name of here) expect(readFileSync(join(to.context.config.podcastFolder, name))).toEqual(Buffer.from(small))
  // Nothing of the way is left, and the other server has lost nothing.
  expect(existsSync(join(to.folder, 'moving')) ? readdirSync(join(to.folder, 'moving')) : []).toEqual([])
  expect(everythingIn(from, world.host)).toEqual(before)

  await world.undo(id)
  expect(undoneOf(to, id).filter(line => line.startsWith('files'))).toEqual(['files undone: 2'])
  expect(everythingIn(to, world.host)).toEqual(empty)
  expect(media(to)).toEqual([])
}, 120_000)

test('a password does as well as a key; a key of somebody else, and a wrong password, are refused with what to do', async () => {
  await using world = await startTwo()
  const refused = async (more: Parameters<typeof world.move>[0]) => ((await refusal(world.move(more))) as Error).message
  expect(await refused({ user: 'root' })).toContain('knows this as alice, not as root')
  expect(await refused({ password: 'Wr0ngOne' })).toContain('Use an API key of the account')
  await world.move({ password: goodPassword, withFiles: false })
  expect(world.of(world.to)).toEqual(world.of(world.from))
  expect(media(world.to)).toEqual([])
  expect(reportOf(world.to.folder)).toContain('files left-out no-folder: 2')
})

test('--from chooses among the APIs of a Castellan, and Audiobookshelf’s brings only what the person favours or played', async () => {
  await using world = await startTwo()
  const feedsHere = () => world.to.context.store.podcasts.listFor(world.to.context.admin).map(({ title }) => title)
  const { source } = await world.move({ api: 'gpodder-server', password: KEY, withFiles: false })
  expect(source).toBe('gpodder-server')
  expect(world.of(world.to)['favourites']).toEqual(world.of(world.from)['favourites'])
  const second = await world.move({ api: 'audiobookshelf-server', password: KEY, withFiles: false })
  expect(second.source).toBe('audiobookshelf-server')
  expect(world.of(world.to)['favourites']).toEqual(world.of(world.from)['favourites'])
  expect(feedsHere()).not.toContain('Others')
  expect(((await refusal(world.move({ api: 'gpodder-server' }))) as Error).message).toContain('Only another Castellan')
})

/** Passes every call on to a server, the files in pieces: each connection breaks after so many bytes. */
async function startCutting(address: string, bytes: number) {
  const ranges: string[] = []
  const server = createServer(async ({ url, headers }, response) => {
    const { host: _, ...rest } = headers as Record<string, string>
    const answer = await fetch(address + url!, { headers: rest })
    const body = await answer.bytes()
    const kept = ['content-type', 'content-range', 'etag'].filter(name => answer.headers.has(name))
    response.setHeader('Content-Length', body.length)
    response.writeHead(answer.status, Object.fromEntries(kept.map(name => [name, answer.headers.get(name)!])))
    if (!url!.startsWith('/media/')) return response.end(body)
    ranges.push(headers.range ?? 'all')
    if (body.length <= bytes) return response.end(body)
    response.write(body.subarray(0, bytes), () => response.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { origin: `http://127.0.0.1:${port}`, ranges, [Symbol.dispose]: stop }
}

const settle = async ({ context: { moves } }: Awaited<ReturnType<typeof startTestApp>>) => {
  moves.resume()
  await moves.settled()
}

test('the page moves somebody in by address: tried out first, with files by choice, and undone', async () => {
  await using world = await startTwo()
  const { to, from, newcomer, address } = world
  const empty = everythingIn(to, world.host)
  const server = { address: `${address}/`, user: 'alice', password: KEY }
  const { id } = await newcomer.moves.start({ server })
  await settle(to)
  const ready = await newcomer.moves.get(id)
  expect(ready).toMatchObject({ state: 'ready', file: new URL(address).host, sendsFiles: true, begun: false })
  const filesIn = ({ counts }: typeof ready) => counts.find(({ kind }) => kind === 'files')
  expect(filesIn(ready)).toMatchObject({ taken: 0, leftOut: 2, reasons: [{ reason: 'no-folder', total: 2 }] })
  expect(everythingIn(to, world.host)).toEqual(empty)

  await newcomer.moves.choose(id, { withPeople: false, fetchFiles: true, files: null })
  await settle(to)
  expect(filesIn(await newcomer.moves.get(id))).toMatchObject({ taken: 2, leftOut: 0 })
  expect(media(to)).toEqual([])
  await newcomer.moves.begin(id)
  await settle(to)
  const done = await newcomer.moves.get(id)
  expect(done).toMatchObject({ state: 'done', sendsFiles: false, options: { fetchFiles: true } })
  expect(filesIn(done)).toMatchObject({ taken: 2, leftOut: 0 })
  expect(world.of(to)).toEqual(world.of(from))
  expect(media(to)).toHaveLength(2)
  await newcomer.moves.undo(id)
  await settle(to)
  await to.context.removals.run()
  expect(everythingIn(to, world.host)).toEqual(empty)
  expect(media(to)).toEqual([])
}, 120_000)

test('a wrong password, an address of the own network, and files of a server that has none, say what to do', async () => {
  await using world = await startTwo()
  const { to, newcomer, address } = world
  const plain = await to.signUp('bert', 'user')
  const tell = async (moves: typeof newcomer.moves, server: { address: string; user: string; password: string }) => {
    const { id } = await moves.start({ server })
    await settle(to)
    return moves.get(id)
  }
  const wrong = await tell(newcomer.moves, { address, user: 'alice', password: 'Wr0ngOne' })
  expect(wrong).toMatchObject({ state: 'failed', sendsFiles: false, message: expect.stringContaining('API key') })
  const near = await tell(plain.moves, { address, user: 'alice', password: KEY })
  expect(near).toMatchObject({ state: 'failed', message: expect.stringContaining('may not be reached') })
  const sent = world.host.requests.length
  const none = await tell(newcomer.moves, { address: world.host.origin, user: 'alice', password: KEY })
  expect([none.state, world.host.requests.length > sent]).toEqual(['failed', true])
  // Nothing keeps a password that isn't needed.
  for (const { id } of [newcomer.row, plain.row])
    for (const { server } of to.context.store.moves.listFor(id)) expect(server).toBeNull()
  const { id } = await newcomer.moves.start({ server: { address, user: 'alice', password: KEY } })
  await settle(to)
  await newcomer.moves.begin(id)
  expect((await newcomer.moves.get(id)).sendsFiles).toBe(false)
}, 120_000)

test('a file whose connection breaks again and again continues where it ended', async () => {
  const large = new Uint8Array(1_000_000)
  large.set(silentMp3(20))
  await using world = await startTwo(large)
  using cutting = await startCutting(world.address, 300_000)
  const { id } = await world.newcomer.moves.start({
    server: { address: cutting.origin, user: 'alice', password: KEY },
  })
  await settle(world.to)
  await world.newcomer.moves.choose(id, { withPeople: false, fetchFiles: true, files: null })
  await settle(world.to)
  await world.newcomer.moves.begin(id)
  await settle(world.to)
  // Bytes on their way when the connection breaks may or may not arrive.
  const places = cutting.ranges.map(range => (range === 'all' ? 0 : Number(/^bytes=(\d+)-$/.exec(range)![1])))
  expect(places.filter(place => place === 0)).toHaveLength(2)
  const second = places.lastIndexOf(0)
  for (const own of [places.slice(0, second), places.slice(second)]) {
    expect(own).toEqual(own.toSorted((a, b) => a - b))
    expect(own.length).toBeGreaterThanOrEqual(4)
  }
  const here = media(world.to)
  expect(here).toHaveLength(2)
  for (const name of here)
    expect(Bun.hash(readFileSync(join(world.to.context.config.podcastFolder, name)))).toBe(Bun.hash(large))
}, 120_000)
