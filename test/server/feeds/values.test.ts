import { describe, expect, test } from 'bun:test'
import {
  parseAddress,
  parseDate,
  parseDuration,
  parseExplicit,
  parseNumber,
  parseText,
  parseTitle,
  parseWhole,
} from '../../../src/server/feeds/values'

const noon = Date.UTC(2026, 2, 1, 12, 0, 0)

describe('dates are read in every spelling that feeds use', () => {
  test.each([
    ['Sun, 01 Mar 2026 12:00:00 GMT', noon],
    ['Sun, 1 Mar 2026 12:00:00 +0000', noon],
    ['01 Mar 26 12:00 UT', noon],
    ['Tue, 01 Mar 2026 12:00:00 GMT', noon],
    ['Sun, 01 Mar 2026 07:00:00 EST', noon],
    ['Sun, 01 Mar 2026 14:00:00 CEST', noon],
    ['Sun, 01 Mar 2026 13:00:00 +01:00', noon],
    ['So, 01 März 2026 13:00:00 +0100', noon],
    ['Dim, 01 Mars 2026 12:00:00 GMT', noon],
    ['1 March 2026 12:00', noon],
    ['March 1, 2026 12:00 PM', noon],
    ['2026-03-01T12:00:00Z', noon],
    ['2026-03-01T12:00:00.123456+00:00', noon],
    ['2026-03-01 12:00:00', noon],
    ['2026/03/01 12:00', noon],
    ['Mon, 07 Sept 2026 00:00:00 GMT', Date.UTC(2026, 8, 7)],
    ['Thu, 15 Jan 98 00:00:00 GMT', Date.UTC(1998, 0, 15)],
    ['2026-03-01', Date.UTC(2026, 2, 1)],
  ])('%s', (text, expected) => expect(parseDate(text)).toBe(expected))

  test.each(['', 'soon', '99 Foo 2026', '2026-13-45', null])('%p is no date', text =>
    expect(parseDate(text)).toBeNull(),
  )
})

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
    ['', 0],
    ['about an hour', 0],
    ['-5', 0],
    ['99999999999', 0],
  ])('%p', (text, expected) => expect(parseDuration(text)).toBe(expected))
})

test('whole numbers refuse text that only looks like one', () => {
  expect(['12', '0', 'S01', '12a', '-3', '', '1.5'].map(parseWhole)).toEqual([12, 0, null, null, null, null, null])
  expect(parseNumber('12.5')).toBe(12.5)
})

test('explicit is true, false or unknown', () => {
  expect(['yes', 'Yes ', 'true', 'explicit', 'no', 'clean', '', 'maybe'].map(parseExplicit)).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
    null,
    null,
  ])
})

test('titles are text, with entities read once and markup taken out', () => {
  expect(parseTitle('Fish &amp; Chips &eacute; <b>now</b>\n  and then')).toBe('Fish & Chips é now and then')
})

test('addresses are http(s) and absolute, or none', () => {
  expect(parseAddress(' /a b.mp3\n', 'https://x.example/feed')).toBe('https://x.example/a%20b.mp3')
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
