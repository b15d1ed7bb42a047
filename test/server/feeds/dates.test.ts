import { describe, expect, test } from 'bun:test'
import { parseDate } from '../../../src/server/feeds/parse/dates'
import { parseFeed } from '../../../src/server/feeds/parse/parse-feed'
import { rss } from '../../support/builders'

const noon = Date.UTC(2026, 2, 1, 12, 0, 0)
const day = Date.UTC(2026, 10, 26)
const at = (hours: number, minutes = 0) => day + (hours * 60 + minutes) * 60_000

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
    ['Sun, 30 Oct 1938 20:00:00 -0500', Date.UTC(1938, 9, 31, 1)],
    ['Thu Nov 26 10:00:00 EST 2026', at(15)],
    ['Thu Nov 26 2026 10:00:00 GMT+0100 (Central European Standard Time)', at(9)],
    ['Thursday, November 26, 2026 - 10:00', at(10)],
    ['November 26, 2026 at 10:00 p.m.', at(22)],
    ['Nov 26, 2026 10pm', at(22)],
    ['Nov 26, 2026 AM', day],
    ['26 November 2026 | 10:00', at(10)],
    ['26/Nov/2026 10h30', at(10, 30)],
  ])('%s', (text, expected) => expect(parseDate(text)).toBe(expected))

  test.each(['', 'soon', '99 Foo 2026', '2026-13-45', null])('%p is no date', text =>
    expect(parseDate(text)).toBeNull(),
  )
})

describe('dates in digits alone are read, with', () => {
  test.each([
    ['26.11.2026 10:00', at(10)],
    ['26. 11. 2026', day],
    ['26-11-2026 10:00:30', at(10) + 30_000],
    ['11/26/2026 10:00:00 AM', at(10)],
    ['11/26/2026 12:30 am', at(0, 30)],
    ['26/11/2026', day],
    ['Thu, 26/11/2026 - 10:00 +0100', at(9)],
    ['05/11/2026', Date.UTC(2026, 10, 5)],
    ['11/05/2026 3:00 PM', Date.UTC(2026, 10, 5, 15)],
    ['05.11.2026', Date.UTC(2026, 10, 5)],
    ['05-11-2026', Date.UTC(2026, 10, 5)],
    ['11-05-2026 3:00 PM', Date.UTC(2026, 10, 5, 15)],
    ['26/26/2026', null],
    ['20261126', day],
    ['20261126T100000Z', at(10)],
    ['20261126T1000+0100', at(9)],
    ['20261126 10:00:00', at(10)],
    ['20261126100000', at(10)],
    ['20269926', null],
    [String(at(10) / 1000), at(10)],
    [`${at(10) / 1000}.5`, at(10)],
    [String(at(10)), at(10)],
    ['123456789', null],
    ['9999999999', null],
    ['2026', null],
    ['0', null],
  ])('%s', (text, expected) => expect(parseDate(text)).toBe(expected))
})

describe('months are known in other languages', () => {
  test.each([
    ['26 ноя 2026', day],
    ['Чт, 26 ноября 2026 г., 10:00', at(10)],
    ['26 Kas 2026', day],
    ['26 Ağustos 2026', Date.UTC(2026, 7, 26)],
    ['26 листопада 2026', day],
    ['26 de noviembre de 2026 10:00', at(10)],
    ['26 juillet 2026', Date.UTC(2026, 6, 26)],
    ['26 juin 2026', Date.UTC(2026, 5, 26)],
    ['26. červenec 2026', Date.UTC(2026, 6, 26)],
    ['26 Νοε 2026', day],
    ['2026年11月26日', day],
    ['2026年11月26日(木) 10:00', at(10)],
    ['2026年11月26日 午後3時05分', at(15, 5)],
    ['2026년 11월 26일 오후 3:05', at(15, 5)],
    ['2026年11月26日10時', at(10)],
  ])('%s', (text, expected) => expect(parseDate(text)).toBe(expected))
})

describe('zones are known by abbreviation and by place', () => {
  test.each([
    ['SAST', 8],
    ['SGT', 2],
    ['BRT', 13],
    ['AWST', 2],
    ['America/New_York', 15],
    ['America/Argentina/Buenos_Aires', 13],
    ['Etc/GMT+5', 15],
    ['Nowhere/Land', 10],
    ['XYZ', 10],
  ])('%s', (zone, hour) => expect(parseDate(`Thu, 26 Nov 2026 10:00:00 ${zone}`)).toBe(at(hour)))

  test('summer time is that of the date', () => {
    expect(parseDate('2026-07-01 10:00 America/New_York')).toBe(Date.UTC(2026, 6, 1, 14))
    expect(parseDate('2026-03-08 01:30 America/New_York')).toBe(Date.UTC(2026, 2, 8, 6, 30))
    expect(parseDate('2026-03-08 03:30 America/New_York')).toBe(Date.UTC(2026, 2, 8, 7, 30))
  })
})

test.each(['0001-01-01T00:00:00Z', '1 Jan 0026', '9999-12-31', 'Mon, 01 Jan 1601 00:00:00 GMT'])(
  '%s stands for no date: nothing was published then',
  text => expect(parseDate(text)).toBeNull(),
)

describe('which of two small numbers is the day, a feed tells by', () => {
  const may = Date.UTC(2026, 4, 11)
  const november = Date.UTC(2026, 10, 5)
  const read = (dates: string[], language = 'de') => {
    const items = dates.map(date => ({ date }))
    const body = rss({ items }).replace('<language>en<', `<language>${language}<`)
    return parseFeed(new TextEncoder().encode(body), 'https://pod.example/').feed.items.map(item => item.announcedAt)
  }
  test.each([
    ['a day above 12 in another item', ['05/11/2026', '26/11/2026'], 'en-US', november],
    ['the same after the item', ['05/11/2026', '11/05/2026', '11/26/2026'], 'de', may],
    ['the weekday', ['Thu, 05/11/2026'], 'en-US', november],
    ['the weekday of another item', ['05/11/2026', 'Donnerstag, 05/11/2026'], 'en-us', november],
    ['the weekday, for the month', ['Mon, 05/11/2026'], 'de', may],
    ['American English', ['05/11/2026', '01/02/2026'], 'en-us', may],
    ['any other language', ['05/11/2026', '01/02/2026'], 'en-GB', november],
    ['a clock of twelve hours', ['05/11/2026 12:00 AM'], 'de', may],
    ['an item more than a clock of twelve hours', ['05/11/2026 12:00 AM', '26/11/2026 1:00 PM'], 'en-IN', november],
    ['most of its items', ['05/11/2026', '26/11/2026', '27/11/2026', '11/28/2026'], 'en-us', november],
    ['American English, but not between dots', ['05.11.2026'], 'en-us', november],
  ])('%s', (_, dates, language, expected) => expect(read(dates, language)[0]).toBe(expected))

  test('its other items, also where these are large and set aside', () => {
    const notes = 'x'.repeat(100_000)
    const items = [{ date: '05/11/2026', notes }, ...Array.from({ length: 100 }, () => ({ date: '11/26/2026', notes }))]
    const parsed = parseFeed(new TextEncoder().encode(rss({ items })), 'https://pod.example/')
    expect(parsed.feed.items[0]!.announcedAt).toBe(may)
  })
})
