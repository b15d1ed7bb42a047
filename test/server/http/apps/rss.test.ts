import { expect, test } from 'bun:test'
import { encode } from 'fast-png'
import { parseRssFeed } from 'feedsmith'
import { existsSync } from 'node:fs'
import { digestFeed } from '../../../../src/server/feeds/apply/digest'
import { basic, startTestApp, withPasswords, type TestApp } from '../../../support/app'
import { rss, silentMp3 } from '../../../support/builders'
import { startFeedHost } from '../../../support/feed-host'

async function plant(app: TestApp) {
  const host = startFeedHost()
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  const items = [
    {
      title: 'Fog & "lamps" <3',
      guid: 'urn:fog ]]>',
      enclosure: host.file('/a.mp3', silentMp3(2)),
      notes: '<p>Tom &amp; Jerry ]]&gt; &lt;script&gt;</p>',
      date: 'Sun, 01 Mar 2026 05:00:00 GMT',
      duration: '60',
    },
    { title: 'Older', guid: 'shared', date: 'Sat, 28 Feb 2026 05:00:00 GMT', length: 1234 },
  ]
  const podcast = await root.podcasts.add(host.feed('/feed.xml', rss({ title: 'Lighthouse & Co', items })))
  const other = await root.podcasts.add(host.feed('/other.xml', rss({ title: 'Other', items: [{ guid: 'shared' }] })))
  return { host, root, podcast, other, alice: await app.signUp('alice') }
}
const path = (address: string) => address.replace('http://localhost', '')
const read = (body: string) => {
  const digest = digestFeed({
    body: new TextEncoder().encode(body),
    contentType: '',
    contentEncoding: '',
    address: 'http://localhost/',
    maxBytes: 1e7,
    known: [],
  })
  if (!digest.ok) throw new Error(digest.reason)
  return { ...digest.digest, added: digest.digest.added.map(({ facts }) => facts) }
}

test('a private feed gives back guids, dates, lengths and notes, and its enclosures play as they stand', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { host, alice, podcast } = await plant(app)
  using _ = host
  const { podfetch_feed } = await alice.podcasts.find(podcast.id)
  const answer = await app.fetch(path(podfetch_feed))
  expect(answer.headers.get('content-type')).toBe('application/rss+xml; charset=utf-8')
  expect(answer.headers.get('x-robots-tag')).toBe('noindex')
  const body = await answer.text()
  expect(body).toContain('<pubDate>Sun, 01 Mar 2026 05:00:00 +0000</pubDate>')
  expect(body).toContain('<itunes:block>yes</itunes:block>')
  expect(body).toContain(`<atom:link rel="self" type="application/rss+xml" href="${podfetch_feed}"/>`)
  const feed = read(body)
  expect(feed.title).toBe('Lighthouse & Co')
  expect(
    feed.added.map(({ guid, title, announced_at, enclosure_size }) => ({ guid, title, announced_at, enclosure_size })),
  ).toEqual([
    { guid: 'urn:fog ]]>', title: 'Fog & "lamps" <3', announced_at: Date.UTC(2026, 2, 1, 5), enclosure_size: null },
    { guid: 'shared', title: 'Older', announced_at: Date.UTC(2026, 1, 28, 5), enclosure_size: 1234 },
  ])
  expect(feed.added[0]!.notes).toBe('<p>Tom &amp; Jerry ]]&gt; &lt;script&gt;</p>')
  const media = await app.fetch(path(feed.added[0]!.enclosure_url))
  expect([media.status, media.headers.get('content-type')]).toEqual([200, 'audio/mpeg'])
  await media.body?.cancel()
})

test('an unchanged feed is not sent again', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { host, alice, podcast } = await plant(app)
  using _ = host
  const address = path((await alice.podcasts.find(podcast.id)).podfetch_feed)
  const etag = (await app.fetch(address)).headers.get('etag')!
  const again = await app.fetch(address, { headers: { 'If-None-Match': etag } })
  expect([again.status, await again.text()]).toEqual([304, ''])
})

