import { describe, expect, test } from 'bun:test'
import { rss } from '../../support/builders'
import { readFeed, titlesOf } from '../../support/read-feed'

const notAll = ['Episode 0', 'Episode 1', 'Episode 2']
const three = (second: Parameters<typeof rss>[0]['items'], extra = '') =>
  rss({ extra, items: [{}, ...(second ?? [{}]), {}] })

describe('a tag that was left open costs no episode, and gives a warning', () => {
  test.each([
    '<itunes:category text="News">',
    '<itunes:category text="News"><itunes:category text="Local">',
    '<atom:link rel="self" href="https://pod.example/feed.xml">',
    '<itunes:image href="https://pod.example/cover.jpg">',
    '<textInput><title>Search',
    '<br>',
  ])('in the head: %s', extra => {
    const digest = readFeed(three([{}], extra))
    expect(titlesOf(digest)).toEqual(notAll)
    expect(digest).toMatchObject({ title: 'Lighthouse Radio', facts: { author: 'Mara Field' } })
    if (extra !== '<br>') expect(digest.warnings).not.toEqual([])
  })

  test.each([
    '<itunes:category text="News">',
    '<atom:link rel="self" href="/x">',
    '<podcast:person role="host">',
    '<description>Words & <b>more',
    '<media:group><media:content>',
    '</channel>',
    '<itunes:author>Mara</author>',
    '<description><![CDATA[Never closed',
    '<!-- never closed',
    '<p <b>',
    '<a href="/x>',
  ])('in an item: %s', extra => {
    const digest = readFeed(three([{ extra }]))
    expect(titlesOf(digest)).toEqual(notAll)
    expect(digest.added.map(({ facts }) => facts.enclosure_url)).toEqual(
      [0, 1, 2].map(n => `https://cdn.example/${n}.mp3`),
    )
    expect(digest.listed).toBe(3)
  })

  test('an enclosure, and what stands behind it', () => {
    const feed = three([{}]).replace('1.mp3" type="audio/mpeg" length="0"/>', '1.mp3" type="audio/mpeg" length="7">')
    const digest = readFeed(feed.replaceAll('<title>', '<title >'))
    expect(titlesOf(digest)).toEqual(notAll)
    expect(digest.added[1]!.facts).toMatchObject({
      enclosure_size: 7,
      announced_at: expect.any(Number),
      guid: 'guid-1',
    })
    expect(digest.warnings).toEqual(['1 items are not well-formed'])
  })

  test('a break in a title', () => {
    const digest = readFeed(three([{}]).replace('Episode 1', 'Episode<br>1').replace('Lighthouse ', 'Lighthouse<br>'))
    expect(digest.title).toBe('Lighthouse Radio')
    expect(titlesOf(digest)).toEqual(notAll)
  })

  test('an item that is not closed before the next begins', () => {
    for (const broken of [0, 1, 2]) {
      let place = -1
      const feed = three([{}]).replace(/<\/item>/g, tag => (++place === broken ? '' : tag))
      expect(titlesOf(readFeed(feed))).toEqual(notAll)
      expect(readFeed(feed).warnings).toEqual(['1 items are not well-formed'])
    }
  })
})

test('an item that cannot be read harms only itself, and is counted', () => {
  const digest = readFeed(three([{ extra: `${'<a>'.repeat(5000)}${'</a>'.repeat(5000)}` }]))
  expect(titlesOf(digest)).toEqual(['Episode 0', 'Episode 2'])
  expect(digest).toMatchObject({ listed: 3, skipped: 0, warnings: ['1 items could not be read'] })
})

describe('text that a server writes in front of a feed is skipped, with a warning', () => {
  test.each([
    '<br />\n<b>Warning</b>:  Undefined variable $x in <b>/var/www/feed.php</b> on line <b>12</b><br />\n',
    'Notice: Undefined index: x in /var/www/feed.php on line 3\n',
    '<!DOCTYPE html>\n',
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">\n',
    '<html><body>\n',
    '<!-- cached --> <script>var a = "<item>"</script>',
  ])('%s', foreword => {
    const digest = readFeed(foreword + three([{}]))
    expect(titlesOf(digest)).toEqual(notAll)
    expect(digest.warnings).toEqual(['other text precedes the document'])
  })
})

describe('text that looks like a tag stays text', () => {
  test('in CDATA', () => {
    const notes = 'Close it with </item>, begin <item> again; 1 < 2 <<< <b'
    const digest = readFeed(three([{ notes }]))
    expect(titlesOf(digest)).toEqual(notAll)
    expect(digest.added[1]!.facts.notes).toContain('1 &lt; 2')
    expect(digest.warnings).toEqual([])
  })
  test('in comments and processing instructions', () => {
    const feed = three(
      [{ extra: '<!-- </item><item> --><?php echo "</item>" ?>' }],
      '<!-- <item><title>No</title></item> -->',
    )
    expect(titlesOf(readFeed(feed))).toEqual(notAll)
    expect(readFeed(feed)).toMatchObject({ listed: 3, warnings: [] })
  })
  test('so three thousand items of dense HTML are three thousand', () => {
    const notes = '<p>a <b>b</b> <i>c</i> <a href="/x">d</a> 5 < 6</p>'.repeat(25)
    const digest = readFeed(rss({ items: Array.from({ length: 3000 }, () => ({ notes })) }))
    expect(digest).toMatchObject({ listed: 3000, warnings: [] })
    expect(digest.added).toHaveLength(3000)
  })
})

describe('items are found wherever they stand', () => {
  const item = (n: number) => `<item><title>Episode ${n}</title><enclosure url="/${n}.mp3"/></item>`
  test.each([
    ['in the channel and behind it', `<rss><channel><title>T</title>${item(0)}</channel>${item(1)}${item(2)}</rss>`],
    [
      'in a list of items',
      `<rss><channel><title>T</title><items>${item(0)}${item(1)}${item(2)}</items></channel></rss>`,
    ],
    [
      'in one another',
      `<rss><channel><title>T</title>${item(0).replace('</item>', '')}${item(1).replace('</item>', '')}${item(2)}</item></item></channel></rss>`,
    ],
    ['before what is said of the feed', `<rss><channel>${item(0)}${item(1)}${item(2)}<title>T</title></channel></rss>`],
    [
      'with the prefix of the root',
      `<a:rss xmlns:a="urn:x"><a:channel><title>T</title>${[0, 1, 2]
        .map(item)
        .join('')
        .replace(/(<\/?)item/g, '$1a:item')}</a:channel></a:rss>`,
    ],
  ])('%s', (_, feed) => {
    const digest = readFeed(feed)
    expect(titlesOf(digest)).toEqual(notAll)
    if (!feed.startsWith('<a:')) expect(digest.title).toBe('T')
  })
})

test('a JSON Feed that is cut short keeps its whole items, and says so', () => {
  const items = [0, 1, 2].map(n => ({
    id: `${n}`,
    title: `Episode ${n}`,
    attachments: [{ url: `/${n}.mp3`, mime_type: 'audio/mpeg' }],
  }))
  const feed = JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: 'Json "items": [',
    items,
    expired: true,
  })
  expect(readFeed(feed)).toMatchObject({ complete: true, warnings: [], listed: 3 })
  const digest = readFeed(feed.slice(0, feed.indexOf('"Episode 2')))
  expect(titlesOf(digest)).toEqual(['Episode 0', 'Episode 1'])
  expect(digest).toMatchObject({ title: 'Json "items": [', warnings: ['the document is cut short'] })
})
