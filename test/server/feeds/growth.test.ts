import { describe, expect, test } from 'bun:test'
import { chaptersInNotes } from '../../../src/server/feeds/parse/chapters'
import { parseDate } from '../../../src/server/feeds/parse/dates'
import { digestFeed } from '../../../src/server/feeds/apply/digest'
import { safeNotes } from '../../../src/server/feeds/parse/notes'
import { decodeDocument } from '../../../src/server/platform/decode'
import { parseChapterFile } from '../../../src/server/texts/chapters'
import { parseTranscript } from '../../../src/server/texts/transcripts/read'
import { parseAddress, parseDuration, parseTitle } from '../../../src/server/feeds/parse/values'
import { rss } from '../../support/builders'

const base = 'https://pod.example/feed.xml'
const enough = 200_000
const many = (unit: string) => unit.repeat(enough / unit.length)

const read = (text: string) => {
  const body = new TextEncoder().encode(text)
  const result = digestFeed({ body, contentType: '', contentEncoding: '', address: base, maxBytes: 1e9, known: [] })
  return result.ok ? result.digest.added.length : 0
}
/**
 * Each took minutes, or would never have ended, when the work grew faster than the text: CPU time, not time on the
 * wall.
 */
function inTime<T>(work: () => T): T {
  const before = process.threadCpuUsage()
  const result = work()
  const { user, system } = process.threadCpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(3000)
  return result
}

describe('a feed is read in a time that grows as it does, with', () => {
  const feed = rss({ items: [{}] })
  test('comments before it', () => expect(inTime(() => read('<!-- -->'.repeat(500) + feed))).toBe(1))
  test('comments behind it', () => expect(inTime(() => read(feed + '<!-- -->'.repeat(400)))).toBe(1))
  test('comments behind it, and words', () => expect(inTime(() => read(`${feed}${'<!-- -->'.repeat(400)}x`))).toBe(1))
  test.each([
    '<!-- ',
    '<![CDATA[',
    '<!DOCTYPE [',
    '<a',
    '<a ',
    '<a>',
    '</rss',
    '<? ',
    ' ',
    '<item ',
    '<link ',
    '<input ',
  ])('%p before its end', unit => {
    const place = feed.indexOf('</channel>')
    inTime(() => read(feed.slice(0, place) + many(unit) + feed.slice(place)))
    inTime(() => read(feed.slice(0, place) + many(unit)))
    inTime(() => read(`<html>${many(unit)}`))
  })
  test('tags that are closed and were never opened', () =>
    void inTime(() => read(`<rss><channel>${many('<b>')}${many('</c>')}<item>`)))
})

test('notes of many kinds beside long ones that show little are read in a time that grows as they do', () => {
  const long = `<description><![CDATA[${'<b></b>'.repeat(50_000)}short]]></description>`
  const others = Array.from({ length: 5000 }, (_, n) => `<itunes:summary>longer words ${n}</itunes:summary>`)
  expect(inTime(() => read(rss({ items: [{ extra: long + others.join('') }] })))).toBe(1)
})

test('addresses of hundreds of parameters are compared in a time that grows as they do', () => {
  const signed = ['utm_a', 'utm_b', 'utm_c', 'utm_d', 'utm_e', 'utm_f', 'utm_g', 'utm_h', 'sig', 'token', 'ts', 'hash']
  const parameters = [...signed, ...Array.from({ length: 300 }, (_, n) => `p${n}`)].map(name => `${name}=1`).join('&')
  const items = Array.from({ length: 5000 }, (_, n) => ({ enclosure: `https://a.example/?e=${n}&${parameters}` }))
  expect(inTime(() => read(rss({ items })))).toBe(5000)
})

test('the values of a feed are read in a time that grows as they do', () => {
  expect(inTime(() => parseTitle(`Fog ${many('<a')}`))).toStartWith('Fog')
  expect(inTime(() => parseDate(many('a')))).toBeNull()
  expect(inTime(() => parseDuration(`1h${many(' ')}x`))).toBe(0)
  expect(inTime(() => parseAddress(`/a${many(' ')}b`, base))).toBeNull()
  expect(parseAddress('https://x.example/a\r\n   b', base)).toBe('https://x.example/ab')
})

test.each(['<p', '<p ', '<script ', ' ', '<', '<math>', '\n', '&amp;', 'http://', '<x></y>', '<template> '])(
  'notes of %p are read in a time that grows as they do',
  unit => {
    const notes = inTime(() => safeNotes(`One ${many(unit)} two`, base))
    expect(notes).toStartWith('<p>One')
    inTime(() => chaptersInNotes(notes, 0))
  },
)

test('lines that might be chapters are read in a time that grows as they do', () => {
  inTime(() => chaptersInNotes(`${`a${' -'.repeat(400)} 0:00x\n`.repeat(200)}`, 0))
  inTime(() => chaptersInNotes(`${'-'.repeat(294)}0:00\n`.repeat(500), 0))
  inTime(() => chaptersInNotes(`0:00${'-'.repeat(290)}\n`.repeat(500), 0))
  inTime(() => chaptersInNotes(`0:00${'\u00a0'.repeat(290)}\n`.repeat(500), 0))
  inTime(() => chaptersInNotes(`${' :'.repeat(140)} 0:00 x\n`.repeat(500), 0))
})

test.each([
  '<script ',
  '<v.',
  '<v ',
  '<cite>',
  '\n\n',
  '-->\n',
  '<head>',
  '<a="',
  '<p begin="1s">',
  '<!--',
  '<![CDATA[',

  '00:01 --> 00:02\n',
  '0:01 ',
  '[00:01.00]',
  '[0:01',
  'A: ',
  'Aa ',
  '>> ',
  '{\\',
  '"\\',
  '/*',
  ',/*',
  '{"a":[',
  ', ',
])('transcripts and chapter files of %p are read in a time that grows as they do', unit => {
  for (const beginning of ['', 'WEBVTT\n\n00:01 --> 00:02\n', '<html>', '<tt><p begin="0s">', '{"a":', '[', '0:00 '])
    inTime(() => {
      parseTranscript(beginning + many(unit), null)
      parseChapterFile(beginning + many(unit), base)
    })
})

test('lists of words within lists, and very long ones, are read in a time that grows as they do', () => {
  const within = (inner: string) => `{"segments":[${'{"words":['.repeat(5)}${inner}${']}'.repeat(5)}]}`
  inTime(() => parseTranscript(within(`${'{},'.repeat(1_500_000)}{}`), 'json'))
  const said = inTime(() => parseTranscript(`{"segments":[{"words":[${'"Ahoy",'.repeat(700_000)}"Ahoy"]}]}`, 'json'))
  expect(said).toMatchObject({ format: 'json' })
})

test.each(['\x82', '\xB1\x82 ', 'a\xE4', '\x1B', '\xC4\xE3\xBA', '\0\xD8'])(
  'the charset of %p is found in a time that grows as the bytes do',
  unit => {
    inTime(() => decodeDocument(Buffer.from(many(unit), 'latin1')))
    inTime(() => decodeDocument(Buffer.from(many(`${unit}\n`), 'latin1')))
  },
)