test('everything, favourites, a tag and a playlist are feeds, each of its user alone', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { host, alice, root, podcast, other } = await plant(app)
  using _ = host
  const { feedKey } = await alice.users.me()
  const titlesOf = async (kind: string) =>
    read(await (await app.fetch(`/rss/apiKey/${feedKey}${kind}`)).text()).added.map(({ title }) => title)
  expect(await titlesOf('')).toHaveLength(3)
  expect(await titlesOf('?limit=1')).toHaveLength(1)
  expect(await titlesOf('?top=1')).toHaveLength(2)
  expect(await titlesOf('?top=1&limit=1')).toHaveLength(1)
  // Two podcasts use one guid: in a feed of both it is prefixed. Our own reader would hide equal guids.
  const all = parseRssFeed(await (await app.fetch(`/rss/apiKey/${feedKey}`)).text())
  expect(all.items!.map(({ guid }) => guid!.value).toSorted()).toEqual(
    [`${podcast.id}:shared`, `${other.id}:shared`, 'urn:fog ]]>'].toSorted(),
  )
  await alice.podcasts.favour(other.id, true)
  expect(await titlesOf('/favorites')).toEqual(['Episode 0'])
  const tag = await alice.tags.create({ name: 'News', color: 'Red' })
  await alice.tags.assign(tag.id, podcast.id)
  expect(await titlesOf(`/tag/${tag.id}`)).toEqual(['Fog & "lamps" <3', 'Older'])
  const episodes = (await alice.podcasts.episodes(podcast.id, {}, null)).data.map(item => ({
    episode: item.podcastEpisode.id,
  }))
  const playlist = await alice.playlists.create({ name: 'Mine', items: episodes.toReversed() })
  expect(await titlesOf(`/playlist/${playlist.id}`)).toEqual(['Older', 'Fog & "lamps" <3'])
  expect(await titlesOf('?downloaded=1').catch(() => [])).toEqual([])
  const headers = { Authorization: root.authorization! }
  for (const foreign of [`/rss/tag/${tag.id}`, `/rss/playlist/${playlist.id}`])
    expect((await app.fetch(foreign, { headers })).status).toBe(404)
})

test('podcast apps may also sign in by password, or by an API key in its place', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { host, alice, podcast } = await plant(app)
  using _ = host
  const refused = await app.fetch(`/rss/${podcast.id}`)
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
    401,
    'Basic realm="Castellan", charset="UTF-8"',
  ])
  expect((await app.fetch(`/rss/${podcast.id}`, { headers: { Authorization: alice.authorization! } })).status).toBe(200)
  const apiKey = crypto.randomUUID().replaceAll('-', '')
  await alice.users.edit('alice', { apiKey })
  expect((await app.fetch(`/rss/${podcast.id}`, { headers: { Authorization: basic('alice', apiKey) } })).status).toBe(
    200,
  )
  expect((await app.fetch(`/rss/${podcast.id}?apiKey=${apiKey}`)).status).toBe(200)
  expect((await app.fetch('/rss/nothing', { headers: { Authorization: alice.authorization! } })).status).toBe(404)
})

// Reads our feeds with other people's parsers: a library from the registry, and Debian's where it is installed.

const chapterFile = JSON.stringify({
  version: '1.2.0',
  chapters: [
    { startTime: 0, title: 'Hello' },
    { startTime: 5, title: 'The storm' },
  ],
})
const vtt = 'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHello\n'

