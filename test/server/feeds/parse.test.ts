import { describe, expect, test } from 'bun:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { openText } from '../../../src/server/feeds/parse/decode'
import { inflate } from '../../../src/server/feeds/parse/decode'
import { safeNotes } from '../../../src/server/feeds/parse/notes'
import { parseFeed } from '../../../src/server/feeds/parse/parse-feed'
import { rss } from '../../support/builders'

const base = 'https://pod.example/feed.xml'
const parse = (text: string) => parseFeed(new TextEncoder().encode(text), base)
const decode = (body: Uint8Array, contentType = '', contentEncoding = '') =>
  openText(inflate(body, contentEncoding, 1_000_000), contentType).decode()
const latin1 = (text: string) => Uint8Array.from(text, letter => letter.charCodeAt(0))

test('an RSS feed with the iTunes and podcast namespaces is read whole', () => {
  const { feed, warnings } = parse(
    rss({
      image: '/cover.jpg',
      extra: `<itunes:type>serial</itunes:type><itunes:explicit>yes</itunes:explicit><podcast:guid>abc-1</podcast:guid>
        <podcast:medium>podcast</podcast:medium><podcast:funding url="https://give.example">Give</podcast:funding>
        <podcast:person role="host" img="/m.jpg">Mara</podcast:person><itunes:category text="News"><itunes:category text="Local"/></itunes:category>`,
      items: [
        {
          duration: '01:02:03',
          image: '/one.png',
          notes: '<p>Hello</p>',
          extra: `<itunes:season>2</itunes:season><itunes:episode>7</itunes:episode><itunes:episodeType>bonus</itunes:episodeType>
            <podcast:chapters url="/c.json" type="application/json+chapters"/><podcast:transcript url="/t.vtt" type="text/vtt" language="en"/>
            <podcast:soundbite startTime="1.5" duration="30">Best bit</podcast:soundbite>`,
        },
      ],
    }),
  )
  expect(warnings).toEqual([])
  expect(feed).toMatchObject({
    title: 'Lighthouse Radio',
    serial: true,
    explicit: true,
    guid: 'abc-1',
    medium: 'podcast',
    imageUrl: 'https://pod.example/cover.jpg',
    keywords: 'News,Local',
    extras: { funding: [{ url: 'https://give.example/', text: 'Give' }], persons: [{ name: 'Mara', role: 'host' }] },
  })
  expect(feed.items[0]).toMatchObject({
    guid: 'guid-0',
    duration: 3723,
    season: 2,
    number: 7,
    type: 'bonus',
    imageUrl: 'https://pod.example/one.png',
    chaptersUrl: 'https://pod.example/c.json',
    transcripts: [{ url: 'https://pod.example/t.vtt', type: 'text/vtt', language: 'en' }],
    soundbites: [{ startTime: 1.5, duration: 30, title: 'Best bit' }],
  })
})

test('a rating counts where nothing else says whether an item is explicit', () => {
  const rating = '<media:rating scheme="urn:simple">adult</media:rating>'
  const { feed } = parse(
    rss({ items: [{ extra: rating }, { extra: `<itunes:explicit>no</itunes:explicit>${rating}` }, {}] }),
  )
  expect(feed.items.map(item => item.explicit)).toEqual([true, false, null])
})

test('trailers, live items and places of discussion, and nothing where there are none', () => {
  const { feed } = parse(
    rss({
      extra: `<podcast:trailer pubdate="Thu, 01 Apr 2021 08:00:00 EST" url="/trailer.mp3" season="2">Coming up</podcast:trailer>
        <podcast:liveItem status="LIVE" start="2026-03-01T12:00:00-05:00" end="2026-03-01T19:00:00Z">
          <title>Storm watch</title><guid>live-1</guid><enclosure url="/stream.mp3" type="audio/mpeg"/>
          <podcast:contentLink href="https://video.example/live">Watch</podcast:contentLink></podcast:liveItem>
        <podcast:liveItem status="soon" start="2026-03-01T12:00:00Z"><title>No known state</title></podcast:liveItem>
        <podcast:liveItem status="pending"><title>No time</title></podcast:liveItem>
        <podcast:socialInteract uri="https://forum.example/" protocol="lightning" priority="2"/>
        <podcast:socialInteract uri="https://social.example/@radio/1" protocol="ActivityPub" priority="1"/>
        <podcast:socialInteract uri="javascript:alert(1)" protocol="x"/><podcast:socialInteract protocol="disabled"/>`,
      items: [{ extra: '<podcast:socialInteract uri="https://social.example/2" protocol="activitypub"/>' }, {}],
    }),
  )
  expect(feed.extras).toMatchObject({
    trailers: [{ url: 'https://pod.example/trailer.mp3', title: 'Coming up', season: 2 }],
    live: [
      {
        status: 'live',
        title: 'Storm watch',
        start: '2026-03-01T17:00:00.000Z',
        end: '2026-03-01T19:00:00.000Z',
        url: 'https://video.example/live',
      },
    ],
    social: [
      { uri: 'https://social.example/@radio/1', protocol: 'activitypub' },
      { uri: 'https://forum.example/', protocol: 'lightning' },
    ],
  })
  expect(feed.extras.live).toHaveLength(1)
  expect(feed.items[0]!.social).toEqual([{ uri: 'https://social.example/2', protocol: 'activitypub' }])
  expect(feed.items[1]).not.toHaveProperty('social')
})

