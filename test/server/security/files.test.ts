import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { startTestApp, temporaryFolder, withPasswords, type TestApp } from '../../support/app'
import { rss, silentMp3 } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

const ways = [
  '../secret.key',
  '../../secret.key',
  '..%2fsecret.key',
  '..%2f..%2fsecret.key',
  '%2e%2e/secret.key',
  '%2e%2e%2fsecret.key',
  '%252e%252e%252fsecret.key',
  '..%5csecret.key',
  '..\\secret.key',
  '....//secret.key',
  '..%c0%afsecret.key',
  '..;/secret.key',
  '/etc/passwd',
  '%2fetc%2fpasswd',
  'file:%2f%2f%2fetc%2fpasswd',
  'x%00.png',
  '%00',
  'secret.key%00.mp3',
  '.',
  '..',
  '%2e',
  '.%2f',
  'castellan.db',
  '.env',
  'CON',
  'x'.repeat(5000),
  '%f0%9f%92%a9',
  '%ff%fe',
  '~root',
  '$HOME',
  '`id`',
  'castellan-manual-20260101T000000Z.db%2f..%2f..%2fsecret.key',
]

/** Every route that answers with a file, or that names one. */
const fileRoutes = (app: TestApp) =>
  app.app.routes.filter(
    ({ method, path }) =>
      method === 'GET' &&
      /\/(ui|media|covers|rss|backups|proxy|api\/2|subscriptions|opml)\b/.test(path) &&
      /[:*]/.test(path),
  )

test('P1: no file is reached by a name that leads elsewhere, by any route', async () => {
  await using app = await startTestApp()
  const routes = fileRoutes(app)
  expect(routes.length).toBeGreaterThan(15)
  const { hostname, port } = new URL(app.listen())
  const secret = Buffer.from(await Bun.file(`${app.folder}/secret.key`).bytes()).toString('latin1')
  const wrong: string[] = []
  await Promise.all(
    routes.flatMap(({ path }) =>
      ways.map(async way => {
        // Sent as it is: `fetch` would normalise it.
        const [status, text] = await rawGet(hostname, Number(port), path.replace(/:\w+|\*/g, way))
        const isTold = text.includes(secret) || /root:.*:0:0:|SQLite format/.test(text)
        // Dots that lead to another address of ours lead to what anybody finds there; a key in the address means
        // nothing here.
        const isRefused = [400, 404, 405, 422, 431].includes(status) || /^[./%2e]+$/.test(way) || path.includes(':key')
        const isElsewhere =
          text.includes('<!doctype html>') || path === '/ui/*' || (status === 308 && path.startsWith('/proxy'))
        if (isTold || status >= 500 || !(isRefused || isElsewhere)) wrong.push(`${path} ${way.slice(0, 60)}: ${status}`)
      }),
    ),
  )
  expect(wrong).toEqual([])
})

async function rawGet(hostname: string, port: number, target: string): Promise<[number, string]> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const parts: Buffer[] = []
  const connection = await Bun.connect({
    hostname,
    port,
    socket: {
      data: (_, bytes) => void parts.push(Buffer.from(bytes)),
      close: () => resolve(Buffer.concat(parts).toString('latin1')),
    },
  })
  connection.write(`GET ${target} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: close\r\n\r\n`)
  const text = await promise
  return [Number(/^HTTP\/1.1 (\d+)/.exec(text)?.[1] ?? 400), text]
}

test('P1: a language is a short tag, and never a path', async () => {
  await using app = await startTestApp()
  for (const language of ['../../secret.key', '/etc/passwd', 'x'.repeat(500)])
    expect(
      (
        await app.fetch('/api/v1/users/me/locale', {
          method: 'PUT',
          body: JSON.stringify({ language }),
          headers: { 'Content-Type': 'application/json' },
        })
      ).status,
    ).toBe(422)
  const page = await (await app.fetch('/ui/?lng=../../secret')).text()
  expect(page).not.toContain('secret')
})