/** The library's feed of one podcast with everything in it, and its text. */
async function publish(app: TestApp, host: ReturnType<typeof startFeedHost>) {
  app.prefill(0)
  host.on('/chapters.json', () => new Response(chapterFile))
  host.on('/t.vtt', () => new Response(vtt))
  const items = [
    {
      title: 'Fog & "lamps" <3',
      guid: 'urn:fog ]]> ü',
      enclosure: host.file('/a.mp3', silentMp3(2)),
      notes: '<p>Tom &amp; Jerry ]]&gt;</p>',
      date: 'Sun, 01 Mar 2026 05:00:00 GMT',
      duration: '61',
      extra: `<itunes:season>2</itunes:season><itunes:episode>7</itunes:episode>
        <podcast:chapters url="${host.origin}/chapters.json" type="application/json+chapters"/>
        <podcast:transcript url="${host.origin}/t.vtt" type="text/vtt" language="en"/>`,
    },
    { title: 'Older', guid: 'https://old.example/?a=1&b=2', date: 'Sat, 28 Feb 2026 05:00:00 +0100', length: 1234 },
  ]
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ title: 'Lighthouse & Co', items })))
  const { data } = await app.podcasts.episodes(podcast.id, {}, null)
  await app.episodes.download(data[0]!.podcastEpisode.episode_id)
  await app.context.downloads.settled()
  return (await app.fetch(path(podcast.podfetch_feed))).text()
}
const wanted = [
  { guid: 'urn:fog ]]> ü', title: 'Fog & "lamps" <3', at: Date.UTC(2026, 2, 1, 5), length: silentMp3(2).length },
  { guid: 'https://old.example/?a=1&b=2', title: 'Older', at: Date.UTC(2026, 1, 28, 4), length: 1234 },
]

test('another parser finds the same guids, dates, lengths, chapters and transcripts in our feed', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const feed = parseRssFeed(await publish(app, host))
  const items = feed.items ?? []
  expect(
    items.map(item => ({
      guid: item.guid?.value,
      title: item.title,
      at: Date.parse(String(item.pubDate)),
      length: item.enclosures?.[0]?.length,
    })),
  ).toEqual(wanted)
  expect(feed.itunes).toMatchObject({ block: true })
  expect(items[0]).toMatchObject({
    guid: { isPermaLink: false },
    enclosures: [{ type: 'audio/mpeg' }],
    itunes: { duration: 2, season: 2, episode: 7, episodeType: 'full' },
    podcast: { transcripts: [{ type: 'text/vtt', language: 'en' }], chapters: { type: 'application/json+chapters' } },
  })
  expect(items[1]!.podcast).toBeUndefined()
  const { transcripts, chapters } = items[0]!.podcast!
  expect(await (await app.fetch(path(transcripts![0]!.url!))).text()).toBe(vtt)
  expect(await (await app.fetch(path(chapters!.url!))).json()).toMatchObject({
    chapters: [
      { startTime: 0, title: 'Hello' },
      { startTime: 5, title: 'The storm' },
    ],
  })
})

const debianPython = '/usr/bin/python3'
const hasFeedparser = existsSync(debianPython) && Bun.spawnSync([debianPython, '-c', 'import feedparser']).success

test.skipIf(!hasFeedparser)("Debian's feedparser finds them too (where python3-feedparser is installed)", async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const script = `
import calendar, feedparser, json, sys
feed = feedparser.parse(sys.stdin.buffer.read())
print(json.dumps({'bozo': bool(feed.bozo), 'version': feed.version, 'items': [
    {'guid': entry.id, 'title': entry.title, 'at': calendar.timegm(entry.published_parsed) * 1000,
     'length': int(entry.enclosures[0].length)} for entry in feed.entries]}))`
  const { stdout } = Bun.spawnSync([debianPython, '-c', script], { stdin: Buffer.from(await publish(app, host)) })
  expect(JSON.parse(stdout.toString())).toEqual({ bozo: false, version: 'rss20', items: wanted })
})

const apple = `<itunes:type>serial</itunes:type><itunes:category text="Arts"><itunes:category text="Books"/><itunes:category text="Design"/></itunes:category>
  <itunes:category text="History"/><itunes:owner><itunes:name>Mara &amp; Co</itunes:name><itunes:email>mara@lighthouse.example</itunes:email></itunes:owner>`

