import { describe, expect, test } from 'bun:test'
import { startRandom } from '../../support/random'
import {
  parseAddress,
  parseDuration,
  parseExplicit,
  parseNumber,
  parseSeason,
  parseSize,
  parseText,
  parseTitle,
  parseWhole,
} from '../../../src/server/feeds/parse/values'

describe('durations become seconds, 0 where they say nothing', () => {
  test.each([
    ['3600', 3600],
    ['3600.5', 3600],
    ['60:00', 3600],
    ['1:00:00', 3600],
    ['01:00:00.000', 3600],
    [' 12:34 ', 754],
    ['1h 2m', 3720],
    ['PT1H2M', 3720],
    ['90:00', 5400],
    ['1.5 hours', 5400],
    ['1,5 h', 5400],
    ['1 hour and 5 minutes', 3900],
    ['2 Std. 5 Min.', 7500],
    ['90 min', 5400],
    ['45:00 min', 2700],
    ['~45:00', 2700],
    ['ca. 45 min', 2700],
    ['1:00:00h', 3600],
    ['1:30 h', 5400],
    ['00.45.10', 2710],
    ['45.9', 45],
    ['P0DT1H2M3S', 3723],
    ['P1DT1H', 90_000],
    ['PT1H2M3.5S', 3723],
    ['00:00:45:10', 2710],
    ['00:45:10:12', 2710],
    ['01:05:10:12', 3910],
    ['3600000', 3600],
    ['86400', 86_400],
    ['259200', 259_200],
    ['00:00:00:00:10', 0],
    ['1 week', 0],
    ['', 0],
    ['about an hour', 0],
    ['-5', 0],
    ['99999999999', 0],
  ])('%p', (text, expected) => expect(parseDuration(text)).toBe(expected))
})

test('whole numbers refuse text that only looks like one', () => {
  expect(['12', '0', 'S01', '12a', '-3', '', '1.5'].map(parseWhole)).toEqual([12, 0, null, null, null, null, null])
})

describe('seasons and numbers of episodes are found behind the usual words', () => {
  test.each([
    ['2', 2],
    ['S2', 2],
    ['s02', 2],
    ['Season 2', 2],
    ['Staffel 2', 2],
    ['2.0', 2],
    ['2.5', null],
    ['-2', null],
    ['two', null],
    ['2026/2027', null],
    ['Bonus 2', null],
    ['', null],
  ])('season %p', (text, expected) => expect(parseSeason(text)).toBe(expected))

  test.each([
    ['12', 12],
    ['12.5', 12.5],
    ['#12', 12],
    ['E12', 12],
    ['Ep. 12', 12],
    ['ep 12', 12],
    ['Episode #12', 12],
    ['Folge 12', 12],
    ['No. 12', 12],
    ['№12', 12],
    ['12a', 12],
    ['12abc', null],
    ['12 of 20', null],
    ['-12', null],
    ['twelve', null],
  ])('number %p', (text, expected) => expect(parseNumber(text)).toBe(expected))
})

test.each([
  ['12345678', 12_345_678],
  ['12,345,678', 12_345_678],
  ['12.345.678', 12_345_678],
  ['12 345 678', 12_345_678],
  ['12,345.678', null],
  ['12,34', null],
  ['12 MB', null],
  ['-1', null],
])('a length of %p is read if its digits are whole or in groups of three', (text, expected) =>
  expect(parseSize(text)).toBe(expected),
)

test('explicit is true, false or unknown', () => {
  const read = (words: string) => words.split(',').map(parseExplicit)
  expect(read('yes,Yes ,true,explicit,Y,oui,Sí,adult')).toEqual(Array(8).fill(true))
  expect(read('no,clean,N,non,nein,nonadult')).toEqual(Array(6).fill(false))
  expect(read(',maybe,r,urn:icra:x')).toEqual(Array(4).fill(null))
})

describe('titles are text, with entities read once and HTML taken out', () => {
  test.each([
    ['Fish &amp; Chips &eacute; <b>now</b>\n  and then', 'Fish & Chips é now and then'],
    ['One<br/>two<BR>three', 'One two three'],
    ['<p>One</p><p class="x">two</p>', 'One two'],
    ['<a href="https://x.example/?a=1">Link</a> <FONT COLOR="red">red</FONT>', 'Link red'],
    ['&lt;em&gt;Twice&lt;/em&gt;', 'Twice'],
    ['&amp;lt;em&amp;gt;Three times&amp;lt;/em&amp;gt;', 'Three times'],
    ['C&lt;T&gt; generics', 'C<T> generics'],
    ['C&amp;lt;T&amp;gt; generics', 'C<T> generics'],
    ['&lt;Title&gt; in brackets', '<Title> in brackets'],
    ['Map&lt;A, B&gt; and &lt;my-button&gt;', 'Map<A, B> and <my-button>'],
    ['a < b > c', 'a < b > c'],
    ['I <3 you', 'I <3 you'],
    ['<b></b>', null],
  ])('%p', (text, expected) => expect(parseTitle(text)).toBe(expected))
})

test('addresses are http(s) and absolute, or none', () => {
  expect(parseAddress(' /a b.mp3\n', 'https://x.example/feed')).toBe('https://x.example/a%20b.mp3')
  expect(parseAddress('www.h.example/a.mp3', 'https://x.example')).toBe('https://www.h.example/a.mp3')
  expect(parseAddress('www/a.mp3', 'https://x.example')).toBe('https://x.example/www/a.mp3')
  expect(
    ['file:///etc/passwd', 'data:text/html,x', 'javascript:alert(1)', ''].map(text =>
      parseAddress(text, 'https://x.example'),
    ),
  ).toEqual([null, null, null, null])
})

test('half a pair of surrogates is replaced, as the database would: a guid of it is known again', () => {
  expect(parseText('a\ud800b')).toBe('a\ufffdb')
  expect(parseText('&#xd83c;\ud83c\udf0a')).toBe('\ufffd\u{1f30a}')
})

test('an address that seems to need no parsing is read as parsing reads it', () => {
  const { below } = startRandom(1)
  const parts = '. .. / - -- xn-- 1 0x1 %2e % %20 ? # & : @ 80 com a.example A é ^ | [ { \\ ~ _ \' " ; = + b.mp3'.split(
    ' ',
  )
  const hosts = ['', 'a.example/', 'cdn.a.example', '1.2/', 'a.0x7f/']
  for (let count = 0; count < 30_000; count++) {
    const some = Array.from({ length: below(7) }, () => parts[below(parts.length)]!)
    const address = `https://${hosts[below(hosts.length)]}${some.join('')}`
    expect([address, parseAddress(address, 'https://x.example')]).toEqual([address, URL.parse(address)?.href ?? null])
  }
})
