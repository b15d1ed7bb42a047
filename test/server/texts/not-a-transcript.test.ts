import { expect, test } from 'bun:test'
import { readTranscript } from '../../../src/server/texts/transcripts/read'
import { rss } from '../../support/builders'
import { segmentsOf } from '../../support/segments-of'

function kindOf(body: string | Uint8Array, type = 'text/vtt'): string {
  const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : body
  const found = readTranscript({ body: bytes, type, contentType: '', address: 'https://pod.example/t', language: null })
  return 'kind' in found ? found.kind : `read as ${found.format}`
}

const page = '<!DOCTYPE html><html><head><title>Not here</title></head><body><p>Not here, sorry.</p></body></html>'

test.each([
  ['nothing', ' \n', 'empty'],
  ['a page', page, 'html'],
  ['a page to sign in', page.replace('<p>', '<form><input type="password"></form><p>'), 'login'],
  ['a page that checks for browsers', page.replace('Not here,', 'Just a moment'), 'challenge'],
  ['a PDF file', '%PDF-1.7\n', 'pdf'],
  ['a document of Word', 'PK\x03\x04\x14\0\x06\0', 'archive'],
  ['a formatted document', '{\\rtf1\\ansi Ahoy}', 'rtf'],
  ['a recording', 'ID3\x04\0\0', 'media'],
  ['a video', '\0\0\0\x18ftypmp42', 'media'],
  ['a picture', '\x89PNG\r\n', 'picture'],
  ['zeros', '\0'.repeat(100), 'binary'],
  ['a feed', rss({ items: [{}] }), 'feed'],
  ['a list of feeds', '<?xml version="1.0"?><opml version="2.0"><body/></opml>', 'opml'],
  ['other XML', '<?xml version="1.0"?><error>no</error>', 'xml'],
  ['other JSON', '{"error":"expired"}', 'json'],
  ['a few words instead of cues', 'File not found', 'text'],
  ['WebVTT without a word', 'WEBVTT\n\n00:01.000 --> 00:02.000\n\n', 'silent'],
])('%s is named as what it is', (_, body, kind) => {
  expect(kindOf(body)).toBe(kind)
})

test('words without times are a transcript where the feed promises no times', () => {
  expect(kindOf('Ahoy there.', 'text/plain')).toBe('read as text')
  expect(kindOf(page, 'text/html')).toBe('read as html')
  expect(kindOf(page, 'text/plain')).toBe('read as html')
  expect(segmentsOf('One\n\n\nTwo', 'text/plain').map(({ text }) => text)).toEqual(['One', 'Two'])
  // A whole text that is called WebVTT is not the message of an error.
  expect(kindOf('The tide came in at noon. '.repeat(20))).toBe('read as text')
})

test('a cue with a number and without a time is left out', () => {
  const srt = '1\n00:00:01,500 --> 00:00:02,000\nMARA: Hello\nthere\n\n2\nnonsense\n'
  expect(segmentsOf(srt)).toEqual([{ startMs: 1500, endMs: 2000, speaker: 'MARA', text: 'Hello there' }])
})

test('in a longer transcript, a name must come again', () => {
  const cue = (at: number, text: string) => `${at}\n00:00:${at} --> 00:00:${at + 1}\n${text}\n\n`
  const said = (at: number) => (at === 20 ? 'Foghorn: the tide' : at % 10 === 0 ? 'Mara: Ahoy' : 'Ahoy')
  const speakers = segmentsOf(Array.from({ length: 40 }, (_, at) => cue(at + 10, said(at + 10))).join(''))
  expect(new Set(speakers.map(({ speaker }) => speaker))).toEqual(new Set(['Mara', null]))
  expect(speakers[10]).toMatchObject({ speaker: null, text: 'Foghorn: the tide' })
})

test('long texts become several passages that lose no word, and bounds hold', () => {
  const [first, second] = segmentsOf(`00:01 --> 00:02\n${'A tide. '.repeat(600)}`)
  expect([first!.startMs, second!.startMs]).toEqual([1000, null])
  expect(`${first!.text} ${second!.text}`).toBe('A tide. '.repeat(600).trim())
  expect(segmentsOf(`<cite>${'M'.repeat(5000)}</cite><p>One</p>`)[0]!.speaker).toHaveLength(200)
  expect(segmentsOf('0:01\nAhoy\n'.repeat(60_000))).toHaveLength(50_000)
  // One line with many times would be repeated for each of them.
  const sung = segmentsOf(`[ar: x]\n${'[00:01.00]'.repeat(5000)}${'la '.repeat(1000)}`)
  expect(sung.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(110_000)
})

test('of far more lines, tags or values than a transcript has, the first are read and the rest costs nothing', () => {
  const isReadAfter = (filler: string) =>
    segmentsOf(`0:01 Ahoy\n0:02 Ahoy\n${filler}<p>0:03 Late</p>`).some(({ text }) => text.includes('Late'))
  for (const filler of ['\n', '<p>\n']) {
    expect(isReadAfter(filler.repeat(100))).toBe(true)
    expect(isReadAfter(filler.repeat(500_000))).toBe(false)
  }
  expect(kindOf(`${'['.repeat(500_000)}${']'.repeat(500_000)}`)).toBe('json')
})

test('no text makes the readers throw', () => {
  for (const label of ['text/vtt', 'text/html', 'application/json', 'text/plain', ''])
    for (const bad of [
      '\uFEFF',
      '{',
      '[',
      '<<<<',
      '<!',
      '<![CDATA[',
      '-->',
      '\n-->\n',
      'null',
      '[null]',
      '<tt>',
      '[0:1]',
    ])
      expect(() => segmentsOf(bad.repeat(1000), label)).not.toThrow()
})
