import fc from 'fast-check'
import { readAddresses } from '../../../src/server/http/apps/gpodder/formats'
import { SyncRefusal } from '../../../src/server/http/apps/gpodder/protocol'
import { digestFeed } from '../../../src/server/feeds/apply/digest'
import { normaliseFeedAddress } from '../../../src/server/feeds/fetch/address'
import { chaptersInNotes, parseTimestamp } from '../../../src/server/feeds/parse/chapters'
import { addressKeys } from '../../../src/server/feeds/apply/marks'
import { parseDate } from '../../../src/server/feeds/parse/dates'
import { typeByExtension } from '../../../src/server/feeds/parse/items'
import { safeNotes } from '../../../src/server/feeds/parse/notes'
import { textOf } from '../../../src/server/feeds/parse/notes-text'
import { parseTranscript } from '../../../src/server/texts/transcripts/read'
import { parseRetryAfter } from '../../../src/server/feeds/schedule'
import {
  parseAddress,
  parseDuration,
  parseExplicit,
  parseNumber,
  parseText,
  parseTitle,
  parseWhole,
} from '../../../src/server/feeds/parse/values'
import { decodeDocument } from '../../../src/server/platform/decode'
import { createLog } from '../../../src/server/platform/log'
import { createCutter } from '../../../src/server/moving/json-stream'
import { readMysql } from '../../../src/server/moving/dump/rows'
import { readPostgres } from '../../../src/server/moving/dump/load'
import { MoveRefused } from '../../../src/server/moving/item'
import { kindOfAddress, networkOf } from '../../../src/server/outbound/address'
import { safeSegment } from '../../../src/server/downloads/names'
import { bare, readFileName } from '../../../src/server/moving/scan-folder'
import { parsePreferences } from '../../../src/server/moving/sources/podcast-addict'
import { parseOpml } from '../../../src/server/opml/parse'
import { Problem } from '../../../src/server/platform/problem'
import { snippetOf, textTerms, wordsOf } from '../../../src/server/search/words'
import { statusFailure } from '../../../src/server/transcription/failure'
import { readAnswer } from '../../../src/server/transcription/answer'
import { addressKey, readAddress } from '../../../src/server/sync/addresses'
import { readTime } from '../../../src/server/sync/spelling'
import { parseChapterFile } from '../../../src/server/texts/chapters'
import { cpuMsOf } from '../../support/cpu'
import { preferences } from '../../support/foreign/podcast-addict'
import { oddities, piecesOf } from '../mutate'
import * as seeds from '../seeds'
import { Finding, type Target } from '../target'
import { endlessMedia, readTags } from './media-tags'

const address = 'https://pod.example/feed.xml'
const sample = (text: string, title: string) => ({ guid: null, address: text, title, time: null })

/** `endless`: beginnings, and what may follow there; else a seed is cut anywhere, and anything follows. */
type Reader = { seeds: readonly string[]; endless?: readonly { begin: string; units: readonly string[] }[]; read: Read }
type Read = (text: string) => unknown

const texts = [
  'Fog',
  '2026-03-01T12:00:00Z',
  'Tue, 03 Mar 2026 10:00:00 +0100',
  '1h 2m',
  '01:02:03',
  'https://a.example/f?x=1#y',
  '<b>x</b>',
  ...seeds.notes,
]

