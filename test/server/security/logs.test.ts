import { expect, test } from 'bun:test'
import { createLog } from '../../../src/server/platform/log'
import { version } from '../../../src/server/platform/version'
import { basic, refusal, startTestApp, withPasswords } from '../../support/app'
import { rss, silentMp3 } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { startIssuer } from '../../support/issuer'
import { appOf } from '../../support/podcast-app'

test('L1: no password, key or token is in the database or in a log in clear, whatever goes wrong', async () => {
  using host = startFeedHost()
  using provider = await startIssuer()
  await using app = await startTestApp({ env: { ...withPasswords, ...provider.env, LOG_LEVEL: 'debug' } })
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  const alice = await app.signUp('alice')
  const apiKey = crypto.randomUUID().replaceAll('-', '')
  await alice.users.edit('alice', { apiKey })
  const { feedKey } = await alice.users.me()
  const started = await app.fetch('/api/v1/session', {
    method: 'POST',
    headers: { Authorization: alice.authorization! },
  })
  const token = started.headers.get('set-cookie')!.split(/[=;]/)[1]!
  const jwt = await provider.token()
  await app.withHeader(`Bearer ${jwt}`).users.me()
  const { cookie } = await appOf(app, 'alice').devices()

  // A feed with a password: added, read, moved, broken, and asked for its media.
  const file = host.file('/a.mp3', silentMp3(2))
  const address = host.feed('/feed.xml', rss({ items: [{ enclosure: file.replace('//', '//mara:M3diaSecret@') }] }))
  const podcast = await root.podcasts.add(address.replace('//', '//mara:F33dSecret@'))
  const { data } = await alice.podcasts.episodes(podcast.id, {}, null)
  await app.fetch(data[0]!.podcastEpisode.local_url.replace('http://localhost', ''))
  host.on('/feed.xml', () => new Response('nothing', { status: 500 }))
  await root.podcasts.refresh(podcast.id)
  await app.context.refresh.refresh(1)
  host.stop()
  await app.context.refresh.refresh(1)
  await refusal(root.podcasts.add('http://mara:An0therFeedSecret@no-such-host.invalid/'))
  // Guesses, and what comes by the wrong door.
  await refusal(app.as('root', 'Wr0ngGuess').users.me())
  await app.fetch(`/media/none?apiKey=${apiKey}`)
  await app.fetch(`/rss/apiKey/${apiKey}/none`)
  await app.fetch('/api/v1/login', {
    method: 'POST',
    body: `{"username":"root","password":"L0ginSecret`,
    headers: { 'Content-Type': 'application/json' },
  })
  await app.fetch('/api/v1/users/me', { headers: { Authorization: `Bearer ${jwt}x` } })
  // A bug of ours, with a request in it.
  app.context.log.error('unexpected error', {
    error: `Authorization: ${alice.authorization} http://u:F33dSecret@x/?apiKey=${apiKey}`,
  })

  const files = [...new Bun.Glob('castellan.db*').scanSync(app.folder)]
  expect(files.length).toBeGreaterThan(0)
  const database = await Promise.all(files.map(file => Bun.file(`${app.folder}/${file}`).text()))
  const everything = database.join('') + app.lines.join('\n')
  const secrets = [
    'Sup3rSecret',
    'Corr3ctHorse',
    'Wr0ngGuess',
    'F33dSecret',
    'An0therFeedSecret',
    'L0ginSecret',
    apiKey,
    feedKey!,
    token,
    cookie!,
    jwt.split('.')[2]!,
    basic('alice', 'Corr3ctHorse').slice(6),
    basic('mara', 'F33dSecret').slice(6),
  ]
  for (const secret of secrets) expect([secret, everything.includes(secret)]).toEqual([secret, false])
  // A credential that a feed publishes is no secret of ours, but does not belong in a log either.
  expect(app.lines.join('\n')).not.toContain('M3diaSecret')
})

test('L1: what looks like a credential is blotted out wherever it stands in an entry', () => {
  const lines: string[] = []
  const log = createLog('debug', 'text', line => lines.push(line))
  log.info('got http://mara:secret@pod.example/feed', {
    url: '/rss?apiKey=secret&x=1',
    path: '/rss/apiKey/secret/favorites',
    header: 'Authorization: Basic secret',
    token: '{"authorization":"Bearer secret"}',
    cookie: 'Cookie: castellan=secret; sessionid=secret',
  })
  expect(lines).toHaveLength(1)
  expect(lines[0]).not.toContain('secret')
})

test.each([
  ['a media key', 'GET /media/e1.mp3?mediaKey=SECRET HTTP/1.1', 'mediaKey=***'],
  ['a media key behind another value', 'http://pod.example/media/e1.mp3?x=1&mediaKey=SECRET&y=2', '&mediaKey=***&y=2'],
  ['a media key in a text', '{"address":"http://pod.example/media/e1.mp3?MEDIAKEY=SECRET","x":1}', '***","x":1}'],
  ['the page of a clip', 'GET https://pod.example/clip/SECRET', '/clip/***'],
  ['the sound of a clip', 'GET /castellan/clip/SECRET/audio?x=1', '/clip/***/audio?x=1'],
  ['a clip in a text', '{"url":"https://pod.example/clip/SECRET"}', '/clip/***"}'],
  ['a clip with a query', '/clip/SECRET?x=1', '/clip/***?x=1'],
  ['a play session', '/public/session/SECRET/track/1', '/public/session/***/track/1'],
  ['a token in an address', '/api/items/1/cover?width=1&token=SECRET&raw=1', '&token=***&raw=1'],
  ['a code of single sign-on', '/auth/openid/callback?code=SECRET&state=SECRET', '?code=***&state=***'],
  ['the proof of who began it', '/auth/openid/callback?code_verifier=SECRET', '?code_verifier=***'],
])('L1: an address that opens something is blotted out, and the rest of the entry stays: %s', (_, text, kept) => {
  const secret = 'Zm9nLWFuZC1sYW1wcw_-9'
  const said = text.replaceAll('SECRET', secret)
  for (const format of ['text', 'json'] as const) {
    const lines: string[] = []
    createLog('debug', format, line => lines.push(line)).warn(said, { error: said })
    expect(lines.join('')).not.toContain(secret)
    expect(lines.join('').replaceAll('\\"', '"')).toContain(kept)
  }
})

test('L2: one entry is one line, in both formats, whatever a feed or a name holds', () => {
  for (const format of ['text', 'json'] as const) {
    const lines: string[] = []
    const log = createLog('debug', format, line => lines.push(line))
    const forged = 'a\r\n2026-01-01T00:00:00.000Z error forged\u0085\u2028b\u0000\u001b[31mred\u001b[0m\u009b31m'
    log.info(forged, { title: forged })
    expect(lines).toHaveLength(1)
    expect(lines[0]).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/)
  }
})

test('L3: strangers do not learn the version: not from an answer, a header or an error', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const origin = app.listen()
  const found: string[] = []
  for (const { path } of app.app.routes) {
    const response = await fetch(`${origin}${path.replace(/:\w+/g, 'x').replace('*', 'x')}`)
    const all = `${JSON.stringify([...response.headers])} ${await response.text()}`
    if (all.includes(version) || /bun|elysia/i.test(JSON.stringify([...response.headers]))) found.push(path)
  }
  expect(found).toEqual([])
  expect(await app.as('root', 'Sup3rSecret').client.get('/info')).toMatchObject({ version })
})
