import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { createWords } from '../../../test/support/words'
import { bytesOf, filled, MB, type WorstInput } from './input'

const SIZE = 60 * MB
const xml = { 'Content-Type': 'application/rss+xml' }
const json = { 'Content-Type': 'application/feed+json' }
const packed = { ...xml, 'Content-Encoding': 'gzip' }

const channel = (...inside: (string | Uint8Array)[]) =>
  bytesOf('<rss version="2.0"><channel><title>Worst</title>', ...inside, '</channel></rss>')
const item = (n: number, inside: string) =>
  `<item><title>Episode ${n}</title><guid>g${n}</guid><enclosure url="https://cdn.example/${n}.mp3" type="audio/mpeg"/>${inside}</item>\n`
/** Items of one size that fill a whole feed. */
const items = (size: number, inside: (bytes: number) => string) =>
  channel(...Array.from({ length: Math.floor(SIZE / size) }, (_, n) => item(n, inside(size - 200))))
const jsonFeed = (inside: string | Uint8Array) =>
  bytesOf('{"version":"https://jsonfeed.org/version/1.1","title":"Worst","items":[', inside, ']}')

/** A feed as publishers write it: 15,000 episodes of 4 KB each, with words, links and quotation marks. */
export function realFeed(): Buffer {
  const { words, random } = createWords(11)
  const any = () => words[Math.floor(random() * words.length)]!
  const sentence = () => `“${Array.from({ length: 14 }, any).join(' ')}”, she says — and more.`
  const notes = (n: number) =>
    Array.from({ length: 19 }, () => `<p>${sentence()} <a href="https://pod.example/${n}/${any()}">${any()}</a></p>`)
  return channel(
    ...Array.from({ length: 15_000 }, (_, n) =>
      item(
        n,
        `<pubDate>${new Date(1.7e12 - n * 864e5).toUTCString()}</pubDate><description><![CDATA[${notes(n).join('\n')}]]></description>`,
      ),
    ),
  )
}

/** Feeds that take the most memory or time, as far as anybody knows. */
export const feeds: WorstInput[] = [
  { name: '15,000 real items, 60 MB', body: realFeed, headers: xml },
  { name: '15,000 real items, gzip', body: () => gzipSync(realFeed()), headers: packed },
  {
    name: 'a title of `&lt;&amp;`, gzip',
    body: () => gzipSync(channel('<title>', filled(SIZE, '&lt;&amp;'), '</title>')),
    headers: packed,
  },
  {
    name: 'a title of `T`, gzip',
    body: () => gzipSync(channel('<title>', filled(SIZE, 'T'), '</title>')),
    headers: packed,
  },
  {
    name: 'four million attributes, gzip',
    body: () => gzipSync(channel('<x', filled(SIZE, ' abcdefg="x"'), '/>')),
    headers: packed,
  },
  { name: 'four million attributes', body: () => channel('<x', filled(SIZE, ' abcdefg="x"'), '/>'), headers: xml },
  {
    name: 'a bomb of Brotli',
    body: () => brotliCompressSync(Buffer.alloc(500 * MB, ' '), { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
    headers: { ...xml, 'Content-Encoding': 'br' },
  },
  {
    name: 'a bomb of zstd',
    body: () => zstdCompressSync(Buffer.alloc(500 * MB, ' ')),
    headers: { ...xml, 'Content-Encoding': 'zstd' },
  },
  {
    name: 'notes of 60 MB',
    body: () => channel(item(1, `<description>${filled(SIZE, '&lt;&amp;')}</description>`)),
    headers: xml,
  },
  {
    name: '20 items of 3 MB of `&lt;&amp;`',
    body: () => items(2.9 * MB, size => `<description>${filled(size, '&lt;&amp;')}</description>`),
    headers: xml,
  },
  {
    name: '20 items of 3 MB of attributes',
    body: () => items(2.9 * MB, size => `<x${filled(size, ' a="x"')}/>`),
    headers: xml,
  },
  {
    name: '20 items of 3 MB of elements',
    body: () => items(2.9 * MB, size => filled(size, '<a b="c"/>')),
    headers: xml,
  },
  { name: '20 items of 3 MB of text', body: () => items(2.9 * MB, size => filled(size, '“a < b” ')), headers: xml },
  {
    name: '120 items of 500 KB of tags',
    body: () => items(500_000, size => `<description><![CDATA[${filled(size, '<b>–</b>')}]]></description>`),
    headers: xml,
  },
  {
    name: '50,000 items of foreign letters',
    body: () => items(1200, size => `<description>${filled(size, 'ж')}</description>`),
    headers: xml,
  },
  {
    name: '50,000 items of addresses',
    body: () => items(1200, size => `<link>https://pod.example/${filled(size - 40, 'ж')}</link>`),
    headers: xml,
  },
  { name: 'ten million items', body: () => channel(filled(SIZE, '<item>')), headers: xml },
  {
    name: '50,000 items of transcripts',
    body: () => items(1200, size => filled(size, '<podcast:transcript url="/a" type="b"/>')),
    headers: xml,
  },
  {
    name: 'UTF-16',
    body: () =>
      Buffer.from(
        `\uFEFF${items(4000, size => `<description>${filled(size, 'ab“d” ')}</description>`)
          .toString()
          .slice(0, SIZE / 2 - 100)}`,
        'utf16le',
      ),
    headers: xml,
  },
  {
    name: 'GBK without a declaration',
    body: () =>
      channel(
        ...Array.from({ length: 20_000 }, (_, n) =>
          bytesOf(
            item(n, '').replace('</item>\n', '<description>'),
            Buffer.alloc(2800, Buffer.from([0xc4, 0xe3, 0xba, 0xc3])),
            '</description></item>',
          ),
        ),
      ),
    headers: xml,
  },
  {
    name: 'bytes that no charset has',
    body: () =>
      channel(
        Buffer.alloc(3 * MB, 0x81),
        ...Array.from({ length: 19 }, (_, n) =>
          bytesOf(
            item(n, '').replace('</item>\n', '<description>'),
            Buffer.alloc(2.9 * MB, 0x81),
            '</description></item>',
          ),
        ),
      ),
    headers: xml,
  },
  {
    name: 'JSON: lists in lists',
    body: () => jsonFeed(`{"id":"1","x":${filled(SIZE / 2, '[')}${filled(SIZE / 2, ']')}}`),
    headers: json,
  },
  {
    name: 'JSON: lists next to its items',
    body: () => bytesOf('{"version":"https://jsonfeed.org/version/1.1","x":[', filled(SIZE, '[],'), '0],"items":[]}'),
    headers: json,
  },
  {
    name: 'JSON: 20 items of 3 MB of lists',
    body: () =>
      jsonFeed(Array.from({ length: 20 }, (_, n) => `{"id":"${n}","x":[${filled(2.9 * MB, '[],')}0]}`).join(',')),
    headers: json,
  },
  {
    name: 'JSON: one text',
    body: () => jsonFeed(`{"id":"1","content_text":"${filled(SIZE, '\\u0436')}"}`),
    headers: json,
  },
  { name: 'JSON: twenty million empty items', body: () => jsonFeed(`${filled(SIZE, '{},')}{}`), headers: json },
]