/** All readers of text that others wrote. */
const readers: Record<string, Reader> = {
  feed: {
    seeds: seeds.feeds,
    read: text =>
      digestFeed({
        body: new TextEncoder().encode(text),
        contentEncoding: '',
        contentType: '',
        address,
        maxBytes: 64_000_000,
        known: [],
      }),
  },
  notes: { seeds: seeds.notes, read: text => textOf(safeNotes(text, address)) },
  'markup of notes': { seeds: seeds.notes, read: text => chaptersInNotes(text, 0) },
  // A line that is too long is none: many of them, as long as may be.
  'lines of notes': {
    seeds: seeds.stamped,
    read: text => chaptersInNotes(text.replace(/[^\n]{1,290}/g, '$&0:00\n'), 0),
  },
  'lines that begin with a time': {
    seeds: seeds.stamped,
    read: text => chaptersInNotes(text.replace(/[^\n]{1,290}/g, '0:00$&\n'), 0),
  },
  'chapters in notes': { seeds: seeds.notes, read: text => chaptersInNotes(safeNotes(text, address), 0) },
  'chapter file': { seeds: [...seeds.chapters, ...seeds.otherChapters], read: text => parseChapterFile(text, address) },
  opml: { seeds: seeds.opml, read: refusing(parseOpml) },
  'document of a move': {
    seeds: ['{"portcast":"0.2.0","list":[{"a":"\\""},1,"x"],"map":{"a":{"b":[]}}}'],
    endless: [
      { begin: '{"list":[', units: ['[', '{"a":', '1,', '"\\', ' '] },
      { begin: '{"', units: ['a', '\\"'] },
    ],
    read: refusing(cutDocument),
  },
  'preferences of an app': { seeds: [preferences], read: parsePreferences },
  'time stamp': { seeds: texts, read: parseTimestamp },
  'feed address': { seeds: texts, read: refusing(normaliseFeedAddress) },
  'enclosure address': {
    seeds: texts,
    read: text => [addressKeys([sample(text, 'a'), sample(`${text}&e=2`, 'b')])(text), typeByExtension(text)],
  },
  'length of a wait': { seeds: ['120', 'Tue, 03 Mar 2026 10:00:00 GMT'], read: text => parseRetryAfter(text, 0) },
  'plain text': {
    seeds: texts,
    read: text => [parseText(text), parseExplicit(text), parseNumber(text), parseWhole(text)],
  },
  srt: { seeds: seeds.transcripts.srt, read: text => parseTranscript(text, 'srt') },
  'network address': {
    seeds: ['10.0.0.1', '[::1]:80', 'fe80::1%eth0'],
    read: text => [kindOfAddress(text), networkOf(text)],
  },
  'line of a log': { seeds: texts, read: text => createLog('info', 'text', () => {}).info(text, { text }) },
  vtt: { seeds: seeds.transcripts.vtt, read: text => parseTranscript(text, 'vtt') },
  'json transcript': { seeds: seeds.transcripts.json, read: text => parseTranscript(text, 'json') },
  'answer of a speech server': {
    seeds: [...seeds.transcripts.json, JSON.stringify({ text: 'Said. '.repeat(20), language: 'en' })],
    read: text => readAnswer({ body: new TextEncoder().encode(text), duration: 0 }),
  },
  'refusal of a speech server': {
    seeds: ['{"error":{"message":"no such model"}}', '<html><title>413</title>'],
    read: text =>
      statusFailure({ status: 400, headers: new Headers(), body: new TextEncoder().encode(text) }, 'sesame', 0),
  },
  'html transcript': { seeds: seeds.transcripts.html, read: text => parseTranscript(text, 'html') },
  ttml: { seeds: seeds.transcripts.ttml, read: text => parseTranscript(text, 'ttml') },
  lyrics: { seeds: seeds.transcripts.lrc, read: text => parseTranscript(text, 'lrc') },
  'charset of a document': { seeds: texts, read: text => decodeDocument(Buffer.from(text, 'latin1')) },
  'text transcript': { seeds: seeds.transcripts.text, read: text => parseTranscript(text, 'text') },
  'tags of media files': { seeds: [], endless: endlessMedia, read: readTags },
  title: { seeds: texts, read: parseTitle },
  date: { seeds: texts, read: parseDate },
  duration: { seeds: texts, read: parseDuration },
  address: { seeds: texts, read: text => parseAddress(text, address) },
  name: { seeds: texts, read: text => safeSegment(text, 'x') },
  'file name': { seeds: ['2021-03-04 - 12. Fog.mp3', ...texts], read: text => [readFileName(text), bare(text)] },
  search: { seeds: texts, read: text => snippetOf(text, textTerms(wordsOf(text.slice(0, 200)))) },
  'subscribed address': { seeds: texts, read: text => addressKey(readAddress(text) ?? text) },
  'time of an action': { seeds: texts, read: readTime },
  'dump of PostgreSQL': { seeds: seeds.postgres, read: refusing(text => readPostgres(text.split('\n'), openNone)) },
  'dump of MySQL': { seeds: seeds.mysql, read: refusing(text => readMysql(text.split('\n'), openNone)) },
  'uploaded list': { seeds: ['["a"]', ...seeds.opml], read: refusing(text => readAddresses('opml', text)) },
}

