import { expect, test } from 'bun:test'
import { throttleLimits } from '../../../src/server/accounts/throttle'
import { filled, protectedRoutes } from '../../support/access'
import { basic, refusal, startClock, startTestApp, temporaryFolder, withPasswords } from '../../support/app'
import { startBucketLibrary } from '../../support/bucket-library'
import { rss, silentMp3 } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

const HOUR = 3_600_000
const mp3 = silentMp3(20)
/** Guesses are counted as ever, but nobody waits. */
const patient = { ...throttleLimits, firstPauseMs: 0, longestPauseMs: 0 }

/** A library with two episodes, one of them explicit, and a listener who may see both. */
async function startLibrary() {
  const host = startFeedHost()
  const now = startClock()
  const folder = temporaryFolder()
  const env = { ...withPasswords, ALLOWED_NETWORKS: '127.0.0.0/8', LOG_LEVEL: 'debug' }
  const app = await startTestApp({ env, now, folder, throttleLimits: patient })
  app.prefill(0)
  const items = ['Fog', 'Rain'].map(title => ({ title, enclosure: host.file(`/${title}.mp3`, mp3) }))
  const root = app.as('root', 'Sup3rSecret')
  const podcast = await root.podcasts.add(host.feed('/feed.xml', rss({ items })))
  const alice = await app.signUp('alice')
  const { data } = await alice.podcasts.episodes(podcast.id, {}, null)
  const [fog, rain] = data.map(row => row.podcastEpisode.episode_id) as [string, string]
  const get = (address: string, headers: Record<string, string> = {}, method = 'GET') =>
    app.fetch(address.replace('http://localhost', ''), { headers, method })
  return {
    app,
    host,
    now,
    root,
    podcast,
    alice,
    fog,
    rain,
    get,
    works: async (address: string) => (await get(address)).status === 200,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host.stop()
    },
  }
}

test('the address for a device plays its episode without a cookie, with ranges, downloaded or relayed', async () => {
  await using world = await startLibrary()
  const { app, root, alice, fog, get, now } = world
  const { address, expiresAt } = await alice.episodes.address(fog)
  expect(address).toStartWith(`http://localhost/media/${fog}.mp3?mediaKey=`)
  expect(Date.parse(expiresAt!)).toBe(now() + 6 * HOUR)
  const play = async () => {
    const part = await get(address, { Range: 'bytes=10-19' })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-19/${mp3.length}`])
    expect(Buffer.from(await part.arrayBuffer()).equals(mp3.subarray(10, 20))).toBe(true)
    const whole = await get(address)
    expect([whole.status, whole.headers.get('content-type'), whole.headers.get('referrer-policy')]).toEqual([
      200,
      'audio/mpeg',
      'same-origin',
    ])
    expect(Buffer.from(await whole.arrayBuffer()).equals(mp3)).toBe(true)
    const head = await get(address, {}, 'HEAD')
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(mp3.length)])
  }
  await play()
  await root.episodes.download(fog)
  await app.event('downloadFinished', () => true)
  await play()
})

test.each(['false', 'true'])('the address plays a file in a bucket, players being sent there: %s', async redirect => {
  await using library = await startBucketLibrary({ bytes: mp3 })
  await library.fill()
  library.hostGoesAway()
  await library.restart({ ...withPasswords, S3_REDIRECT: redirect })
  const { app, s3, now } = library
  const { address } = await app.as('root', 'Sup3rSecret').episodes.address(library.idOf())
  const ask = (more = '', headers: Record<string, string> = {}, method = 'GET') =>
    app.fetch(address.replace('http://localhost', '') + more, { headers, method })
  // A television follows a redirect as it is, with the range that it asks for.
  const play = async (headers: Record<string, string> = {}) => {
    const answer = await ask('', headers)
    if (redirect === 'false') return answer
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([302, 'private, no-store'])
    const location = answer.headers.get('location')!
    expect([location.startsWith(s3.endpoint), location.includes('mediaKey')]).toEqual([true, false])
    return fetch(location, { headers })
  }
  const part = await play({ Range: 'bytes=10-19' })
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-19/${mp3.length}`])
  expect(Buffer.from(await part.arrayBuffer()).equals(mp3.subarray(10, 20))).toBe(true)
  const whole = await play()
  expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'audio/mpeg'])
  expect(Buffer.from(await whole.arrayBuffer()).equals(mp3)).toBe(true)
  const head = await ask('', {}, 'HEAD')
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(mp3.length)])

  const others = s3.requests.length
  expect((await ask('x')).status).toBe(401)
  now.advance(6 * HOUR)
  expect([(await ask()).status, (await ask('', { Range: 'bytes=0-9' })).status]).toEqual([401, 401])
  expect(s3.requests.length).toBe(others)
})