test('a private feed has type, categories and owner of the publisher, and artwork of ours', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ env: { ...withPasswords, ALLOWED_NETWORKS: '127.0.0.0/8' } })
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  const image = host.file('/cover.png', await picture(300, 300), { type: 'image/png' })
  const items = [{ image: host.file('/episode.png', await picture(640, 360), { type: 'image/png' }) }]
  const { podfetch_feed } = await root.podcasts.add(host.feed('/feed.xml', rss({ image, extra: apple, items })))
  const body = await (await app.fetch(path(podfetch_feed))).text()
  expect(body).toContain('<itunes:type>serial</itunes:type>')
  expect(body.replace(/\s+</g, '<')).toContain(
    '<itunes:category text="Arts"><itunes:category text="Books"/><itunes:category text="Design"/></itunes:category><itunes:category text="History"/>',
  )
  expect(body.replace(/\s+</g, '<')).toContain(
    '<itunes:owner><itunes:name>Mara &amp; Co</itunes:name><itunes:email>mara@lighthouse.example</itunes:email></itunes:owner>',
  )
  const found = parseRssFeed(body)
  expect(found.itunes).toMatchObject({ type: 'serial', owner: { name: 'Mara & Co' } })
  for (const address of [...body.matchAll(/<itunes:image href="([^"]+)"/g)].map(match => match[1]!)) {
    const answer = await app.fetch(path(address.replaceAll('&amp;', '&')))
    expect(await sizeOf(answer)).toEqual({ type: 'image/jpeg', width: 1400, height: 1400 })
  }
})

test('feeds of several podcasts have an author, an owner, categories and artwork, too', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ env: { ...withPasswords, ALLOWED_NETWORKS: '127.0.0.0/8' } })
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  await root.podcasts.add(host.feed('/feed.xml', rss({ extra: apple, items: [{}] })))
  const { feedKey } = await root.users.me()
  for (const of of ['', '/favorites']) {
    const found = parseRssFeed(await (await app.fetch(`/rss/apiKey/${feedKey}${of}`)).text())
    expect(found.itunes).toMatchObject({ author: 'Castellan', type: 'episodic', owner: { name: 'root' } })
    expect(found.itunes!.categories?.map(({ text }) => text)).toEqual(of === '' ? ['Arts', 'History'] : undefined)
    const answer = await app.fetch(path(found.itunes!.image!))
    expect(await sizeOf(answer)).toEqual({ type: 'image/jpeg', width: 1400, height: 1400 })
  }
})

