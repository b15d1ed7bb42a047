import { expect, test } from 'bun:test'
import { readChapters } from '../../../src/server/texts/chapters'
import { rss } from '../../support/builders'
import { encode, utf16 } from '../../support/encode'

const read = (body: string | Uint8Array) =>
  readChapters({
    body: typeof body === 'string' ? Buffer.from(body) : body,
    contentType: 'application/json',
    address: 'https://pod.example/shows/c.json',
    language: null,
  })

/** Where it begins and ends in milliseconds, its title, link and picture. */
type Row = readonly [startMs: number, endMs: number | null, title: string, href?: string, imageUrl?: string]

function rowsOf(body: string | Uint8Array) {
  const found = read(body)
  if ('kind' in found) return found.kind
  return found.chapters.map(({ startMs, endMs, title, href, imageUrl }): Row => [
    startMs,
    endMs,
    title,
    ...((href ? (imageUrl ? [href, imageUrl] : [href]) : []) as [string?, string?]),
  ])
}

const file = (chapters: unknown) => JSON.stringify({ version: '1.2.0', chapters })
const plain = file([
  { startTime: 0, title: 'Grüße' },
  { startTime: 61.5, title: 'Die Brücke' },
])
const plainRows: Row[] = [
  [0, null, 'Grüße'],
  [61_500, null, 'Die Brücke'],
]

const shapes: readonly (readonly [what: string, body: string | Uint8Array, rows: readonly Row[]])[] = [
  [
    'Podcasting 2.0 with links, pictures, ends, and one that is not for a table of contents',
    file([
      { startTime: 90, title: 'Hidden', toc: false },
      { startTime: 61.5, endTime: 80, title: 'The <b>keeper</b> &amp; co', url: '/keeper', img: 'k.png' },
      { startTime: 0, title: 'Welcome', endTime: 0, url: 'javascript:alert(1)' },
    ]),
    [
      [0, null, 'Welcome'],
      [61_500, 80_000, 'The <b>keeper</b> & co', 'https://pod.example/keeper', 'https://pod.example/shows/k.png'],
    ],
  ],
  [
    'times as text of every kind',
    file([
      { startTime: '0', title: 'A' },
      { startTime: '00:00:10', title: 'B' },
      { startTime: '20.5', title: 'C' },
      { startTime: '01:00:00.250', title: 'D' },
    ]),
    [
      [0, null, 'A'],
      [10_000, null, 'B'],
      [20_500, null, 'C'],
      [3_600_250, null, 'D'],
    ],
  ],
  [
    '`start` instead of `startTime`',
    file([
      { start: 0, title: 'A' },
      { start: 10, end: 12, title: 'B' },
    ]),
    [
      [0, null, 'A'],
      [10_000, 12_000, 'B'],
    ],
  ],
  [
    'a bare list',
    '[{"startTime":0,"title":"A"},{"startTime":10,"title":"B"}]',
    [
      [0, null, 'A'],
      [10_000, null, 'B'],
    ],
  ],
  ['commas too many', plain.replace('}]', '},]').replace(/\}$/, ',}'), plainRows],
  ['UTF-16', utf16(plain), plainRows],
  ['UTF-16, big end first and without a mark', utf16(plain, { isBigEndian: true, hasMark: false }), plainRows],
  ['windows-1252', encode(plain, 'windows-1252'), plainRows],
  ['UTF-8 with a mark', `\uFEFF${plain}`, plainRows],
  [
    'Podlove Simple Chapters as a file',
    `<?xml version="1.0" encoding="UTF-8"?>
     <psc:chapters version="1.2" xmlns:psc="http://podlove.org/simple-chapters">
       <psc:chapter start="00:01:00.500" title="Later &amp; better" href="https://later.example/" image="/l.png" />
       <!-- <psc:chapter start="00:02:00" title="no"/> --><psc:chapter start="0" title="First"></psc:chapter>
     </psc:chapters>`,
    [
      [0, null, 'First'],
      [60_500, null, 'Later & better', 'https://later.example/', 'https://pod.example/l.png'],
    ],
  ],
  [
    'Podlove chapters in JSON',
    '[{"start":"00:00:00.000","title":"A","href":"","image":""},{"start":"00:00:41.500","title":"B","href":"https://b.example/"}]',
    [
      [0, null, 'A'],
      [41_500, null, 'B', 'https://b.example/'],
    ],
  ],
  [
    'WebVTT',
    'WEBVTT\n\nc1\n00:00.000 --> 01:00.000\nIntro\n\nc2\n01:00.000 --> 02:00.000\nThe storm',
    [
      [0, 60_000, 'Intro'],
      [60_000, 120_000, 'The storm'],
    ],
  ],
  [
    'lines that begin with a time',
    '00:00:00.000 Intro\n00:10:00.000 The storm\n01:00:00.000 End\n',
    [
      [0, null, 'Intro'],
      [600_000, null, 'The storm'],
      [3_600_000, null, 'End'],
    ],
  ],
  [
    'chapters without a title',
    file([{ startTime: 0 }, { startTime: 5, title: '' }]),
    [
      [0, null, ''],
      [5000, null, ''],
    ],
  ],
]

test.each(shapes)('a chapter file with %s is read', (_, body, rows) => {
  expect(rowsOf(body)).toEqual(rows as Row[])
})

test.each([
  ['nothing', '', 'empty'],
  ['a page', '<!DOCTYPE html><html><body>Not found</body></html>', 'html'],
  ['a feed', rss({ items: [{}] }), 'feed'],
  ['JSON that breaks off', plain.slice(0, -9), 'broken-json'],
  ['other JSON', '{"error":"expired"}', 'json'],
  ['JSON of which no chapter has a time', '{"chapters":[{"title":"A"}]}', 'json'],
  ['words', 'Not found', 'text'],
  ['a recording', 'ID3\u0004', 'media'],
])('%s is no chapter file, and named as what it is', (_, body, kind) => {
  expect(rowsOf(body) as string).toBe(kind)
})

test('a chapter file without chapters is one', () => {
  expect(rowsOf('{"version":"1.2.0","chapters":[]}')).toEqual([])
})
