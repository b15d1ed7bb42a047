import { expect, test } from 'bun:test'
import { basic, goodPassword, refusal, startTestApp, withPasswords, type TestApp } from '../../support/app'
import { rss, silentMp3 } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { appOf } from '../../support/podcast-app'
import { connect, handshake } from '../../support/socket'

const newKey = () => crypto.randomUUID().replaceAll('-', '')

/** A library of one downloadable episode, and alice who listens. */
async function plant(app: TestApp) {
  const host = startFeedHost()
  app.prefill(0)
  const feed = rss({ items: [{ enclosure: host.file('/a.mp3', silentMp3(2)) }] })
  const podcast = await app.as('root', 'Sup3rSecret').podcasts.add(host.feed('/feed.xml', feed))
  const alice = await app.signUp('alice')
  const [first] = (await alice.podcasts.episodes(podcast.id, {}, null)).data
  const bare = (address: string) => address.replace('http://localhost', '').replace(/\?apiKey=\w+$/, '')
  return { host, podcast, alice, episode: first!.podcastEpisode, bare }
}

test('addresses of media and covers carry the feed key, and play as they stand', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { host, alice, podcast, episode } = await plant(app)
  using _ = host
  const { feedKey } = await alice.users.me()
  const mine = await alice.podcasts.find(podcast.id)
  expect(episode.local_url).toEndWith(`?apiKey=${feedKey}`)
  expect(mine.image_url).toEndWith(`?apiKey=${feedKey}`)
  expect(mine.podfetch_feed).toBe(`http://localhost/rss/apiKey/${feedKey}/${podcast.id}`)
  for (const address of [episode.local_url, mine.image_url, episode.local_image_url])
    expect((await app.fetch(address.replace('http://localhost', ''))).status).toBe(200)
})

test('a request that bears the session cookie gets bare addresses', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { host, alice, bare, episode } = await plant(app)
  using _ = host
  const headers = { Authorization: alice.authorization! }
  const started = await app.fetch('/api/v1/session', { method: 'POST', headers })
  const cookie = started.headers.get('set-cookie')!
  expect(cookie).toMatch(/^castellan=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/)
  const Cookie = cookie.split(';')[0]!
  const answer = await app.fetch(`/api/v1/episodes/${episode.episode_id}`, { headers: { ...headers, Cookie } })
  expect(await answer.text()).not.toContain('apiKey=')
  expect(answer.headers.get('vary')).toBe('Cookie, Accept-Encoding')
  expect((await app.fetch(bare(episode.local_url), { headers: { Cookie } })).status).toBe(200)
  // The cookie reads media and nothing else.
  expect((await app.fetch('/api/v1/podcasts', { headers: { Cookie } })).status).toBe(401)
  expect((await app.fetch('/api/v1/users/me', { headers: { Cookie } })).status).toBe(401)

  await app.fetch('/api/v1/session', { method: 'DELETE', headers: { ...headers, Cookie } })
  expect((await app.fetch(bare(episode.local_url), { headers: { Cookie } })).status).toBe(401)
})

test('the cookie lasts thirty days where somebody wants to be remembered, and is secure under https', async () => {
  await using app = await startTestApp({ env: { ...withPasswords, SUB_DIRECTORY: '/pod' } })
  const login = await app.fetch('/api/v1/login', {
    method: 'POST',
    body: JSON.stringify({ username: 'root', password: 'Sup3rSecret', remember: true }),
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-Proto': 'https' },
  })
  expect(login.headers.get('set-cookie')).toMatch(/; Path=\/pod\/; Secure; Max-Age=2592000$/)
})

test('A5: a sign-in rotates the session, and a new password, role or deletion ends it', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { host, bare, episode } = await plant(app)
  using _ = host
  const media = bare(episode.local_url)
  const root = app.as('root', 'Sup3rSecret')
  const signIn = async (password: string, Cookie = '') => {
    const answer = await app.fetch('/api/v1/login', {
      method: 'POST',
      body: JSON.stringify({ username: 'bob', password }),
      headers: { 'Content-Type': 'application/json', Cookie },
    })
    return answer.headers.get('set-cookie')!.split(';')[0]!
  }
  const works = async (Cookie: string) => (await app.fetch(media, { headers: { Cookie } })).status === 200

  const bob = await app.signUp('bob')
  const first = await signIn(goodPassword)
  const second = await signIn(goodPassword, first)
  expect([await works(first), await works(second)]).toEqual([false, true])

  await root.users.change('bob', { role: 'uploader' })
  expect(await works(second)).toBe(false)
  const third = await signIn(goodPassword)
  await bob.users.edit('bob', { username: 'bob', password: 'Ano7herOne' })
  expect(await works(third)).toBe(false)
  const fourth = await signIn('Ano7herOne')
  await root.users.remove('bob')
  expect(await works(fourth)).toBe(false)
})

test('a renewed feed key ends the old addresses', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { host, alice, episode } = await plant(app)
  using _ = host
  const old = episode.local_url.replace('http://localhost', '')
  const { feedKey } = await alice.users.renewFeedKey()
  expect((await app.fetch(old)).status).toBe(401)
  expect((await app.fetch(old.replace(/\w+$/, feedKey))).status).toBe(200)
  expect((await alice.users.me()).feedKey).toBe(feedKey)
})

test('T1: the feed key allows reading, and nothing else', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { host, alice, episode } = await plant(app)
  using _ = host
  const { feedKey } = await alice.users.me()
  expect((await app.fetch(`/api/v1/podcasts?apiKey=${feedKey}`)).status).toBe(401)
  expect((await app.fetch('/api/v1/podcasts', { headers: { Authorization: `Bearer ${feedKey}` } })).status).toBe(401)
  expect(await handshake(app.listen(), { Origin: 'http://localhost' })).toBe(403)
  for (const key of ['', 'null', 'undefined', '0'.repeat(32), feedKey!.slice(0, -1), 'x'])
    expect((await app.fetch(`/media/${episode.episode_id}?apiKey=${key}`)).status).toBe(401)
})