test('P2: whatever a feed, a format or a name says, files lie below the media folder, and none is written elsewhere', async () => {
  using host = startFeedHost()
  const folder = temporaryFolder()
  const media = `${folder}/media`
  await using app = await startTestApp({ folder: `${folder}/data`, env: { PODCAST_DIRECTORY: media } })
  app.prefill(20)
  const names = [
    '../../../evil',
    '/etc/evil',
    '..',
    '.',
    '~/evil',
    'a/../../evil',
    'a\\..\\..\\evil',
    '\u0000evil',
    'con',
    '-rf',
    '--help',
    '$(touch evil)',
    '`touch evil`',
    '|touch evil',
    '.hidden',
    'x'.repeat(3000),
    '💩'.repeat(300),
    '\u202egnp.exe',
    ' ',
    'evil\n/etc/evil',
  ]
  const { settings } = app.context.store
  const file = silentMp3(2)
  for (const [index, edit] of [
    { useExistingFilename: true },
    { useExistingFilename: false, episodeFormat: '../../{title}/../{title}', podcastFormat: '../{podcastTitle}/..' },
    { directPaths: true, replaceInvalidCharacters: false },
  ].entries()) {
    settings.edit(edit as never)
    const items = names.map((title, place) => ({
      title,
      guid: `${index}-${title}`,
      enclosure: host.file(`/${index}/${place}/%2e%2e%2f%2e%2e%2fevil${place}.mp3`, file),
    }))
    await app.podcasts.add(host.feed(`/${index}.xml`, rss({ title: names[index]!, items })))
  }
  await app.context.downloads.settled()
  const files = readdirSync(media, { recursive: true })
    .map(String)
    .filter(path => path.endsWith('.mp3'))
  expect(files.length).toBeGreaterThan(30)
  expect(readdirSync(folder).toSorted()).toEqual(['data', 'media'])
  expect(existsSync('/etc/evil') || existsSync('/evil')).toBe(false)
  for (const path of files) {
    expect(path.split('/').filter(part => /^(\.\.?|)$/.test(part) || /[\u0000-\u001f\\\u202e]/.test(part))).toEqual([])
    for (const part of path.split('/')) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(255)
  }
})

test('P2: no client names a path: what looks like one in a body is ignored or refused', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const root = app.as('root', 'Sup3rSecret')
  const before = JSON.stringify(app.context.config)
  await root.client.put('/settings', {
    podcastFolder: '/etc',
    dataFolder: '/etc',
    PODCAST_DIRECTORY: '/etc',
    folder: '/etc',
  })
  expect(JSON.stringify(app.context.config)).toBe(before)
  expect(() => app.context.files.folder.pathOf('../secret.key')).toThrow()
  expect(() => app.context.files.folder.pathOf('/etc/passwd')).toThrow()
})

test('P2: a folder of the media that somebody put elsewhere is his own doing, one of the backups is not followed', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const folder = `${app.folder}/backups`
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${app.folder}/elsewhere`, 'elsewhere')
  symlinkSync(`${app.folder}/elsewhere`, `${folder}/elsewhere.db`)
  const headers = { Authorization: app.as('root', 'Sup3rSecret').authorization! }
  expect((await app.fetch('/api/v1/backups/elsewhere.db', { headers })).status).toBe(404)
})

test('P3: the server starts no program but itself, so no name is ever read by a shell', async () => {
  const found: string[] = []
  for (const path of new Bun.Glob('src/**/*.{ts,tsx}').scanSync('.'))
    if (
      /child_process|Bun\.spawn|Bun\.\$|\bspawnSync\b|\bexecSync\b|\beval\(|new Function\(/.test(
        await Bun.file(path).text(),
      )
    )
      found.push(path)
  expect(found).toEqual(['src/server/thread/child.ts'])
  const child = await Bun.file(found[0]!).text()
  expect(child.match(/Bun\.spawn\((.*)/g)).toHaveLength(1)
  expect(child).not.toMatch(/child_process|Bun\.\$|spawnSync|shell/)
})

test('P3: a list of addresses in the clothes of an episode is neither kept nor followed', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(3)
  const lists = [
    '#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n',
    `ffconcat version 1.0\nfile '/etc/passwd'\n`,
    '[playlist]\nFile1=file:///etc/passwd\n',
  ]
  const items = lists.map((list, index) => ({
    enclosure: host.on(
      `/${index}.mp3`,
      () => new Response(list.repeat(99), { headers: { 'Content-Type': 'audio/mpeg' } }),
    ),
  }))
  await app.podcasts.add(host.feed('/feed.xml', rss({ items })))
  await app.context.downloads.settled()
  const kept = readdirSync(app.context.files.folder.root, { recursive: true })
    .map(String)
    .filter(path => path.endsWith('.mp3'))
  expect(kept).toEqual([])
})

test('P4: the name of a download is of one line, quoted as RFC 5987 has it, whatever its title holds', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const titles = [
    'Fög: "1"',
    'a\r\nSet-Cookie: x=1',
    `it's; filename="evil.exe"`,
    '../../etc/passwd',
    '\u202egnp.exe',
    '💩 (1)*',
    'a\u0085b\u2028c',
    'x'.repeat(900),
  ]
  const items = titles.map((title, index) => ({
    title,
    guid: title,
    enclosure: host.file(`/${index}.mp3`, silentMp3(2)),
  }))
  const { id } = await app.podcasts.add(host.feed('/feed.xml', rss({ items })))
  const { data } = await app.podcasts.episodes(id, {}, null)
  expect(data).toHaveLength(titles.length)
  for (const { podcastEpisode } of data) {
    const answer = await app.fetch(`${new URL(podcastEpisode.local_url).pathname}?download=1`)
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename\*=UTF-8''[\w!#$&+.^`|~%-]+\.mp3$/)
    expect(answer.headers.get('set-cookie')).toBeNull()
  }
})
