import fc from 'fast-check'
import { readAddresses } from '../../../src/server/http/gpodder/formats'
import { SyncRefusal } from '../../../src/server/http/gpodder/protocol'
import { digestFeed } from '../../../src/server/feeds/digest'
import { chaptersInNotes } from '../../../src/server/feeds/chapters'
import { safeNotes } from '../../../src/server/feeds/notes'
import { textOf } from '../../../src/server/feeds/notes-text'
import { parseTranscript } from '../../../src/server/feeds/transcripts'
import { parseAddress, parseDate, parseDuration, parseTitle } from '../../../src/server/feeds/values'
import { safeSegment } from '../../../src/server/downloads/naming'
import { parseOpml } from '../../../src/server/opml/parse'
import { Problem } from '../../../src/server/problem'
import { snippetOf, wordsOf } from '../../../src/server/search/words'
import { addressKey, readAddress } from '../../../src/server/sync/addresses'
import { readTime } from '../../../src/server/sync/read-action'
import { parseChapterFile } from '../../../src/server/texts/chapters'
import { oddities, piecesOf } from '../mutate'
import * as seeds from '../seeds'
import { Finding, type Target } from '../target'

const address = 'https://pod.example/feed.xml'

type Reader = { seeds: readonly string[]; read: (text: string) => unknown }

const texts = ['Fog', '2026-03-01T12:00:00Z', 'Tue, 03 Mar 2026 10:00:00 +0100', '1h 2m', '01:02:03', 'https://a.example/f?x=1#y', '<b>x</b>', ...seeds.notes] // prettier-ignore

/** Everything that reads a text of others. */
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
  'chapters in notes': { seeds: seeds.notes, read: text => chaptersInNotes(safeNotes(text, address), 0) },
  'chapter file': { seeds: seeds.chapters, read: text => parseChapterFile(text, address) },
  opml: { seeds: seeds.opml, read: refusing(parseOpml) },
  vtt: { seeds: seeds.transcripts.vtt, read: text => parseTranscript(text, 'vtt') },
  'json transcript': { seeds: seeds.transcripts.json, read: text => parseTranscript(text, 'json') },
  'html transcript': { seeds: seeds.transcripts.html, read: text => parseTranscript(text, 'html') },
  'text transcript': { seeds: seeds.transcripts.text, read: text => parseTranscript(text, 'text') },
  title: { seeds: texts, read: parseTitle },
  date: { seeds: texts, read: parseDate },
  duration: { seeds: texts, read: parseDuration },
  address: { seeds: texts, read: text => parseAddress(text, address) },
  name: { seeds: texts, read: text => safeSegment(text, 'x') },
  search: { seeds: texts, read: text => snippetOf(text, wordsOf(text.slice(0, 200))) },
  'subscribed address': { seeds: texts, read: text => addressKey(readAddress(text) ?? text) },
  'time of an action': { seeds: texts, read: readTime },
  'uploaded list': { seeds: ['["a"]', ...seeds.opml], read: refusing(text => readAddresses('opml', text)) },
}

function refusing(read: (text: string) => unknown) {
  return (text: string) => {
    try {
      return read(text)
    } catch (error) {
      if (error instanceof Problem || error instanceof SyncRefusal) return null
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
const input = fc.constantFrom(...Object.keys(readers)).chain(reader =>
  fc
    .tuple(fc.constantFrom(...readers[reader]!.seeds), fc.nat(9999), unit, fc.option(piece), fc.boolean())
    .map(([seed, at, unit, tail, isCut]): GrowthInput => {
      const pieces = piecesOf(seed)
      const place = Math.floor((pieces.length * at) / 10_000)
      const after = isCut ? '' : pieces.slice(place).join('')
      return { reader, before: pieces.slice(0, place).join(''), unit, after: `${tail ?? ''}${after}` }
    }),
)

const LONGEST = 512 * 1024
const LONGEST_MS = 8000
const NOTICEABLE_MS = 2000
/** Four times the length may take four times the time, and some more for the garbage; sixteen times would be its square. */
const MOST_TIMES = 10

/** The same again and again, twice as often each time: the time must not grow faster than the text. */
export const growth: Target<GrowthInput> = {
  name: 'growth',
  texts: ['before', 'unit', 'after'],
  inputs: input,
  slowMs: Number.POSITIVE_INFINITY,
  check({ reader, before, unit, after }) {
    const { read } = readers[reader]!
    const textOf = (length: number) => before + unit.repeat(Math.ceil(length / unit.length)) + after
    const times: number[] = []
    for (let length = 64; length <= LONGEST; length *= 2) {
      const took = timeOf(read, textOf(length))
      if (took > NOTICEABLE_MS && took > MOST_TIMES * (times.at(-2) ?? took)) {
        const [quarter, whole] = [length / 4, length].map(length => fastest(read, textOf(length))) as [number, number]
        if (whole > NOTICEABLE_MS && whole > MOST_TIMES * quarter)
          throw new Finding(`${reader}: time grows faster than the text, with ${JSON.stringify(unit)}`, {
            length,
            quarter,
            whole,
          })
      }
      times.push(took)
      if (took > LONGEST_MS) throw new Finding(`${reader}: a text takes too long`, { length, took })
    }
  },
}

function timeOf(read: (text: string) => unknown, text: string): number {
  const began = performance.now()
  read(text)
  return performance.now() - began
}
const fastest = (read: (text: string) => unknown, text: string) =>
  Math.min(...Array.from({ length: 3 }, () => timeOf(read, text)))
