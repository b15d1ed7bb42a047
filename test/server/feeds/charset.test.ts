import { expect, test } from 'bun:test'
import { rss } from '../../support/builders'
import { readFeed, titlesOf } from '../../support/read-feed'

const feed = rss({ title: 'Grüße – „früh“', items: [{ title: 'Übung für Mößmer' }, { title: 'Äpfel' }] })
const right = ['Übung für Mößmer', 'Äpfel']
const utf8 = Buffer.from(feed)
const unlabelled = Buffer.from(feed.replace(' encoding="UTF-8"', ''))
/** With one byte in the second item that no UTF-8 has. */
function withBadByte(bytes: Buffer): Buffer {
  const place = bytes.indexOf('guid-1</guid>') + 'guid-1</guid>'.length
  const notes = [Buffer.from('<description>Körbe '), Buffer.from([0xe9]), Buffer.from('</description>')]
  return Buffer.concat([bytes.subarray(0, place), ...notes, bytes.subarray(place)])
}
const windows1252 = (text: string) =>
  Buffer.from([...text].map(letter => ({ '–': 0x96, '„': 0x84, '“': 0x93 })[letter] ?? letter.charCodeAt(0)))

test.each([
  ['windows-1252 that says it is UTF-8', windows1252(feed), ''],
  ['windows-1252 that says so', windows1252(feed.replace('UTF-8', 'windows-1252')), ''],
  ['windows-1252 without a word', windows1252(feed.replace(' encoding="UTF-8"', '')), ''],
  ['UTF-8 that says nothing, with one bad byte', withBadByte(unlabelled), ''],
  ['UTF-8 that says so, with one bad byte', withBadByte(utf8), ''],
  ['UTF-8 of which the header says Latin-1', utf8, 'text/xml; charset=iso-8859-1'],
  [
    'UTF-8 of which the header says Latin-1, with one bad byte',
    withBadByte(unlabelled),
    'text/xml; charset=ISO-8859-1',
  ],
  ['UTF-8 with a mark', Buffer.concat([Buffer.from('\uFEFF'), utf8]), ''],
  ['UTF-8 with a mark and one bad byte', Buffer.concat([Buffer.from('\uFEFF'), withBadByte(unlabelled)]), ''],
  [
    'UTF-8 with a mark and one bad byte, of which the header says Latin-1',
    Buffer.concat([Buffer.from('\uFEFF'), withBadByte(utf8)]),
    'text/xml; charset=iso-8859-1',
  ],
  ['UTF-16 with a mark', Buffer.from(`\uFEFF${feed}`, 'utf16le'), ''],
])('%s is read with its letters', (_, body, contentType) => {
  const digest = readFeed(body, { contentType })
  expect(digest.title).toBe('Grüße – „früh“')
  expect(titlesOf(digest)).toEqual(right)
})

test('one item in another charset costs no letter, its own included', () => {
  const place = utf8.indexOf('<item>')
  const other = windows1252('<item><title>Köln</title><enclosure url="/k.mp3"/></item>')
  const digest = readFeed(Buffer.concat([utf8.subarray(0, place), other, utf8.subarray(place)]))
  expect(titlesOf(digest)).toEqual(['Köln', ...right])
})

test('a charset in which ASCII is half a letter is read as a whole', () => {
  // "Radio" in Japanese, in ISO-2022-JP.
  const title = Buffer.from('\x1b$B%i%8%*\x1b(B', 'latin1')
  const [before, after] = feed
    .replace('UTF-8', 'iso-2022-jp')
    .replace(/[^\x00-\x7f]/g, '')
    .split(/(?<=<item><title>)bung fr Mmer/)
  const digest = readFeed(Buffer.concat([Buffer.from(before!), title, Buffer.from(after!)]))
  expect(titlesOf(digest)[0]).toBe('ラジオ')
})
