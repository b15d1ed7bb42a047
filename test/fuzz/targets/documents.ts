import fc from 'fast-check'
import { readChapters } from '../../../src/server/texts/chapters'
import { readTranscript } from '../../../src/server/texts/transcripts/read'
import { decodeDocument } from '../../../src/server/platform/decode'
import { mutated } from '../mutate'
import * as seeds from '../seeds'
import { require, type Target } from '../target'

type Input = {
  text: string
  encoding: keyof typeof encoders
  contentType: string
  language: string | null
  /** Bytes that are put anywhere. */
  garbage: { at: number; bytes: number[]; times: number }
}

const latin = (text: string) => Buffer.from(text, 'latin1')
/** Every second letter as one of a code page: nothing here can write them all. */
const foreign = (first: number) => (text: string) =>
  Buffer.from(text, 'latin1').map((byte, at) => (at % 2 && byte >= 0x61 ? first + (byte - 0x61) : byte))

const encoders = {
  utf8: text => Buffer.from(text),
  'utf8 with mark': text => Buffer.from(`\uFEFF${text}`),
  utf16le: text => Buffer.from(text, 'utf16le'),
  'utf16be with mark': text => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
  latin,
  cyrillic: foreign(0xe0),
  'two bytes': text => Uint8Array.from([...latin(text)].flatMap(byte => (byte < 0x61 ? byte : [0x82, byte]))),
  japanese: text => Buffer.concat([latin('\x1B$B'), latin(text), latin('\x1B(B')]),
} satisfies Record<string, (text: string) => Uint8Array>

const all = [...Object.values(seeds.transcripts).flat(), ...seeds.chapters, ...seeds.otherChapters]
const address = 'https://pod.example/c'

/** A document in any charset: it is read or named, and what is stored of it says the same when it is read again. */
export const documents: Target<Input> = {
  name: 'documents',
  texts: ['text'],
  slowMs: 1000,
  inputs: fc.record({
    text: mutated(all),
    encoding: fc.constantFrom(...(Object.keys(encoders) as (keyof typeof encoders)[])),
    contentType: fc.constantFrom('', '', 'text/plain; charset=koi8-r', 'text/html; charset=utf-8', 'x; charset=hz-gb'),
    language: fc.constantFrom(null, 'en', 'ru', 'ja', 'de-DE', 'xx'),
    garbage: fc.record({
      at: fc.nat(3000),
      bytes: fc.array(fc.nat(255), { maxLength: 4 }),
      times: fc.constantFrom(0, 0, 1, 100, 5000),
    }),
  }),
  check({ text, encoding, contentType, language, garbage: { at, bytes, times } }) {
    const whole: Uint8Array = encoders[encoding](text)
    const extra = Buffer.concat(Array.from({ length: times }, () => Uint8Array.from(bytes)))
    const body = Buffer.concat([whole.subarray(0, at), extra, whole.subarray(at)])
    const given = { body, contentType, address, language }
    const again = { contentType: '', address, language: null }
    const said = decodeDocument(body, given)
    require(decodeDocument(Buffer.from(said)) === said, 'a decoded document is decoded otherwise again')

    const transcript = readTranscript({ ...given, type: '' })
    if (!('kind' in transcript)) {
      const second = readTranscript({ ...again, type: '', body: transcript.text ?? body })
      require(Bun.deepEquals(
        'kind' in second ? second.kind : second.segments,
        transcript.segments,
      ), 'a stored transcript says something else', [transcript.format, 'kind' in second ? second.kind : second.format])
    }
    const chapters = readChapters(given)
    if ('kind' in chapters) return
    const second = readChapters({ ...again, body: chapters.text ?? body })
    require(Bun.deepEquals(
      'kind' in second ? second.kind : second.chapters,
      chapters.chapters,
    ), 'a stored chapter file says something else')
  },
}
