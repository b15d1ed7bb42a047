import { zstdCompressSync } from 'node:zlib'
import { bytesOf, filled, MB, type WorstInput } from './input'

const SIZE = 9.9 * MB
const vtt = (inside: string) => bytesOf('WEBVTT\n\n', inside)
const koi8 = Buffer.from('\xF0\xD2\xC9\xD7\xC5\xD4 ', 'latin1')
const shiftJis = Buffer.from('\x93\xFA\x96\x7B\x8C\xEA', 'latin1')
const plain = { 'Content-Type': 'text/plain' }

/** Transcripts that take the most memory or time, as far as anybody knows. */
export const transcripts: WorstInput[] = [
  {
    name: 'transcript: 200,000 cues',
    body: () => vtt(filled(SIZE, '00:00:01.000 --> 00:00:02.000\nAnd so it went on.\n\n')),
  },
  { name: 'transcript: one cue', body: () => vtt(`00:01.000 --> 00:02.000\n${filled(SIZE, '<v Ann>&lt; ')}`) },
  { name: 'transcript: times without text', body: () => bytesOf(filled(SIZE, '0:00\n')) },
  { name: 'transcript: one line', body: () => bytesOf(filled(SIZE, 'word ')), headers: plain },
  { name: 'transcript: lyrics', body: () => bytesOf(filled(SIZE, '[00:01.00]La la\n')) },
  {
    name: 'transcript: a million words of JSON',
    body: () => bytesOf('{"words":[', filled(SIZE - 40, '{"word":"a","start":1,"end":2},'), '{}]}'),
  },
  { name: 'transcript: JSON: lists in lists', body: () => bytesOf(filled(SIZE / 2, '['), filled(SIZE / 2, ']')) },
  {
    name: 'transcript: TTML',
    body: () =>
      bytesOf(
        '<tt xmlns="http://www.w3.org/ns/ttml"><body><div>',
        filled(SIZE - 200, '<p begin="1s" end="2s"><span>a</span></p>'),
        '</div></body></tt>',
      ),
  },
  { name: 'transcript: HTML of elements', body: () => bytesOf('<html>', filled(SIZE, '<p><b>')) },
  { name: 'transcript: KOI8-R', body: () => Buffer.alloc(SIZE, koi8), headers: plain },
  { name: 'transcript: Shift JIS', body: () => Buffer.alloc(SIZE, shiftJis), headers: plain },
  { name: 'transcript: bytes that no charset has', body: () => Buffer.alloc(SIZE, 0x81), headers: plain },
  { name: 'transcript: UTF-16', body: () => Buffer.from(`\uFEFF${filled(SIZE / 2, '0:01 word\n')}`, 'utf16le') },
  { name: 'transcript: escapes of ISO-2022-JP', body: () => Buffer.alloc(SIZE, '\x1B$B\x1B(B') },
  {
    name: 'transcript: a bomb of zstd',
    body: () => zstdCompressSync(Buffer.alloc(500 * MB, ' ')),
    headers: { ...plain, 'Content-Encoding': 'zstd' },
  },
]

const CHAPTERS_SIZE = 1.9 * MB

/** Chapter files of the same kind. */
export const chapters: WorstInput[] = [
  {
    name: 'chapters: 70,000 of them',
    body: () =>
      bytesOf('{"version":"1.2.0","chapters":[', filled(CHAPTERS_SIZE, '{"startTime":1,"title":"a"},'), '{}]}'),
  },
  {
    name: 'chapters: PSC in one another',
    body: () => bytesOf('<psc:chapters>', filled(CHAPTERS_SIZE, '<psc:chapter start="0:01" title="a">')),
  },
  { name: 'chapters: lines', body: () => bytesOf(filled(CHAPTERS_SIZE, '0:01 a\n')) },
]
