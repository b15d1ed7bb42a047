import { kindOfPage, looksLikePage } from '../feeds/parse/not-a-feed'

const names = {
  empty: 'an empty answer',
  html: 'an HTML page',
  login: 'a login page',
  challenge: 'a page that checks for browsers',
  pdf: 'a PDF file',
  media: 'a media file',
  picture: 'a picture',
  archive: 'a compressed file',
  rtf: 'a formatted document (RTF)',
  binary: 'data that is not text',
  text: 'plain text',
  opml: 'an OPML file',
  feed: 'a feed',
  xml: 'another kind of XML',
  json: 'another kind of JSON',
  'broken-json': 'JSON that breaks off or has mistakes',
  silent: 'a file without words',
} as const

/** Kinds of documents that are neither a transcript nor a chapter file. */
export type OtherKind = keyof typeof names

/** Describes what was received instead of a document. */
export const expected = (what: 'a transcript' | 'a chapter file', kind: OtherKind) =>
  `Expected ${what}, got ${names[kind]}`

const beginnings: readonly (readonly [bytes: string, kind: OtherKind])[] = [
  ['%PDF', 'pdf'],
  ['{\\rtf', 'rtf'],
  ['PK\x03\x04', 'archive'],
  ['\x1F\x8B', 'archive'],
  ['\xD0\xCF\x11\xE0', 'binary'],
  ['ID3', 'media'],
  ['OggS', 'media'],
  ['fLaC', 'media'],
  ['RIFF', 'media'],
  ['\x1A\x45\xDF\xA3', 'media'],
  ['\xFF\xFB', 'media'],
  ['\x89PNG', 'picture'],
  ['\xFF\xD8\xFF', 'picture'],
  ['GIF8', 'picture'],
]

/** The kind of bytes that aren't text; null for those that may be. */
export function kindOfBytes(bytes: Uint8Array): OtherKind | null {
  const head = Buffer.from(bytes.subarray(0, 4096)).toString('latin1')
  if (head.slice(4, 8) === 'ftyp') return 'media'
  const kind = beginnings.find(([beginning]) => head.startsWith(beginning))?.[1]
  if (kind) return kind
  // UTF-16 has its zeros at every other place, and no other text has any.
  const zeros = [0, 0]
  for (let at = 0; at < head.length; at++) if (head[at] === '\0') zeros[at % 2]!++
  return Math.min(...zeros) * 20 > head.length ? 'binary' : null
}

/** The kind of a text that begins like markup; null for one that is neither a page nor a known kind of XML. */
export function kindOfMarkup(text: string): OtherKind | null {
  if (looksLikePage(text)) return kindOfPage(text) as OtherKind
  const head = text.slice(0, 8192)
  if (/<opml[\s>]/i.test(head)) return 'opml'
  if (/<(?:rss|feed|rdf:RDF)[\s>]/i.test(head)) return 'feed'
  return /^\s{0,99}<\?xml/i.test(head) ? 'xml' : null
}