test('Atom, with markup as XHTML and an enclosure as a link', () => {
  const { feed } =
    parse(`<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" xml:lang="DA"><title>Kyst</title>
    <link href="/"/><entry><id>urn:1</id><title type="html">A &amp;amp; B</title><published>2026-03-01T12:00:00Z</published>
    <link rel="enclosure" type="audio/mpeg" length="12" href="/a.mp3"/><content type="xhtml"><div><p>Hej</p></div></content></entry></feed>`)
  expect(feed).toMatchObject({ title: 'Kyst', language: 'da', link: 'https://pod.example/' })
  expect(feed.items[0]).toMatchObject({
    guid: 'urn:1',
    notes: '<div><p>Hej</p></div>',
    enclosure: { url: 'https://pod.example/a.mp3', type: 'audio/mpeg', size: 12 },
  })
})

test('RSS 1.0, whose items stand beside the channel', () => {
  const { feed } =
    parse(`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
    xmlns:enc="http://purl.oclc.org/net/rss_2.0/enc#"><channel><title>Old</title></channel>
    <item rdf:about="urn:x"><title>One</title><link>https://pod.example/a.mp3</link></item></rdf:RDF>`)
  expect(feed.title).toBe('Old')
  expect(feed.items).toMatchObject([{ guid: 'urn:x', title: 'One', enclosure: { url: 'https://pod.example/a.mp3' } }])
})

test('a number of a JSON Feed that is a list in a list without end is none', () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  const { feed } = parse(`{"version":"https://jsonfeed.org/version/1.1","title":"Deep","items":[{"id":"1","title":"One",
    "attachments":[{"url":"https://cdn.example/1.mp3","mime_type":"audio/mpeg","duration_in_seconds":${deep}}]}]}`)
  expect(feed.items[0]).toMatchObject({ title: 'One', duration: 0 })
})

test('a size that no disk could hold is none', () => {
  const { feed } = parse(`{"version":"https://jsonfeed.org/version/1.1","title":"Huge","items":[{"id":"1",
    "attachments":[{"url":"https://cdn.example/1.mp3","mime_type":"audio/mpeg","size_in_bytes":1e38}]}]}`)
  expect(feed.items[0]!.enclosure).toMatchObject({ size: null })
})

test('JSON Feed with attachments', () => {
  const { feed } = parse(
    JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Json',
      items: [
        {
          id: 7,
          content_text: 'Hi',
          attachments: [{ url: '/a.m4a', mime_type: 'audio/mp4', duration_in_seconds: 61 }],
        },
      ],
    }),
  )
  expect(feed.items[0]).toMatchObject({ guid: '7', duration: 61, enclosure: { url: 'https://pod.example/a.m4a' } })
})

test('prefixes are known by their namespace, or by name where none is declared', () => {
  const { feed } =
    parse(`<rss xmlns:apple="HTTP://www.iTunes.com/DTDs/Podcast-1.0.dtd"><channel><title>t</title><apple:author>A</apple:author>
    <item><itunes:duration>90</itunes:duration><enclosure url="/a.mp3"/></item></channel></rss>`)
  expect(feed.author).toBe('A')
  expect(feed.items[0]!.duration).toBe(90)
})

test('the fullest text that holds anything becomes the notes', () => {
  const { feed } = parse(`<rss xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>t</title>
    <item><enclosure url="/a.mp3"/><content:encoded>  </content:encoded><description>&lt;p&gt;Short&lt;/p&gt;</description></item>
    <item><enclosure url="/b.mp3"/><description>Bare <b>markup</b><br>unclosed</description></item></channel></rss>`)
  expect(feed.items.map(item => item.notes)).toEqual(['<p>Short</p>', 'Bare <b>markup</b><br>unclosed'])
})