test('an API key has the rights of its user, is shown once, and is replaced by the next', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { host, alice, bare, episode } = await plant(app)
  using _ = host
  const apiKey = newKey()
  expect(await alice.users.edit('alice', { apiKey })).toMatchObject({ apiKey, apiKeySet: true })
  expect(await alice.users.me()).toMatchObject({ apiKey: null, apiKeySet: true })
  const bearer = app.withHeader(`Bearer ${apiKey}`)
  expect(await bearer.users.me()).toMatchObject({ username: 'alice' })
  expect(await refusal(bearer.users.list())).toMatchObject({ status: 403, code: 'not-admin' })

  const media = bare(episode.local_url)
  expect((await app.fetch(`${media}?apiKey=${apiKey}`)).status).toBe(200)
  expect((await app.fetch(media, { headers: { Authorization: basic('alice', apiKey) } })).status).toBe(200)
  expect((await app.fetch(media, { headers: { Authorization: basic('root', apiKey) } })).status).toBe(401)
  expect(await refusal(app.as('alice', apiKey).users.me())).toMatchObject({ status: 401 })

  await alice.users.edit('alice', { apiKey: newKey() })
  expect(await refusal(bearer.users.me())).toMatchObject({ status: 401 })
})

/** Begins what an API key or a password begins; `works` tells which of it still does. */
async function begin(app: TestApp, name: string, authorization: string, shown: string) {
  const started = await app.fetch('/api/v1/session', { method: 'POST', headers: { Authorization: authorization } })
  const Cookie = started.headers.get('set-cookie')!.split(';')[0]!
  const { cookie } = await appOf(app, name, shown).devices()
  return {
    Cookie,
    async works(server = app) {
      const opens = async (path: string, Cookie: string) =>
        (await server.fetch(path, { headers: { Cookie } })).status !== 401
      return [
        await opens('/covers/podcasts/x', Cookie),
        await opens(`/api/2/devices/${name}.json`, `sessionid=${cookie}`),
      ]
    },
  }
}

test.each(['renewed', 'taken away'])('what an API key has begun ends when it is %s, and nothing else', async how => {
  await using app = await startTestApp({ env: withPasswords })
  const origin = app.listen()
  const alice = await app.signUp('alice')
  const apiKey = newKey()
  await alice.users.edit('alice', { apiKey })
  const byKey = await begin(app, 'alice', `Bearer ${apiKey}`, apiKey)
  const byPassword = await begin(app, 'alice', alice.authorization!, goodPassword)
  const byHeader = await connect(origin, { Authorization: `Bearer ${apiKey}` })
  const byCookie = await connect(origin, { Cookie: byKey.Cookie, Origin: origin })
  expect(await byKey.works()).toEqual([true, true])
  if (how === 'renewed') await alice.users.edit('alice', { apiKey: newKey() })
  else await alice.users.removeApiKey()
  expect(await byKey.works()).toEqual([false, false])
  expect(await byPassword.works()).toEqual([true, true])
  expect([await byHeader.closed, await byCookie.closed]).toEqual([4401, 4401])
})

test('what the API key of the configuration has begun ends when the configuration names another', async () => {
  const apiKey = newKey()
  const env = { ...withPasswords, API_KEY: apiKey }
  await using app = await startTestApp({ env })
  // Storing the configured password, which a sign-in by password waits for, ends earlier sign-ins.
  await app.as('root', 'Sup3rSecret').users.me()
  const begun = await begin(app, 'root', `Bearer ${apiKey}`, apiKey)
  await using again = await startTestApp({ env, folder: app.folder })
  expect(await begun.works(again)).toEqual([true, true])
  await using changed = await startTestApp({ env: { ...env, API_KEY: newKey() }, folder: app.folder })
  expect(await begun.works(changed)).toEqual([false, false])
})

test('A6: a key that was not drawn by chance, or that is one already, is refused', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const alice = await app.signUp('alice')
  const bob = await app.signUp('bob')
  const taken = newKey()
  await bob.users.edit('bob', { apiKey: taken })
  for (const apiKey of ['short', '0'.repeat(32), '1234'.repeat(8), `${newKey()}0`, 'g'.repeat(32), taken])
    expect(await refusal(alice.users.edit('alice', { apiKey }))).toMatchObject({
      status: 422,
      code: 'invalid-field',
      args: { field: 'apiKey' },
    })
})

test('the API key of the configuration is its admin, for as long as it stands there', async () => {
  const apiKey = newKey()
  await using app = await startTestApp({ env: { ...withPasswords, API_KEY: apiKey } })
  expect(await app.withHeader(`Bearer ${apiKey}`).users.me()).toMatchObject({ username: 'root' })
  await using without = await startTestApp({ env: withPasswords, folder: app.folder })
  expect(await refusal(without.withHeader(`Bearer ${apiKey}`).users.me())).toMatchObject({ status: 401 })
})

test('old addresses of players lead to the media, with the key they came with', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { host, alice, episode } = await plant(app)
  using _ = host
  const { feedKey } = await alice.users.me()
  for (const address of [
    `/proxy/podcast?episodeId=${episode.episode_id}&apiKey=${feedKey}`,
    `/proxy/podcast/apiKey/${feedKey}?episodeId=${episode.episode_id}`,
  ]) {
    const answer = await app.fetch(address)
    expect(answer.status).toBe(308)
    expect((await app.fetch(answer.headers.get('location')!.replace('http://localhost', ''))).status).toBe(200)
  }
})
