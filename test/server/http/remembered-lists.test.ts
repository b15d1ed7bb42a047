import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { basic, goodPassword, startClock, startTestApp, withPasswords } from '../../support/app'
import { rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { startRandom } from '../../support/random'
import { refresh } from '../../support/refreshing'
import { openBeside } from '../../support/other-writer'

const lists = [
  '/podcasts',
  '/podcasts/brief',
  '/podcasts/favored',
  '/podcasts/timeline?limit=2&tz=Europe/Berlin',
  '/podcasts/timeline?notListened=true',
  '/podcasts/episode/lastwatched',
  '/episodes/yours',
  '/tags',
  '/playlists',
  '/queue',
  '/notifications/unread',
  '/downloads',
]

/** Two accounts with a podcast of four episodes. `ask` asks for a list as a client does that keeps what it got. */
async function world() {
  const host = startFeedHost()
  const clock = startClock()
  const app = await startTestApp({ env: withPasswords, now: clock })
  app.prefill(0)
  const items = [0, 1, 2, 3].map(index => ({ guid: `g${index}`, title: `Part ${index}` }))
  const root = app.as('root', 'Sup3rSecret')
  const podcast = await root.podcasts.add(host.feed('/feed.xml', rss({ items })))
  const clients = [root, await app.signUp('alice')]
  const credentials = [basic('root', 'Sup3rSecret'), basic('alice', goodPassword)]
  const { data } = await clients[0]!.podcasts.episodes(podcast.id, {}, null)
  const had = new Map<string, { etag: string; body: string }>()

  async function ask(person: number, path: string, headers: Record<string, string> = {}) {
    const response = await app.fetch(`/api/v1${path}`, {
      headers: { Authorization: credentials[person]!, ...headers },
    })
    return { response, body: await response.text(), next: response.headers.get('x-next-cursor') }
  }
  return {
    host,
    clock,
    app,
    podcast,
    clients,
    episodes: data.map(({ podcastEpisode }) => podcastEpisode),
    items,
    ask,
    /** The list as a client has it after asking, and how it came. */
    async revalidate(person: number, path: string) {
      const key = `${person} ${path}`
      const before = had.get(key)
      const { response, body, next } = await ask(person, path, before ? { 'If-None-Match': before.etag } : {})
      if (response.status === 200) had.set(key, { etag: response.headers.get('etag')!, body })
      return { status: response.status, body: response.status === 304 ? before!.body : body, next }
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host.stop()
    },
  }
}

test('a list is never older than what was last written, whoever wrote it', async () => {
  await using here = await world()
  const { app, clients, podcast, episodes, clock, ask, revalidate } = here
  const random = startRandom(7)
  using others = openBeside(join(app.folder, 'castellan.db'))
  const eid = () => random.pick(episodes).episode_id
  const id = () => random.pick(episodes).id
  const acts: ((person: number) => Promise<unknown>)[] = [
    person => clients[person]!.playback.save({ podcastEpisodeId: eid(), time: random.below(600), total: 600 }),
    person => clients[person]!.podcasts.markListened(podcast.id, { finished: random.chance(50) }),
    async person => {
      await app.fetch(`/api/v1/queue/items`, {
        method: 'POST',
        headers: {
          Authorization: [basic('root', 'Sup3rSecret'), basic('alice', goodPassword)][person]!,
          'Content-Type': 'application/json',
        },
        body: JSON.stringify({ episode: id() }),
      })
    },
    async () => {
      here.items.unshift({ guid: `n${here.items.length}`, title: `Part ${here.items.length}` })
      here.host.feed('/feed.xml', rss({ items: here.items }))
      await refresh(app, podcast.id)
    },
    // Another process, such as the command line.
    async () => void others.run('UPDATE episode SET title = ? WHERE eid = ?', [`Title ${random.below(1000)}`, eid()]),
    // Time passes: what was published today becomes what was published yesterday.
    async () => clock.advance(random.pick([1000, 3_600_000, 86_400_000])),
    async () => undefined,
  ]
  let unchanged = 0
  for (let step = 0; step < 150; step++) {
    const person = random.below(2)
    const path = random.pick(lists)
    await revalidate(person, path)
    await random.pick(acts)(random.below(2))
    // Other addresses of the same list, which nobody remembers. The server may write between two answers.
    const other = (name: string) => ask(person, `${path}${path.includes('?') ? '&' : '?'}${name}=${step}`)
    const before = await other('before')
    const seen = await revalidate(person, path)
    const after = await other('after')
    const fresh = [before, after].map(({ body, next }) => JSON.stringify([path, body, next]))
    expect(fresh).toContain(JSON.stringify([path, seen.body, seen.next]))
    if (seen.status === 304) unchanged++
  }
  expect(unchanged).toBeGreaterThan(10)
})

test('a list that nobody changed is answered without a query, as 304 or as before', async () => {
  await using here = await world()
  const { query } = Database.prototype
  for (const path of lists.filter(path => path !== '/downloads')) {
    const first = await here.ask(1, path)
    const etag = first.response.headers.get('etag')!
    // After a minute it is forgotten. Then a client that has it asks first, and one that hasn't.
    here.clock.advance(60_000)
    await here.ask(1, path, { 'If-None-Match': etag })
    await here.ask(1, path)
    const asked: string[] = []
    Database.prototype.query = function (this: Database, sql: string) {
      asked.push(sql)
      return query.call(this, sql)
    } as typeof query
    const [again, known] = await Promise.all([here.ask(1, path), here.ask(1, path, { 'If-None-Match': etag })]).finally(
      () => (Database.prototype.query = query),
    )
    expect([path, again.body, again.next]).toEqual([path, first.body, first.next])
    expect([path, known.response.status, known.body]).toEqual([path, 304, ''])
    expect(asked.filter(sql => !/FROM user|data_version|session/.test(sql))).toEqual([])
  }
})

test('what one account is answered is nobody else’s, and each client gets the encoding that it reads', async () => {
  await using here = await world()
  const { app, clients, podcast, ask } = here
  await clients[1]!.podcasts.markListened(podcast.id, { finished: true })
  const unplayed = '/podcasts/timeline?notListened=true'
  for (let turn = 0; turn < 2; turn++) {
    expect(JSON.parse((await ask(0, unplayed)).body).totalElements).toBe(4)
    expect(JSON.parse((await ask(1, unplayed)).body).totalElements).toBe(0)
  }
  const whole = '/podcasts/timeline'
  for (const encoding of ['gzip', 'zstd', 'identity', 'gzip', 'zstd', 'identity']) {
    const { response } = await ask(0, whole, { 'Accept-Encoding': encoding })
    expect(response.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding)
  }
  const elsewhere = await app.fetch(`/api/v1${whole}`, {
    headers: { Authorization: basic('root', 'Sup3rSecret'), 'X-Forwarded-Host': 'other.example' },
  })
  expect(elsewhere.status).toBe(200)
})
