import { describe, expect, test } from 'bun:test'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { parseOpml } from '../../../src/server/opml/parse'
import { rss } from '../../support/builders'
import { readFeed, titlesOf, tryToRead } from '../../support/read-feed'

const MB = 1024 * 1024
const fill = (bytes: number, unit: string) => unit.repeat(Math.floor(bytes / unit.length))
const channel = (inside: string) => `<rss><channel><title>T</title>${inside}</channel></rss>`

describe('a feed that holds too much is refused, with the reason', () => {
  const title = channel(`<title>${fill(20 * MB, 'T')}</title>`)
  test.each([
    ['inflates out of proportion', gzipSync(title), 'gzip', /inflates from \d+ KB to more than 8 MB/],
    ['inflates out of proportion, by Brotli', brotliCompressSync(Buffer.alloc(20 * MB, ' ')), 'br', /inflates from/],
    ['inflates out of proportion, by Zstandard', zstdCompressSync(title), 'zstd', /inflates from/],
    ['has megabytes in its head', Buffer.from(title), '', /more than 4 MB outside its items/],
    [
      'has a million attributes in its head',
      Buffer.from(channel(`<x${fill(8 * MB, ' abcd="x"')}/>`)),
      '',
      /outside its items/,
    ],
    [
      'has a JSON head of megabytes',
      Buffer.from(`{"version":"https://jsonfeed.org/version/1.1","x":[${fill(5 * MB, '[],')}0],"items":[]}`),
      '',
      /outside its items/,
    ],
    [
      'has relative addresses that become a hundred megabytes',
      Buffer.from(
        `<rss xml:base="https://a.example/${'a'.repeat(4000)}/"><channel>${`<item>${fill(1000, '<podcast:contentLink href="b">x</podcast:contentLink>')}</item>`.repeat(2000)}</channel></rss>`,
      ),
      '',
      /more than 100 MB of addresses/,
    ],
  ])('%s', (_, body, contentEncoding, message) => {
    expect(tryToRead(body, { contentEncoding })).toMatchObject({
      ok: false,
      reason: 'too-large',
      message: expect.stringMatching(message),
      limit: expect.stringMatching(/^\d+ MB$/),
    })
  })
})

test('a large feed that compresses well, as feeds do, is read whole', () => {
  const notes = fill(8000, '<p>The same words stand under every episode.</p>')
  const feed = gzipSync(rss({ items: Array.from({ length: 1500 }, () => ({ notes })) }))
  const digest = readFeed(feed, { contentEncoding: 'gzip' })
  expect(digest).toMatchObject({ listed: 1500, warnings: [] })
  expect(digest.added[1499]!.facts).toMatchObject({ title: 'Episode 1499', notes })
  // Large or not: an episode that did not change is not taken for an edited one.
  const small = readFeed(rss({ items: [{ notes }] })).added[0]!.facts
  expect(digest.added[0]!.facts).toEqual(small)
})

describe('an item that holds too much harms only itself', () => {
  test.each([
    ['five megabytes', `<description>${fill(5 * MB, 'x')}</description>`, null],
    ['a hundred thousand attributes', `<x${fill(MB, ' abcd="x"')}/>`, 'Episode 1'],
    ['a hundred thousand elements', fill(MB, '<a>b</a>'), 'Episode 1'],
    ['a long title', `<itunes:title>${fill(MB, '&amp;lt;')}</itunes:title>`, 'Episode 1'],
    ['long notes', `<description>${fill(2 * MB, '&lt;&amp;')}</description>`, 'Episode 1'],
  ])('%s', (_, extra, title) => {
    const digest = readFeed(rss({ items: [{}, { extra }, {}] }))
    expect(titlesOf(digest)).toEqual(['Episode 0', ...(title ? [title] : []), 'Episode 2'])
    for (const { facts } of digest.added) expect(facts.notes.length).toBeLessThan(3 * MB)
  })
})

test('a list of feeds that holds too much is refused', () => {
  const opml = (inside: string) => `<opml version="2.0"><body>${inside}</body></opml>`
  expect(() => parseOpml(opml(fill(3 * MB, '<o/>')))).toThrow(expect.objectContaining({ code: 'too-many-outlines' }))
  for (const inside of [
    `<outline${fill(MB, ' a="b"')}/>`,
    `<outline text="${fill(MB, '&lt;')}" xmlUrl="https://a.example/1"/>`,
  ])
    expect(() => parseOpml(opml(inside))).toThrow(expect.objectContaining({ code: 'invalid-opml' }))
})