describe('the richer kind of notes wins unless a later one says clearly more', () => {
  const long = 'The whole story of the lighthouse, its keeper and the storm. '.repeat(4).trim()
  const links = `${long} https://radio.example/a/long/address https://radio.example/b`
  test.each([
    [
      'a teaser before the whole text',
      `<description>Teaser…</description><itunes:summary>${long}</itunes:summary>`,
      long,
    ],
    ['an ellipsis as content', `<content:encoded>…</content:encoded><description>${long}</description>`, long],
    [
      'a picture as content',
      `<content:encoded>&lt;img src="/a.png"></content:encoded><description>${long}</description>`,
      long,
    ],
    [
      'a text that was cut',
      `<description>${long.slice(0, -20)}...</description><itunes:summary>${long}</itunes:summary>`,
      long,
    ],
    [
      'the same text without its tags',
      `<content:encoded>&lt;p>${long}&lt;/p></content:encoded><description>${links.slice(0, long.length + 23)}</description>`,
      `<p>${long}</p>`,
    ],
    [
      'another text, a little longer',
      `<description>${long}</description><itunes:summary>Told at greater length, elsewhere: ${long}</itunes:summary>`,
      long,
    ],
    [
      'an ellipsis before a short text',
      '<description>[…]</description><itunes:summary>Hi there.</itunes:summary>',
      'Hi there.',
    ],
    [
      'a picture before a short text',
      '<description>&lt;img src="/a.png"></description><itunes:summary>Hi there.</itunes:summary>',
      'Hi there.',
    ],
    ['two short texts', '<description>Hello</description><itunes:summary>Some words.</itunes:summary>', 'Hello'],
    [
      'a cut of itself',
      '<description>The First Episode</description><itunes:summary>The First Episode...</itunes:summary>',
      'The First Episode',
    ],
    ['nothing but a picture', '<description>&lt;img src="/a.png"></description>', '<img src="/a.png">'],
    ['a subtitle', `<itunes:subtitle>Short</itunes:subtitle><description>${long}</description>`, long],
  ])('%s', (_, extra, notes) => {
    const { feed } = parse(
      `<rss><channel><title>t</title><item><enclosure url="/a.mp3"/>${extra}</item></channel></rss>`,
    )
    expect(feed.items[0]!.notes).toBe(notes)
  })

  test('in Atom, too', () => {
    const { feed } = parse(`<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title><entry><id>1</id>
      <content type="html">…</content><summary>${long}</summary></entry></feed>`)
    expect(feed.items[0]!.notes).toBe(long)
  })
})

test('quirks that stop other parsers are read all the same', () => {
  const { feed } =
    parse(`<?xml version="1.0"?>\n<rss><channel><title>Fish & Chips < more &nbsp;</title><constructor>x</constructor>
    <item><title>One</title><enclosure url="/a.mp3?x=1&y=2" length="12 MB"/></item></channel></rss>`)
  expect(feed.title).toBe('Fish & Chips < more')
  expect(feed.items[0]!.enclosure).toEqual({ url: 'https://pod.example/a.mp3?x=1&y=2', type: null, size: null })
})

test('a document that is cut short keeps its whole items, and says so', () => {
  const whole = rss({ items: [{}, {}, { notes: 'x'.repeat(500) }] })
  const { feed, warnings } = parse(whole.slice(0, whole.indexOf('xxxx') + 100))
  expect(feed.title).toBe('Lighthouse Radio')
  expect(feed.items.map(item => item.guid)).toEqual(['guid-0', 'guid-1'])
  expect(warnings).toEqual(['the document is cut short'])
})

test('entities of its own are never expanded', () => {
  const bomb = `<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa">${'bcdefgh'
    .split('')
    .map((name, i) => `<!ENTITY ${name} "${`&${'abcdefgh'[i]};`.repeat(10)}">`)
    .join('')}<!ENTITY x SYSTEM "file:///etc/passwd">]>`
  const { feed } = parse(`${bomb}<rss><channel><title>&h; &x;</title></channel></rss>`)
  expect(feed.title).toBe('&h; &x;')
})

test('an element nested a hundred thousand deep ends the item, not the reader', () => {
  const text = `<rss><channel><title>t</title><item><enclosure url="/a.mp3"/></item><item>${'<a>'.repeat(100_000)}${'</a>'.repeat(100_000)}</item></channel></rss>`
  const { feed, warnings } = parse(text)
  expect(feed.items).toHaveLength(1)
  expect(warnings).toEqual(['1 items could not be read'])
})

test.each([
  ['<!DOCTYPE html><html><body>Hi</body></html>', 'html'],
  ['<html><form><input type="password"></form></html>', 'login'],
  ['<!doctype html><title>Just a moment...</title>', 'challenge'],
  ['%PDF-1.7 …', 'pdf'],
  ['ID3\u0003\u0000', 'media'],
  ['{"error": "nope"}', 'json'],
  ['', 'empty'],
  ['<opml version="2.0"><body/></opml>', 'opml'],
  ['hello', 'text'],
])('%p is named for what it is', (text, type) => {
  expect(() => parse(text)).toThrow(expect.objectContaining({ name: 'NotAFeed', type }))
})