/** Everything in which a feed breaks the rules of RSS 2.0, and of directories about a channel and its items. */
function faultsOf(body: string): string[] {
  const [channel = '', ...items] = body.split('<item>')
  const valueOf = (text: string, name: string) => new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`).exec(text)?.[1]
  const faults: string[] = []
  const check = (place: string, isFine: boolean) => void (isFine || faults.push(place))
  const isDate = (text: string | undefined) => {
    const date = new Date(text ?? '')
    return date.getTime() > 1e11 && date.toUTCString().replace('GMT', '+0000') === text
  }
  for (const name of ['title', 'link', 'description', 'itunes:author'])
    check(name, valueOf(channel, name)?.trim() !== '' && valueOf(channel, name) !== undefined)
  check('language', Intl.getCanonicalLocales(valueOf(channel, 'language') ?? '?').length === 1)
  check('lastBuildDate', isDate(valueOf(channel, 'lastBuildDate')))
  check('itunes:image', /<itunes:image href="https?:[^"]+"\/>/.test(channel))
  check('image', valueOf(channel, 'url')?.startsWith('http') === true)
  check('itunes:explicit', ['true', 'false'].includes(valueOf(channel, 'itunes:explicit') ?? ''))
  check('itunes:type', ['episodic', 'serial'].includes(valueOf(channel, 'itunes:type') ?? ''))
  check('guids', new Set(items.map(item => valueOf(item, 'guid'))).size === items.length && items.length > 0)
  for (const item of items) {
    check('item title', (valueOf(item, 'title') ?? '') !== '')
    check('item pubDate', isDate(valueOf(item, 'pubDate')))
    check('item enclosure', /<enclosure url="https?:[^"]+" length="\d+" type="[a-z]+\/[^"]+"\/>/.test(item))
  }
  return faults
}

test('feeds of every form keep the rules of RSS and of directories, whatever the publishers leave out', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ env: { ...withPasswords, ALLOWED_NETWORKS: '127.0.0.0/8' } })
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  const languages = ['<language>de_AT</language>', '<language>German</language>', '']
  const podcasts = []
  for (const [at, language] of languages.entries()) {
    const feed = rss({ title: `P${at}`, items: [{}, {}] }).replace('<language>en</language>', language)
    podcasts.push(await root.podcasts.add(host.feed(`/${at}.xml`, feed)))
  }
  await root.podcasts.favour(podcasts[1]!.id, true)
  const tag = await root.tags.create({ name: 'Walks', color: 'Green' })
  await root.tags.assign(tag.id, podcasts[2]!.id)
  const { data } = await root.podcasts.episodes(podcasts[0]!.id, {}, null)
  const items = data.map(({ podcastEpisode }) => ({ episode: podcastEpisode.id }))
  const list = await root.playlists.create({ name: 'Mine', items })
  const { feedKey } = await root.users.me()
  const forms = ['', '/favorites', `/tag/${tag.id}`, `/playlist/${list.id}`, ...podcasts.map(({ id }) => `/${id}`)]
  const found: string[] = []
  for (const form of forms) {
    const body = await (await app.fetch(`/rss/apiKey/${feedKey}${form}`)).text()
    expect([form, ...faultsOf(body)]).toEqual([form])
    found.push(/<language>([^<]+)/.exec(body)![1]!)
  }
  expect(found).toEqual(['de-at', 'en', 'en', 'de-at', 'de-at', 'en', 'en'])
})

test('directories may list a feed, and services take it over, only if its address says so', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { host, alice, podcast } = await plant(app)
  using _ = host
  const { feedKey } = await alice.users.me()
  const saysOf = async (address: string) => {
    const body = await (await app.fetch(`/rss/apiKey/${feedKey}${address}`)).text()
    return [/block>yes/.test(body), /<podcast:locked[^>]*>(\w+)/.exec(body)![1]]
  }
  for (const form of ['', `/${podcast.id}`]) {
    expect(await saysOf(form)).toEqual([true, 'yes'])
    expect(await saysOf(`${form}?block=false`)).toEqual([false, 'yes'])
    expect(await saysOf(`${form}?locked=false&block=true`)).toEqual([true, 'no'])
  }
  expect((await app.fetch(`/rss/apiKey/${feedKey}?block=maybe`)).status).toBe(422)
})

test('artwork is square and from 1400 to 3000 pixels, whatever the publisher has; what is right is left alone', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ env: { ...withPasswords, ALLOWED_NETWORKS: '127.0.0.0/8' } })
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  for (const [width, height, expected] of [
    [1500, 1500, 1500],
    [3100, 3100, 3000],
    [200, 900, 1400],
    [640, 360, 1400],
  ] as const) {
    const bytes = await picture(width, height)
    const image = host.file(`/${width}x${height}.png`, bytes, { type: 'image/png' })
    const { id } = await root.podcasts.add(host.feed(`/${width}x${height}.xml`, rss({ title: `${width}`, image })))
    const answer = await fetchAsRoot(app, `/covers/podcasts/${id}?size=artwork`)
    const found = await sizeOf(answer)
    expect([width, height, found.width, found.height]).toEqual([width, height, expected, expected])
    expect(found.type).toBe(expected === 1500 ? 'image/png' : 'image/jpeg')
  }
  // A podcast without a picture has ours.
  const { id } = await root.podcasts.add(host.feed('/none.xml', rss({ title: 'None' })))
  expect(await sizeOf(await fetchAsRoot(app, `/covers/podcasts/${id}?size=artwork`))).toMatchObject({
    width: 1400,
    height: 1400,
  })
})

const fetchAsRoot = (app: TestApp, path: string) =>
  app.fetch(path, { headers: { Authorization: basic('root', 'Sup3rSecret') } })

/** A picture of one colour. */
async function picture(width: number, height: number): Promise<Uint8Array> {
  const one = encode({ width: 1, height: 1, channels: 3, data: Uint8Array.of(200, 80, 20) })
  return new Bun.Image(one).resize(width, height, { fit: 'fill' }).png().bytes()
}
async function sizeOf(answer: Response) {
  const { width, height } = await new Bun.Image(await answer.bytes()).metadata()
  return { type: answer.headers.get('content-type'), width, height }
}
