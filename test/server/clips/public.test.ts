import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { refusal } from '../../support/app'
import { startClipLibrary } from '../../support/clip-library'

const DAY = 86_400_000
type Library = Awaited<ReturnType<typeof startClipLibrary>>

const share = ({ anna, episode }: Library, more: Record<string, unknown> = {}) =>
  anna.clips.share({ episode, start: 2, end: 5, quote: 'The keeper slept.', ...more })

/** Asks for an address as a stranger would. */
const visit = ({ app }: Library, url: string, init?: RequestInit) =>
  app.fetch(url.replace('http://localhost', ''), init)
const statusesOf = async (library: Library, url: string) => [
  (await visit(library, url)).status,
  (await visit(library, `${url}/audio`)).status,
]
const filesIn = ({ app }: Library) => {
  const folder = join(app.folder, 'clips')
  return existsSync(folder) ? readdirSync(folder) : []
}

test('a stranger with the address sees title, quotation and source, and hears the passage alone', async () => {
  await using library = await startClipLibrary()
  const clip = await share(library, { title: 'Asleep at the lamp' })
  expect(clip.url).toMatch(/^http:\/\/localhost\/clip\/[\w-]{22}$/)
  const page = await visit(library, clip.url)
  const html = await page.text()
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  for (const text of [
    'Asleep at the lamp',
    'The keeper slept.',
    'Lighthouse',
    'https://lighthouse.example/fog',
    '0:02–0:05',
  ])
    expect(html).toContain(text)
  expect(html).not.toContain('anna')

  const audio = await visit(library, `${clip.url}/audio`)
  expect([audio.status, audio.headers.get('content-type')]).toEqual([200, 'audio/mpeg'])
  const bytes = Buffer.from(await audio.arrayBuffer())
  const own = await library.anna.clips.cut(library.episode, 2, 5)
  expect(bytes.length).toBeGreaterThan(own.size - 100)
  const part = await visit(library, `${clip.url}/audio`, { headers: { Range: 'bytes=10-19' } })
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-19/${bytes.length}`])
  expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(10, 20))
})

test('X5: the page of a clip runs nothing, is found by no search engine, and stands in no frame', async () => {
  await using library = await startClipLibrary({ title: '&lt;script&gt;alert(1)&lt;/script&gt;' })
  const hostile = '"><img src=x onerror=alert(1)><script>alert(1)</script>'
  const { url } = await share(library, { title: hostile, quote: hostile })
  const page = await visit(library, url)
  const html = await page.text()
  expect(html).not.toMatch(/<script|<img src=x/)
  expect(html).toContain('&lt;script&gt;')
  const policy = page.headers.get('content-security-policy')!
  expect(policy).toStartWith("default-src 'none'; style-src 'sha256-")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toContain('script-src')
  for (const answer of [page, await visit(library, `${url}/audio`)]) {
    expect(answer.headers.get('x-robots-tag')).toBe('noindex')
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  }
})

test('a public page says its title once and until when it is public, in the language of its visitor', async () => {
  await using library = await startClipLibrary()
  const clip = await share(library)
  const pageIn = async (languages: string) =>
    (await visit(library, clip.url, { headers: { Accept: 'text/html', 'Accept-Language': languages } })).text()
  const day = (language: string) =>
    new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(Date.parse(clip.endsAt))
  const html = await pageIn('xx, en-GB;q=0.8, de;q=0.5')
  expect(html).toContain(`Public until ${day('en')}`)
  expect(html.slice(html.indexOf('<body>')).match(/Fog/g)).toHaveLength(1)
  expect(html).toContain('<h1 dir="auto"><a href="https://lighthouse.example/fog"')
  expect(await pageIn('fr;q=0, de-AT;q=0.9, en;q=0.1')).toContain(`<p lang="de-DE">Öffentlich bis ${day('de-DE')}`)
  expect(await pageIn('*')).toContain('Public until')
  const icon = /<link rel="icon"[^>]* href="([^"]+)"/.exec(html)![1]!
  expect((await visit(library, icon)).status).toBe(200)
})

test('browsers get the same page for a clip that has ended as for one that never was, programs the usual answer', async () => {
  await using library = await startClipLibrary()
  const { url } = await share(library)
  const live = await visit(library, url)
  await library.anna.clips.end((await library.anna.clips.list())[0]!.id)
  const pageAt = (address: string) =>
    visit(library, address, { headers: { Accept: 'text/html,*/*;q=0.8', 'Accept-Language': 'de' } })
  const [ended, never] = [await pageAt(url), await pageAt(`/clip/${'x'.repeat(22)}`)]
  const html = await ended.text()
  expect(html).toContain('<h1>Dieser Clip ist nicht mehr öffentlich</h1>')
  expect(await never.text()).toBe(html)
  for (const answer of [ended, never]) {
    expect(answer.status).toBe(404)
    const headers = Object.fromEntries(answer.headers)
    expect(headers).toEqual(Object.fromEntries(live.headers))
  }
  const program = await visit(library, url, { headers: { Accept: '*/*' } })
  expect([program.status, await program.json()]).toMatchObject([404, { errorCode: 'not-found' }])
})

test('a clip ends when its owner says so, and its file is gone', async () => {
  await using library = await startClipLibrary()
  const clip = await share(library)
  expect(await library.anna.clips.list()).toMatchObject([
    { id: clip.id, url: clip.url, title: 'Fog', start: 2, end: 5 },
  ])
  expect(await refusal(library.root.clips.end(clip.id))).toMatchObject({ status: 404, code: 'clip-not-found' })
  expect(await library.root.clips.list()).toEqual([])
  expect(await statusesOf(library, clip.url)).toEqual([200, 200])
  await library.anna.clips.end(clip.id)
  expect(await statusesOf(library, clip.url)).toEqual([404, 404])
  expect(filesIn(library)).toEqual([])
})

test('a clip ends with its date: after thirty days unless its owner chose another, a year at most', async () => {
  await using library = await startClipLibrary()
  const short = await share(library, { days: 1 })
  const usual = await share(library)
  expect(Date.parse(usual.endsAt) - library.clock()).toBe(30 * DAY)
  expect(await refusal(share(library, { days: 366 }))).toMatchObject({ status: 422, args: { field: 'days' } })
  library.clock.advance(DAY)
  expect([await statusesOf(library, short.url), await statusesOf(library, usual.url)]).toEqual([
    [404, 404],
    [200, 200],
  ])
  await library.app.context.clips.sweep()
  expect(filesIn(library)).toEqual([usual.id])
  library.clock.advance(29 * DAY)
  expect(await statusesOf(library, usual.url)).toEqual([404, 404])
  await library.app.context.clips.sweep()
  expect(filesIn(library)).toEqual([])
})

test('a clip ends with its owner, with the file of its episode, and while its owner may not see the episode', async () => {
  await using library = await startClipLibrary()
  const { app, anna, root, eid } = library
  const one = await share(library)
  const { users } = app.context
  await library.publish('<itunes:explicit>true</itunes:explicit>')
  expect(await statusesOf(library, one.url)).toEqual([404, 404])
  expect(await refusal(share(library))).toMatchObject({ code: 'episode-not-found' })
  users.change(users.requireUser('anna'), { explicitConsent: true })
  expect(await statusesOf(library, one.url)).toEqual([200, 200])
  expect(await (await visit(library, one.url)).text()).toContain('>E</abbr>')

  await root.episodes.removeDownload(eid)
  expect(await statusesOf(library, one.url)).toEqual([404, 404])
  await root.episodes.download(eid)
  await app.context.downloads.settled()
  const other = await share(library)
  users.remove(users.requireUser('anna'))
  expect(await statusesOf(library, other.url)).toEqual([404, 404])
  await app.context.removals.run()
  expect(filesIn(library)).toEqual([])
  expect(anna.row.username).toBe('anna')
})

test('the clips of a podcast are deleted with it', async () => {
  await using library = await startClipLibrary()
  await share(library)
  const [podcast] = await library.root.podcasts.list()
  await library.root.podcasts.remove(podcast!.id, true)
  expect(filesIn(library)).toEqual([])
})

test('where public clips are turned off, none is made and none is shown', async () => {
  await using library = await startClipLibrary({ env: { PUBLIC_CLIPS: 'false' } })
  expect(await refusal(share(library))).toMatchObject({ status: 403, code: 'public-clips-off' })
  expect((await library.anna.clips.cut(library.episode, 2, 5)).size).toBeGreaterThan(0)
  expect((await library.anna.system.config()).publicClips).toBe(false)
  expect((await library.app.fetch(`/clip/${'x'.repeat(22)}`)).status).toBe(404)
})

test('an account shows twenty clips at once, and strangers ask for each so often in a minute', async () => {
  await using library = await startClipLibrary()
  const clips = []
  for (let count = 0; count < 20; count++) clips.push(await share(library, { start: 1, end: 2 }))
  expect(await refusal(share(library))).toMatchObject({ status: 409, code: 'too-many-clips' })
  expect(filesIn(library)).toHaveLength(20)
  const [first, second] = clips.map(({ url }) => url) as [string, string]
  const statuses = new Set<number>()
  for (let count = 0; count < 600; count++) statuses.add((await visit(library, first)).status)
  expect([...statuses]).toEqual([200])
  expect((await visit(library, first)).status).toBe(429)
  expect((await visit(library, second)).status).toBe(200)
  library.clock.advance(60_000)
  expect((await visit(library, first)).status).toBe(200)
})

test('files that a killed process left behind are removed, and so is a clip without its file', async () => {
  await using library = await startClipLibrary()
  const clip = await share(library)
  const folder = join(library.app.folder, 'clips')
  writeFileSync(join(folder, crypto.randomUUID()), 'x')
  writeFileSync(join(folder, `${crypto.randomUUID()}.part`), 'x')
  await library.app.context.clips.sweep()
  expect(readdirSync(folder)).toEqual([clip.id])
  expect(await statusesOf(library, clip.url)).toEqual([200, 200])
  for (const code of ['', 'x', '..%2f..', clip.url.slice(-22).toUpperCase()])
    expect((await library.app.fetch(`/clip/${code}`)).status).toBe(404)
  // As after a backup was restored.
  rmSync(folder, { recursive: true })
  expect(await statusesOf(library, clip.url)).toEqual([404, 404])
  await library.app.context.clips.sweep()
  expect(await library.anna.clips.list()).toEqual([])
})