test('a web page names its feeds', () => {
  const page = '<html><head><link rel="alternate" type="application/rss+xml" href="/feed.xml"></head></html>'
  expect(() => parse(page)).toThrow(expect.objectContaining({ alternates: ['https://pod.example/feed.xml'] }))
})

test('the bytes decide on the charset before headers and prolog do', () => {
  expect(decode(latin1('\u00e9t\u00e9'), 'text/xml; charset=iso-8859-1')).toBe('été')
  expect(decode(latin1('<?xml version="1.0" encoding="windows-1252"?>\u0093x\u0094'))).toContain('“x”')
  expect(decode(new TextEncoder().encode('été'), 'text/xml; charset=iso-8859-1')).toBe('été')
  expect(decode(Uint8Array.from([0xff, 0xfe, 0x3c, 0, 0x61, 0]))).toBe('<a')
  expect(decode(new TextEncoder().encode('\uFEFF\u0001<a'))).toBe('<a')
})

test('gzip is undone whether it was announced or not, even twice over', () => {
  const text = new TextEncoder().encode('<rss/>')
  expect(decode(gzipSync(text))).toBe('<rss/>')
  expect(decode(gzipSync(gzipSync(text)), '', 'gzip')).toBe('<rss/>')
  expect(decode(text, '', 'gzip')).toBe('<rss/>')
})

test('Zstandard is undone whether it was announced or not, and as far as it came', () => {
  const text = new TextEncoder().encode('<rss/>')
  expect(decode(zstdCompressSync(text))).toBe('<rss/>')
  expect(decode(zstdCompressSync(text), '', 'zstd')).toBe('<rss/>')
  expect(decode(text, '', 'zstd')).toBe('<rss/>')
  const long = Array.from({ length: 50_000 }, (_, index) => Bun.hash(String(index)).toString(36)).join('')
  const whole = zstdCompressSync(long)
  const cut = decode(whole.subarray(0, whole.length / 2), '', 'zstd')
  expect(cut.length).toBeGreaterThan(100_000)
  expect(long.startsWith(cut)).toBe(true)
})

test('a body that inflates beyond the limit is refused before it is whole', () => {
  expect(() => decode(gzipSync(new Uint8Array(50_000_000)))).toThrow('more than')
})

test('notes keep their structure and lose everything that acts', () => {
  const html = safeNotes(
    `<h1 onclick="x()">T</h1><p>Hi <a href="/x" onmouseover="y()">there</a><script>alert(1)</script>
     <img src="/p.png" onerror="z()"><img src="data:text/html,x"><iframe srcdoc="<script>"></iframe>
     <a href="javascript:alert(1)">bad</a><style>p{}</style><form><input></form><svg onload="a()"></svg></p>`,
    'https://pod.example/e/1',
  )
  expect(html).toContain('<h3>T</h3>')
  expect(html).toContain('<a href="https://pod.example/x" rel="noopener noreferrer" target="_blank">there</a>')
  expect(html).toContain('src="https://pod.example/p.png"')
  expect(html).not.toMatch(/script|on\w+=|javascript:|data:|iframe|style|<form|<input|svg/i)
})

test.each([
  'q</blockquote>',
  'http://Pod.example',
  '<small>small</small> <span>words</span>',
  '<span><small>x</small></span>',
  '<a>nowhere</a> <a href="javascript:x">x</a>',
  'a < b & c > d',
  'http://<',
  'https://a.example/?x&y& (https://a.example/x&gt;).',
])('what was made safe is not changed by doing it again: %p', text => {
  const once = safeNotes(text, base)
  expect(safeNotes(once, base)).toBe(once)
})

test('text in which only links or emphasis are marked up keeps its lines', () => {
  const link = '<a href="https://pod.example/x" rel="noopener noreferrer" target="_blank">here</a>'
  expect(safeNotes('One\n <b>two\nthree</b>\n\n\n<a href="/x">here</a>\n', base)).toBe(
    `One<br /> <b>two<br />three</b><br /><br />${link}`,
  )
  expect(safeNotes('<i title="a\nb">One</i> &amp;\ntwo', base)).toBe('<i>One</i> &amp;<br />two')
  for (const kept of ['<p>One\ntwo</p>', '<b>One</b><br />\ntwo', '<pre>One\ntwo</pre>'])
    expect(safeNotes(kept, base)).toBe(kept)
})

test('plain text gets its paragraphs and links', () => {
  expect(safeNotes('One\nline & more\n\nSee https://a.example/x.', base)).toBe(
    '<p>One<br />line &amp; more</p><p>See <a href="https://a.example/x" rel="noopener noreferrer" target="_blank">https://a.example/x</a>.</p>',
  )
})