const openNone = () => () => {}

/** In pieces, as a file comes. */
function cutDocument(text: string) {
  const cutter = createCutter({ portcast: 'value', list: { '*': 'value' }, map: { '*': 'value' } })
  const bytes = Buffer.from(text)
  const found = []
  for (let at = 0; at < bytes.length; at += 1000) found.push(...cutter.push(bytes.subarray(at, at + 1000)))
  cutter.end()
  return found
}

function refusing(read: (text: string) => unknown) {
  return (text: string) => {
    try {
      return read(text)
    } catch (error) {
      if (error instanceof Problem || error instanceof SyncRefusal || error instanceof MoveRefused) return null
      throw error
    }
  }
}

type GrowthInput = { reader: string; before: string; unit: string; after: string }

const piece = fc.constantFrom(...oddities)
const unit = fc.oneof(
  piece,
  piece,
  fc.array(piece, { minLength: 2, maxLength: 3 }).map(parts => parts.join('')),
)

/** A seed with room for something at the border of two of its pieces, or none at all around it. */
const input = fc.constantFrom(...Object.keys(readers)).chain(reader => {
  const { seeds, endless } = readers[reader]!
  if (endless)
    return fc
      .constantFrom(...endless)
      .chain(({ begin, units }) =>
        fc
          .array(fc.constantFrom(...units), { minLength: 1, maxLength: 3 })
          .map((parts): GrowthInput => ({ reader, before: begin, unit: parts.join(''), after: '' })),
      )
  return fc
    .tuple(fc.constantFrom(...seeds), fc.nat(9999), unit, fc.option(piece), fc.boolean())
    .map(([seed, at, unit, tail, isCut]): GrowthInput => {
      const pieces = piecesOf(seed)
      const place = Math.floor((pieces.length * at) / 10_000)
      const after = isCut ? '' : pieces.slice(place).join('')
      return { reader, before: pieces.slice(0, place).join(''), unit, after: `${tail ?? ''}${after}` }
    })
})

const MAX_LENGTH = 512 * 1024
const MAX_MS = 8000
const NOTICEABLE_MS = 2000
/**
 * Four times the length may take four times the time, and some more for the garbage; sixteen times would be its square.
 */
const MAX_TIMES = 10

/** Repeats a piece, twice as often each time: the time must not grow faster than the text. */
export const growth: Target<GrowthInput> = {
  name: 'growth',
  texts: ['before', 'unit', 'after'],
  inputs: input,
  slowMs: Number.POSITIVE_INFINITY,
  async check({ reader, before, unit, after }) {
    const { read } = readers[reader]!
    const textOf = (length: number) => before + unit.repeat(Math.ceil(length / unit.length)) + after
    const times: number[] = []
    for (let length = 64; length <= MAX_LENGTH; length *= 2) {
      const took = await timeOf(read, textOf(length))
      if (took > NOTICEABLE_MS && took > MAX_TIMES * (times.at(-2) ?? took)) {
        const quarter = await fastest(read, textOf(length / 4))
        const whole = await fastest(read, textOf(length))
        if (whole > NOTICEABLE_MS && whole > MAX_TIMES * quarter)
          throw new Finding(`${reader}: time grows faster than the text, with ${JSON.stringify(unit)}`, {
            length,
            quarter,
            whole,
          })
      }
      times.push(took)
      if (took > MAX_MS) throw new Finding(`${reader}: a text takes too long`, { length, took })
    }
  },
}

const timeOf = (read: Read, text: string) => cpuMsOf(() => read(text))
const fastest = async (read: Read, text: string) =>
  Math.min(await timeOf(read, text), await timeOf(read, text), await timeOf(read, text))