test('T2: a media key opens nothing but the media of its episode, and changes nothing', async () => {
  await using world = await startLibrary()
  const { app, alice, fog, rain, get, works } = world
  const { address } = await alice.episodes.address(fog)
  const key = new URL(address).searchParams.get('mediaKey')!
  expect(await works(address)).toBe(true)
  expect((await get(address.replace(fog, rain))).status).toBe(401)
  expect((await get(`/media/${fog}?mediaKey=${key}`)).status).toBe(200)
  for (const { method, path } of protectedRoutes(app)) {
    if (path === '/media/:file' && method !== 'POST') continue
    const { status } = await app.fetch(`${filled(path)}?mediaKey=${key}`, { method })
    expect([method, path, status]).toEqual([method, path, 401])
  }
  // Neither another's cookie nor a password beside a wrong key helps: it was tried, and failed.
  const { authorization } = alice
  expect((await get(address.replace(fog, rain), { Authorization: authorization! })).status).toBe(401)
  for (const wrong of ['', 'x', key.slice(1), `${key}A`, `B${key.slice(1)}`, `${key.slice(0, -2)}AA`])
    expect([wrong, (await get(`/media/${fog}.mp3?mediaKey=${wrong}`)).status]).toEqual([wrong, 401])
})

test('a media key ends after six hours, also between two ranges of one file', async () => {
  await using world = await startLibrary()
  const { app, root, alice, fog, get, now } = world
  await root.episodes.download(fog)
  await app.event('downloadFinished', () => true)
  const { address } = await alice.episodes.address(fog)
  const range = async () => (await get(address, { Range: 'bytes=0-9' })).status
  expect([await range(), await range()]).toEqual([206, 206])
  now.advance(6 * HOUR - 1000)
  expect(await range()).toBe(206)
  now.advance(1000)
  expect([await range(), await range()]).toEqual([401, 401])
  expect(await world.works((await alice.episodes.address(fog)).address)).toBe(true)
})

test('a media key ends with the session that asked for it, a new password, another role, and its user', async () => {
  await using world = await startLibrary()
  const { app, root, alice, fog, works, get } = world
  const started = await app.fetch('/api/v1/session', {
    method: 'POST',
    headers: { Authorization: alice.authorization! },
  })
  const Cookie = started.headers.get('set-cookie')!.split(';')[0]!
  const asked = await get(`/api/v1/episodes/${fog}/address`, { Authorization: alice.authorization!, Cookie })
  const { address } = (await asked.json()) as { address: string }
  expect(await works(address)).toBe(true)
  await app.fetch('/api/v1/session', { method: 'DELETE', headers: { Authorization: alice.authorization!, Cookie } })
  expect(await works(address)).toBe(false)

  const first = await alice.episodes.address(fog)
  expect(await works(first.address)).toBe(true)
  await alice.users.edit('alice', { username: 'alice', password: 'Ano7herOne' })
  expect(await works(first.address)).toBe(false)
  const again = app.withHeader(basic('alice', 'Ano7herOne'))
  const second = await again.episodes.address(fog)
  await root.users.change('alice', { role: 'uploader' })
  expect(await works(second.address)).toBe(false)
  const third = await again.episodes.address(fog)
  expect(await works(third.address)).toBe(true)
  await root.users.remove('alice')
  expect(await works(third.address)).toBe(false)
})

test('a media key that an API key asked for ends when its user gets another, and is no wrong guess', async () => {
  await using world = await startLibrary()
  const { app, root, alice, fog, works, get } = world
  const newKey = () => crypto.randomUUID().replaceAll('-', '')
  const apiKey = newKey()
  await alice.users.edit('alice', { apiKey })
  const { address } = await app.withHeader(`Bearer ${apiKey}`).episodes.address(fog)
  const { address: other } = await root.episodes.address(fog)
  expect([await works(address), await works(other)]).toEqual([true, true])
  await alice.users.edit('alice', { apiKey: newKey() })
  expect([await works(address), await works(other)]).toEqual([false, true])
  for (let index = 0; index < 50; index++) expect((await get(address)).status).toBe(401)
  expect(await works((await alice.episodes.address(fog)).address)).toBe(true)
})

test('an episode that a listener may not see has no address, and one that is hidden later ends to play', async () => {
  await using world = await startLibrary()
  const { root, alice, fog, podcast, works } = world
  expect(await refusal(alice.episodes.address('none'))).toMatchObject({ code: 'episode-not-found' })
  const { address } = await alice.episodes.address(fog)
  expect(await works(address)).toBe(true)
  await root.podcasts.remove(podcast.id, false)
  expect(await works(address)).toBe(false)
})

test('many wrong media keys are refused for a while, and no key is in a log or the database', async () => {
  await using world = await startLibrary()
  const { app, alice, fog, get } = world
  const { address } = await alice.episodes.address(fog)
  const key = new URL(address).searchParams.get('mediaKey')!
  await get(address)
  const statuses = new Set<number>()
  for (let guess = 0; guess < 60; guess++)
    statuses.add((await get(`/media/${fog}.mp3?mediaKey=${String(guess).padStart(43, 'A')}`)).status)
  expect(statuses.has(429)).toBe(true)
  const files = [...new Bun.Glob('castellan.db*').scanSync(app.folder)]
  const database = await Promise.all(files.map(file => Bun.file(`${app.folder}/${file}`).text()))
  expect((database.join('') + app.lines.join('\n')).includes(key)).toBe(false)
})

test('in open mode the address needs no key', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const podcast = await app.podcasts.add(
    host.feed('/feed.xml', rss({ items: [{ enclosure: host.file('/a.mp3', mp3) }] })),
  )
  const [row] = (await app.podcasts.episodes(podcast.id, {}, null)).data
  const eid = row!.podcastEpisode.episode_id
  expect(await app.episodes.address(eid)).toEqual({ address: `http://localhost/media/${eid}.mp3`, expiresAt: null })
})
