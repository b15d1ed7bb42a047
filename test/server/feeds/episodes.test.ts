import { describe, expect, test } from 'bun:test'
import { rss } from '../../support/builders'
import { readFeed } from '../../support/read-feed'

const xmlns = 'xmlns:media="http://search.yahoo.com/mrss/" xmlns:podcast="https://podcastindex.org/namespace/1.0"'
const inRss = (inside: string) =>
  readFeed(`<rss ${xmlns}><channel><title>T</title><item><title>One</title>${inside}</item></channel></rss>`)
const inAtom = (inside: string) =>
  readFeed(
    `<feed xmlns="http://www.w3.org/2005/Atom" ${xmlns}><title>T</title><entry><id>1</id><title>One</title>${inside}</entry></feed>`,
  )

describe('no episode: counted as not playable', () => {
  test.each([
    '<enclosure url="/cover.jpg"/>',
    '<enclosure url="/cover.JPG?size=1"/>',
    '<enclosure url="/notes.pdf"/>',
    '<enclosure url="/notes.pdf" type="application/octet-stream"/>',
    '<enclosure url="/paper" type="application/pdf"/>',
    '<media:content url="/text" medium="document"/>',
    '<media:content url="/picture" medium="image"/>',
    '<media:content url="/anything"/>',
    '<media:content url="/notes.txt" medium="document" type="audio/mpeg"/>',
    '<enclosure url="/live.m3u8"/>',
    '<enclosure url="/live.m3u8" type="audio/mpegurl"/>',
    '<enclosure url="/live" type="application/vnd.apple.mpegurl"/>',
    '<enclosure url="/live" type="application/x-mpegURL"/>',
    '<enclosure url="https://www.youtube.com/watch?v=1" type="video/mp4"/>',
    '<media:group><media:content url="https://www.youtube.com/v/1?version=3" type="application/x-shockwave-flash"/></media:group>',
    '<link>https://youtu.be/1</link>',
  ])('%s', inside => {
    for (const digest of [inRss(inside), inAtom(inside)])
      expect(digest).toMatchObject({ added: [], listed: 1, skipped: 1, dates: [] })
  })
})

describe('an episode', () => {
  test.each([
    '<enclosure url="/get?id=1"/>',
    '<enclosure url="/get?id=1" type="application/force-download"/>',
    '<enclosure url="/get?id=1" type="audio"/>',
    '<enclosure url="/get?id=1" type="audio/*"/>',
    '<enclosure url="/get?id=1" type="application/mp3"/>',
    '<enclosure url="/get?id=1" type="APPLICATION/OCTET-STREAM"/>',
    '<enclosure url="/one.mp3" type="text/html"/>',
    '<media:content url="/get?id=1" medium="audio"/>',
    '<media:content url="/get?id=1" type="audio/mpeg"/>',
    '<media:content url="/one.mp3"/>',
    '<media:group><media:content url="/one.jpg" medium="image"/><media:content url="/one.mp3"/></media:group>',
    '<podcast:alternateEnclosure type="audio/opus" length="9"><podcast:source uri="/one.opus"/></podcast:alternateEnclosure>',
    '<enclosure url="/one.m3u8"/><podcast:alternateEnclosure type="audio/opus"><podcast:source uri="/one.opus"/></podcast:alternateEnclosure>',
    '<enclosure url="/cover.jpg" type="image/jpeg"/><enclosure url="/one.mp3" type="audio/mpeg"/>',
  ])('%s', inside => {
    for (const digest of [inRss(inside), inAtom(inside)]) {
      expect(digest.added.map(({ facts }) => facts.enclosure_url)).toEqual([
        expect.stringMatching(/\/(get\?id=1|one\.(mp3|opus))$/),
      ])
      expect(digest).toMatchObject({ listed: 1, skipped: 0 })
    }
  })

  test("in RSS 1.0 by its module's enclosure", () => {
    const digest =
      readFeed(`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://purl.oclc.org/net/rss_2.0/enc#">
      <channel><title>Old</title></channel><item rdf:about="urn:x"><title>One</title><e:enclosure rdf:resource="/a.mp3" e:type="audio/mpeg" e:length="3000000000"/></item></rdf:RDF>`)
    expect(digest.added[0]!.facts).toMatchObject({
      enclosure_url: 'https://pod.example/a.mp3',
      enclosure_type: 'audio/mpeg',
      enclosure_size: 3_000_000_000,
    })
  })

  test('may be larger than a gigabyte', () => {
    expect(readFeed(rss({ items: [{ length: 12_345_678_901 }] })).added[0]!.facts.enclosure_size).toBe(12_345_678_901)
  })
})

test('unplayable items are counted one by one, duplicates are not', () => {
  const digest = readFeed(
    rss({
      items: [{}, { enclosure: null }, { guid: 'guid-0', enclosure: 'https://cdn.example/0.mp3' }, { enclosure: null }],
    }),
  )
  expect(digest).toMatchObject({ listed: 4, skipped: 2 })
})

describe('sloppy titles, times and notes are read', () => {
  const item = (inside: string) => inRss(`<enclosure url="/one.mp3"/>${inside}`).added[0]!.facts
  test('a title that was escaped twice', () => {
    const titles = ['Fish &amp;amp; Chips', 'Fish &amp;#38; Chips', '<![CDATA[Fish &amp;amp; Chips]]>', 'Fish & Chips']
    const feed = rss({ items: [] }).replace(
      '</channel>',
      `${titles.map((title, n) => `<item><title>${title}</title><enclosure url="/${n}.mp3"/></item>`).join('')}</channel>`,
    )
    expect(readFeed(feed).added.map(({ facts }) => facts.title)).toEqual(titles.map(() => 'Fish & Chips'))
  })
  test.each([
    ['Mon May  6 10:00:00 2024', Date.UTC(2024, 4, 6, 10)],
    ['Mon May  6 10:00:00 UTC 2024', Date.UTC(2024, 4, 6, 10)],
    ['Mon May  6 10:00:00 CEST 2024', Date.UTC(2024, 4, 6, 8)],
    ['Mon, 6 May 2024 1:5:9 GMT', Date.UTC(2024, 4, 6, 1, 5, 9)],
    ['2024-05-06 1:5:9', Date.UTC(2024, 4, 6, 1, 5, 9)],
  ])('the date %s', (date, expected) => expect(item(`<pubDate>${date}</pubDate>`).announced_at).toBe(expected))
  test('the length 1:5:9', () => {
    const feed = rss({ items: [{ duration: '1:5:9' }] })
    expect(readFeed(feed).added[0]!.facts.duration).toBe(3909)
  })
  test.each([
    '<![CDATA[<![CDATA[<p>Hello</p>]]>]]>',
    '<![CDATA[&lt;![CDATA[<p>Hello</p>]]&gt;]]>',
    '&lt;![CDATA[&lt;p&gt;Hello&lt;/p&gt;]]&gt;',
  ])('notes in doubled CDATA: %s', notes =>
    expect(item(`<description>${notes}</description>`).notes).toBe('<p>Hello</p>'),
  )
  test('the text of a JSON Feed is text', () => {
    const attachments = [{ url: '/1.mp3', mime_type: 'audio/mpeg' }]
    const items = [{ id: '1', title: 'One', content_text: 'Write <b>bold</b> & <p> like this', attachments }]
    const digest = readFeed(JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: 'J', items }))
    expect(digest.added[0]!.facts.notes).toBe('<p>Write &lt;b&gt;bold&lt;/b&gt; &amp; &lt;p&gt; like this</p>')
  })
})
