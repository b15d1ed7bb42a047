import { expect, test } from 'bun:test'
import { refusal, startClock, startTestApp, withPasswords } from '../../support/app'
import { rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

test('an answer with keys in its addresses is cached for its own cookie alone', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const signedIn = await app.fetch('/api/v1/podcasts', {
    headers: { Authorization: app.as('root', 'Sup3rSecret').authorization! },
  })
  expect([signedIn.status, signedIn.headers.get('vary'), signedIn.headers.get('cache-control')]).toEqual([
    200,
    'Cookie, Accept-Encoding',
    'private, no-cache',
  ])
  await using open = await startTestApp()
  expect((await open.fetch('/api/v1/podcasts')).headers.get('vary')).toBe('Accept-Encoding')
  expect((await open.fetch('/api/v1/settings')).headers.get('cache-control')).toBe('no-store')
})

test('an answer of two kilobytes or more is compressed as the client accepts it', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const items = Array.from({ length: 200 }, () => ({ notes: 'Stories from the coast. '.repeat(80) }))
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ items })))
  const request = (path: string, accepted: string) =>
    app.fetch(`/api/v1${path}`, { headers: { 'Accept-Encoding': accepted } })
  const encodingOf = async (path: string, accepted: string) =>
    (await request(path, accepted)).headers.get('content-encoding')

  const small = `/podcasts/${podcast.id}/episodes?limit=20`
  const large = `/podcasts/${podcast.id}/episodes?limit=200`
  for (const path of [small, large]) {
    const plain = await (await request(path, 'identity')).text()
    const zipped = await (await request(path, 'gzip, deflate')).bytes()
    const zstandard = await (await request(path, 'gzip, br, zstd')).bytes()
    expect(zipped.length).toBeLessThan(plain.length / 4)
    expect(new TextDecoder().decode(Bun.gunzipSync(zipped as Uint8Array<ArrayBuffer>))).toBe(plain)
    expect(Bun.zstdDecompressSync(zstandard).toString()).toBe(plain)
  }
  expect(await encodingOf(small, 'zstd;q=0, gzip;q=0.5')).toBe('gzip')
  expect(await encodingOf(small, 'zstd;q=0.1, gzip')).toBe('gzip')
  expect(await encodingOf(small, 'gzip;q=0, br')).toBeNull()
  expect(await encodingOf('/tags', 'gzip, zstd')).toBeNull()
})

test('a list that a client has already is not sent again, until it changes', async () => {
  await using app = await startTestApp()
  const tag = await app.tags.create({ name: 'News', color: 'Green' })
  const etag = (await app.fetch('/api/v1/tags')).headers.get('etag')!
  const again = (known: string) => app.fetch('/api/v1/tags', { headers: { 'If-None-Match': known } })
  const known = await again(`"other", ${etag}`)
  expect([known.status, await known.text(), known.headers.get('etag')]).toEqual([304, '', etag])
  expect((await again('"other"')).status).toBe(200)
  await app.tags.edit(tag.id, { name: 'Daily', color: 'Green' })
  expect((await again(etag)).status).toBe(200)
})

test('a check of a feed without news leaves the lists as clients have them', async () => {
  using host = startFeedHost()
  const clock = startClock()
  await using app = await startTestApp({ now: clock })
  app.prefill(0)
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ items: [{}] })))
  const etags = () =>
    Promise.all(
      ['/podcasts', '/podcasts/timeline', '/podcasts/search'].map(async path =>
        (await app.fetch(`/api/v1${path}`)).headers.get('etag'),
      ),
    )
  const [before, checkedBefore] = [await etags(), await app.podcasts.checks()]
  clock.advance(86_400_000)
  await app.refreshDue()
  expect(await etags()).toEqual(before)
  const { last_checked_at, next_check_at } = await app.podcasts.find(podcast.id)
  expect(await app.podcasts.checks()).toEqual([{ id: podcast.id, last_checked_at, next_check_at }])
  expect(checkedBefore[0]!.last_checked_at).not.toBe(last_checked_at)
})

test('a file of an older interface is missing, and is no page', async () => {
  await using app = await startTestApp()
  for (const path of ['/ui/app-0123.js', '/ui/assets/app-0123.js', '/ui/podcasts/old.css'])
    expect((await app.fetch(path)).status).toBe(404)
  const page = await app.fetch('/ui/podcasts')
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
})

test('a cover is kept for ever under its own version, and under no other', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const image = host.file('/c.png', await Bun.file('src/ui/cover.png').bytes(), { type: 'image/png' })
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ image })))
  const { headers } = await app.fetch(`/covers/podcasts/${podcast.id}`)
  const version = headers.get('etag')!.slice(1, 13)
  const cached = async (query: string) =>
    (await app.fetch(`/covers/podcasts/${podcast.id}${query}`)).headers.get('cache-control')
  expect(await cached(`?v=${version}`)).toBe('private, max-age=31536000, immutable')
  expect([await cached('?v=000000000000'), await cached('')]).toEqual(['private, no-cache', 'private, no-cache'])
})

test('the list of downloads names a next page only if there is one', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  await app.downloads.pauseAll()
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ items: [{}, {}, {}] })))
  expect(await app.podcasts.downloadAll(podcast.id)).toMatchObject({ queued: 3 })
  const first = await app.downloads.page(null, 2)
  const second = await app.downloads.page(first.nextCursor, 2)
  expect([first.data.items.length, second.data.items.length, second.nextCursor]).toEqual([2, 1, null])
  expect((await app.downloads.page(null, 3)).nextCursor).toBeNull()
  const ids = [...first.data.items, ...second.data.items].map(({ id }) => id)
  expect(new Set(ids).size).toBe(3)
})

test('a user who may not add podcasts is refused before the list is read', async () => {
  using host = startFeedHost()
  const env = { ...withPasswords, ALLOWED_NETWORKS: '127.0.0.0/8', USER_PODCAST_LIMIT: '0' }
  await using app = await startTestApp({ env })
  const alice = await app.signUp('alice')
  const url = host.on('/list.opml', () => new Response('<opml version="2.0"><body/></opml>'))
  for (const path of ['/podcasts/opml', '/podcasts/opml/preview'])
    expect(await refusal(alice.client.post(path, { url }))).toMatchObject({ code: 'podcast-limit-reached' })
  expect(host.requestsTo('/list.opml')).toHaveLength(0)
})

test('a list of thousands is made in parts, and other requests are answered in between', async () => {
  await using app = await startTestApp()
  const { store } = app.context
  const { id: userId } = store.users.list()[0]!
  const add = (number: number) => {
    const feedUrl = `https://feeds.example/${number}.xml`
    store.podcasts.add({ title: `Show ${number}`, folder: `show-${number}`, feedUrl, privacy: 0, userId, now: 1 })
  }
  /** The titles in an answer, and how often something else had its turn until it came. */
  async function list() {
    let turns = 0
    let isOver = false
    const answer = app.fetch('/api/v1/podcasts').then(response => response.json() as Promise<{ name: string }[]>)
    void answer.then(() => (isOver = true))
    while (!isOver) {
      await new Promise(setImmediate)
      turns++
    }
    return { names: (await answer).map(({ name }) => name), turns }
  }
  for (let number = 0; number < 900; number++) add(number)
  const few = await list()
  for (let number = 900; number < 3_200; number++) add(number)
  const many = await list()
  expect(many.names).toEqual(Array.from({ length: 3_200 }, (_, number) => `Show ${number}`))
  expect(many.turns - few.turns).toBeGreaterThanOrEqual(6)
})
