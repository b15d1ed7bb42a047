import fc from 'fast-check'

const MAX_LENGTH = 64 * 1024

/** Texts over which readers of markup, JSON, dates and addresses stumble. */
export const oddities = [
  '<',
  '>',
  '&',
  '"',
  "'",
  '<!--',
  '-->',
  '<!-- -->',
  '<![CDATA[',
  ']]>',
  '<!DOCTYPE [',
  '<?xml ',
  '?>',
  '<a',
  '<a ',
  '<p>',
  '</p>',
  '<p',
  '<br>',
  '<item>',
  '</item>',
  '<channel>',
  '</rss>',
  '<outline ',
  '<script ',
  '</script>',
  '<style>',
  '<iframe src=x>',
  '<svg onload=x>',
  '<math>',
  '<form>',
  '<textarea>',
  '<template>',
  '<noscript>',
  '<plaintext>',
  '<img src=x onerror=x>',
  '<a href="javascript:x">',
  '<a href="java\nscript:x">',
  '<a href="data:text/html,x">',
  ' onclick=x',
  ' style="x"',
  'xmlns:a="',
  ' a="',
  '=',
  '/',
  '\\',
  '/../',
  '%00',
  '%',
  '?',
  '#',
  '@',
  ':',
  '//',
  'http://',
  'https://a.example/',
  'javascript:',
  '&lt;',
  '&amp;',
  '&#0;',
  '&#x110000;',
  '&#60;',
  '&#x3c;',
  '&nbsp',
  '{',
  '}',
  '[',
  ']',
  '{}',
  '[]',
  'null',
  'true',
  ',',
  '"":',
  '{"toString":1}',
  '"__proto__":',
  '0',
  '-1',
  '1e999',
  '-1e308',
  '9007199254740993',
  '0:00',
  '00:00:00',
  ' --> ',
  '1',
  '.',
  '-',
  '+',
  '•',
  '–',
  '|',
  ' ',
  '\n',
  '\r\n',
  '\t',
  '\n\n',
  '  ',
  '\u0000',
  '\u0001',
  '\u007f',
  '\u0085',
  '\u00a0',
  '\u00ad',
  '\u200b',
  '\u200d',
  '\u202e',
  '\u2028',
  '\u2066',
  '\ufeff',
  '\ufffd',
  '\uffff',
  '\ud800',
  '\udc00',
  'é',
  'e\u0301',
  'ß',
  'İ',
  'ﬁ',
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
  '\u0301',
  'constructor',
  '__proto__',
  'con',
  'a',
]

/** Markup by its tags and names, JSON by its signs, prose by its words. */
export const piecesOf = (text: string): string[] =>
  text.match(/<!--|-->|<!\[CDATA\[|\]\]>|<\/?[\w:.-]+|\/>|[\w:.-]+|\s+|[^\w\s]/gu) ?? []

const place = fc.nat(9999)
const length = fc.oneof(fc.constant(1), fc.nat(5), fc.nat(200))
const inserted = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...oddities) },
  { weight: 2, arbitrary: fc.array(fc.constantFrom(...oddities), { maxLength: 4 }).map(parts => parts.join('')) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
)
const times = fc.constantFrom(1, 1, 1, 2, 30, 300, 3000)

type Edit = (pieces: string[]) => string[]

const edits = (seeds: readonly string[]): fc.Arbitrary<Edit> =>
  fc.oneof(
    fc.tuple(place, length).map(
      ([at, length]): Edit =>
        pieces =>
          pieces.toSpliced(index(pieces, at), length),
    ),
    fc.tuple(place, inserted, times).map(
      ([at, text, times]): Edit =>
        pieces =>
          pieces.toSpliced(index(pieces, at), 0, repeated(text, times)),
    ),
    fc.tuple(place, length, inserted).map(
      ([at, length, text]): Edit =>
        pieces =>
          pieces.toSpliced(index(pieces, at), length, text),
    ),
    fc.tuple(place, length, place, times).map(([from, length, to, times]): Edit => pieces => {
      const start = index(pieces, from)
      const moved = pieces.slice(start, start + length).join('')
      return pieces.toSpliced(index(pieces, to), 0, repeated(moved, times))
    }),
    fc.tuple(place, length, place, fc.constantFrom(...seeds)).map(([from, length, to, seed]): Edit => pieces => {
      const others = piecesOf(seed)
      const start = index(others, from)
      return pieces.toSpliced(index(pieces, to), 0, ...others.slice(start, start + length))
    }),
    place.map(
      (at): Edit =>
        pieces =>
          pieces.slice(0, index(pieces, at)),
    ),
  )

const repeated = (text: string, times: number) =>
  text.repeat(Math.min(times, 1 + Math.floor(MAX_LENGTH / (text.length + 1))))
const index = (pieces: readonly string[], at: number) => Math.floor((pieces.length * at) / 10_000)

/** One of the seeds after a few edits at the borders of its pieces. */
export const mutated = (seeds: readonly string[], maxEdits = 6): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom(...seeds), fc.array(edits(seeds), { maxLength: maxEdits })).map(([seed, edits]) =>
    edits
      .reduce((pieces, edit) => edit(pieces), piecesOf(seed))
      .join('')
      .slice(0, MAX_LENGTH),
  )
