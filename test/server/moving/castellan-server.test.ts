import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { goodPassword, refusal, startClock, startTestApp, withPasswords } from '../../support/app'
import { silentMp3 } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { reportOf } from '../../support/foreign/dump'
import { everythingIn, fillLibrary } from './full-library'
import { undoneOf } from './world'

const KEY = '0123456789abcdef0123456789abcdef'.split('').toReversed().join('')
const sound = silentMp3(2)
const files = ['Alpha/Ünïcode, one.mp3', 'Alpha/two.mp3']

/** Feeds of loopback are for admins. */
const startServer = async (role: 'user' | 'admin') => {
  const app = await startTestApp({ now: startClock(), env: withPasswords })
  app.prefill(0)
  return { app, alice: await app.signUp('alice', role) }
}

/** Two servers over loopback; the first has a full library of alice, and two files. */
async function startTwo() {
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
    alice: alice.row,
    async move({ password = KEY, user = 'alice', api = null as string | null, withFiles = true } = {}) {
      const login = { address, isAdmin: true, user, password }
      const move = await moves.startFromServer(newcomer.row, login, api, withFiles)
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
  for (const name of here) expect(readFileSync(join(to.context.config.podcastFolder, name))).toEqual(Buffer.from(sound))
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
