import { expect, test } from 'bun:test'
import { readTranscript } from '../../../src/server/texts/transcripts/read'
import { encode, utf16 } from '../../support/encode'

/** Where it begins and ends in milliseconds, who speaks, and what is said. */
type Cue = readonly [startMs: number | null, endMs: number | null, speaker: string | null, text: string]

const lines = (...all: string[]) => all.join('\n')

export const read = (body: string | Uint8Array, label = '', language: string | null = null) => {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const address = 'https://pod.example/transcript'
  return readTranscript({ body: bytes, type: label, contentType: '', address, language })
}

function cuesOf(body: string | Uint8Array, label?: string, language?: string) {
  const found = read(body, label, language)
  if ('kind' in found) return found.kind
  return found.segments.map(({ startMs, endMs, speaker, text }): Cue => [startMs, endMs, speaker, text])
}

const tide = lines('1', '00:00:01,000 --> 00:00:02,000', 'The tide is high', '', '2', '00:00:03,000 --> 00:00:04,500')
const harbour = '1\n00:00:01,000 --> 00:00:02,000\n'
const german = `${harbour}Grüße vom Leuchtturm, schöne Wellen`

const shapes: readonly (readonly [what: string, body: string | Uint8Array, cues: readonly Cue[]])[] = [
  [
    'SubRip without empty lines',
    lines(
      '1',
      '00:00:00,000 --> 00:00:02,000',
      'First bell',
      '2',
      '00:00:02,000 --> 00:00:04,000',
      'Second',
      'bell',
      '3',
      '00:00:04,000 --> 00:00:06,000',
      '42',
    ),
    [
      [0, 2000, null, 'First bell'],
      [2000, 4000, null, 'Second bell'],
      [4000, 6000, null, '42'],
    ],
  ],
  [
    'SubRip with an empty line after each time',
    lines('1', '00:00:00,000 --> 00:00:02,000', '', 'Fog', '', '2', '00:00:02,000 --> 00:00:04,000', '', 'Rain', ''),
    [
      [0, 2000, null, 'Fog'],
      [2000, 4000, null, 'Rain'],
    ],
  ],
  [
    'SubRip with empty lines within a cue',
    `${tide}\nOne line\n\nand one more\n`,
    [
      [1000, 2000, null, 'The tide is high'],
      [3000, 4500, null, 'One line and one more'],
    ],
  ],
  [
    'SubRip without numbers, in which a number is spoken',
    lines('00:00:01,000 --> 00:00:02,000', '12', '00:00:02,000 --> 00:00:03,000', 'So many?', ''),
    [
      [1000, 2000, null, '12'],
      [2000, 3000, null, 'So many?'],
    ],
  ],
  ['a dot before the milliseconds', '1\n00:00:01.250 --> 00:00:02.750\nAhoy', [[1250, 2750, null, 'Ahoy']]],
  ['a colon before the milliseconds', '1\n00:00:01:250 --> 00:00:02:750\nAhoy', [[1250, 2750, null, 'Ahoy']]],
  ['arrows without blanks', '1\n00:00:01,500-->00:00:02,500\nAhoy', [[1500, 2500, null, 'Ahoy']]],
  ['arrows of one dash', '1\n00:00:01,500 -> 00:00:02,500\nAhoy', [[1500, 2500, null, 'Ahoy']]],
  ['escaped arrows', '1\n00:00:01,500 --&gt; 00:00:02,500\nAhoy', [[1500, 2500, null, 'Ahoy']]],
  ['blanks within the times', '1\n00: 00: 01, 500 --> 00: 00: 02, 500\nAhoy', [[1500, 2500, null, 'Ahoy']]],
  ['words behind the times', '00:00:01,500 --> 00:00:02,500 Ahoy there', [[1500, 2500, null, 'Ahoy there']]],
  ['places behind the times', '1\n00:01,5 --> 00:02,5 X1:10 X2:20\nAhoy', [[1500, 2500, null, 'Ahoy']]],
  [
    'hours of three and of four digits',
    lines('100:00:01.000 --> 100:00:02.000', 'Late', '', '1000:00:00.000 --> 1000:00:01.000', 'Later'),
    [
      [360_001_000, 360_002_000, null, 'Late'],
      [3_600_000_000, 3_600_001_000, null, 'Later'],
    ],
  ],
  ['single digits', '1\n0:0:1,5 --> 0:0:2,5\nAhoy', [[1500, 2500, null, 'Ahoy']]],
  ['Windows line ends', tide.replaceAll('\n', '\r\n').slice(0, -36), [[1000, 2000, null, 'The tide is high']]],
  ['line ends of old Macs', `${harbour}Ahoy`.replaceAll('\n', '\r'), [[1000, 2000, null, 'Ahoy']]],
  [
    'WebVTT with a header, names of cues, notes and styles',
    lines(
      'WEBVTT - The harbour',
      'Kind: captions',
      '',
      'STYLE',
      '::cue { color: red }',
      '',
      'intro',
      '00:01.000 --> 00:02.000 align:start position:0%',
      'Ahoy',
      '',
      'NOTE nobody says this,',
      'nor this',
      '',
      'second name',
      '00:03.000 --> 00:04.000',
      'Cast off',
    ),
    [
      [1000, 2000, null, 'Ahoy'],
      [3000, 4000, null, 'Cast off'],
    ],
  ],
  [
    'several voices in one cue of WebVTT',
    lines(
      'WEBVTT',
      '',
      '00:01.000 --> 00:04.000',
      '<v.loud Mara Field>Ahoy!</v> <v Tom &amp; Tim>Who calls?',
      'We do.',
    ),
    [
      [1000, 4000, 'Mara Field', 'Ahoy!'],
      [1000, 4000, 'Tom & Tim', 'Who calls? We do.'],
    ],
  ],
  [
    'words with times of their own',
    'WEBVTT\n\n00:01.000 --> 00:02.000\n<00:01.000><c>Cast</c><00:01.500><c.yellow> off</c>',
    [[1000, 2000, null, 'Cast off']],
  ],
  [
    'several voices in one cue of SubRip',
    `${harbour}MARA: Ahoy!\nTOM: Who calls?\nI can't see.`,
    [
      [1000, 2000, 'MARA', 'Ahoy!'],
      [1000, 2000, 'TOM', "Who calls? I can't see."],
    ],
  ],
  [
    'styles of subtitles',
    `${harbour}<font color="#fff">{\\an8}<i>Sly</i>ly</font>\\NDone`,
    [[1000, 2000, null, 'Slyly Done']],
  ],
  ['signs of mathematics', `${harbour}if a < b and c > d, 1<2`, [[1000, 2000, null, 'if a < b and c > d, 1<2']]],
  ['entities', `${harbour}Salt &amp; pepper &lt;both&gt;`, [[1000, 2000, null, 'Salt & pepper <both>']]],
  [
    'voices that a program has numbered',
    lines(
      '1',
      '00:00:00,000 --> 00:00:01,000',
      'SPEAKER_01: Ahoy',
      '2',
      '00:00:01,000 --> 00:00:02,000',
      '[SPEAKER_02]: Who calls?',
      '3',
      '00:00:02,000 --> 00:00:03,000',
      '[SPEAKER_01] The harbour',
    ),
    [
      [0, 1000, 'SPEAKER_01', 'Ahoy'],
      [1000, 2000, 'SPEAKER_02', 'Who calls?'],
      [2000, 3000, 'SPEAKER_01', 'The harbour'],
    ],
  ],
  [
    'words that are nobody’s name',
    lines(
      '1',
      '00:00:00,000 --> 00:00:01,000',
      'Remember: mind the gap',
      '2',
      '00:00:01,000 --> 00:00:02,000',
      'At 10:30 we leave',
      '3',
      '00:00:02,000 --> 00:00:03,000',
      'Anna van der Berg: Right',
    ),
    [
      [0, 1000, null, 'Remember: mind the gap'],
      [1000, 2000, null, 'At 10:30 we leave'],
      [2000, 3000, 'Anna van der Berg', 'Right'],
    ],
  ],
  [
    'subtitles of YouTube',
    lines('0:00:00.599,0:00:04.160', 'Ahoy', 'there', '', '0:00:04.160,0:00:06.770', 'Cast off'),
    [
      [599, 4160, null, 'Ahoy there'],
      [4160, 6770, null, 'Cast off'],
    ],
  ],
  [
    'lyrics',
    lines('[ar: The Tide]', '[offset:+500]', '[00:12.00][01:12.50]Heave ho', '[00:15.30] <00:15.30>and <00:16.00>up'),
    [
      [11_500, null, null, 'Heave ho'],
      [14_800, null, null, 'and up'],
      [72_000, null, null, 'Heave ho'],
    ],
  ],
  [
    'TTML with agents and breaks',
    lines(
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttm="http://www.w3.org/ns/ttml#metadata"><head><metadata>',
      '<ttm:agent type="person" xml:id="v1"><ttm:name type="full">Mara</ttm:name></ttm:agent></metadata></head>',
      '<body><div><p begin="00:00:01.500" end="00:00:03.000" ttm:agent="v1">Ahoy,<br/>harbour</p>',
      '<p begin="4s" dur="1500ms"><span>Who</span> <span>calls?</span></p><!-- <p begin="9s">no</p> --></div></body></tt>',
    ),
    [
      [1500, 3000, 'Mara', 'Ahoy, harbour'],
      [4000, 5500, null, 'Who calls?'],
    ],
  ],
  [
    'TTML with a prefix, ticks and frames',
    '<tt:tt ttp:tickRate="10" ttp:frameRate="25"><tt:body><tt:div><tt:p begin="15t" end="00:00:02:05">A</tt:p></tt:div></tt:body></tt:tt>',
    [[1500, 2200, null, 'A']],
  ],
  [
    'text with times and names',
    lines('00:00:05 Anna: Ahoy', '', '[00:01:10] Bob: Next', 'and more', '', 'No time here'),
    [
      [5000, null, 'Anna', 'Ahoy'],
      [70_000, null, 'Bob', 'Next and more'],
      [null, null, null, 'No time here'],
    ],
  ],
  [
    'text with a line of its own for name and time',
    lines('Anna Field  0:05', 'Ahoy, all of you.', '', 'Speaker 2 (01:02:03):', 'Who calls?'),
    [
      [5000, null, 'Anna Field', 'Ahoy, all of you.'],
      [3_723_000, null, 'Speaker 2', 'Who calls?'],
    ],
  ],
  [
    'text with a line of its own for the time',
    lines('0:00', 'Ahoy', '0:04', 'Who', 'calls?'),
    [
      [0, null, null, 'Ahoy'],
      [4000, null, null, 'Who calls?'],
    ],
  ],
  [
    'text that says when somebody meets',
    lines('10:30 is when we meet.', '', 'Then we sail.'),
    [
      [null, null, null, '10:30 is when we meet.'],
      [null, null, null, 'Then we sail.'],
    ],
  ],
  [
    'HTML of Podcasting 2.0',
    '<cite>Mara:</cite> <time>1:01</time><p>One</p><p>Two <script>alert(1)</script></p><cite>Tom</cite><time>1:05</time><p>Three</p>',
    [
      [61_000, null, 'Mara', 'One'],
      [61_000, null, 'Mara', 'Two'],
      [65_000, null, 'Tom', 'Three'],
    ],
  ],
  [
    'a page with times in its text',
    '<!DOCTYPE html><html><head><title>T</title><style>p{}</style></head><body><nav>Menu</nav><p><b>Anna:</b> (00:12) Ahoy.</p><p>[00:01:05] Bob: Fish &amp;\n chips</p></body></html>',
    [
      [12_000, null, 'Anna', 'Ahoy.'],
      [65_000, null, 'Bob', 'Fish & chips'],
    ],
  ],
  [
    'SubRip within a page',
    `<html><body><pre>1\n00:00:01,000 --&gt; 00:00:02,000\nAhoy\n</pre></body></html>`,
    [[1000, 2000, null, 'Ahoy']],
  ],
  ['UTF-8 with a mark', `\uFEFFWEBVTT\n\n00:01.000 --> 00:02.000\nGrüße`, [[1000, 2000, null, 'Grüße']]],
  ['UTF-16, little end first', utf16(german), [[1000, 2000, null, 'Grüße vom Leuchtturm, schöne Wellen']]],
  [
    'UTF-16, big end first',
    utf16(german, { isBigEndian: true }),
    [[1000, 2000, null, 'Grüße vom Leuchtturm, schöne Wellen']],
  ],
  [
    'UTF-16 without a mark',
    utf16(german, { hasMark: false }),
    [[1000, 2000, null, 'Grüße vom Leuchtturm, schöne Wellen']],
  ],
]

test.each(shapes)('%s is read with its times, speakers and words', (_, body, cues) => {
  expect(cuesOf(body)).toEqual(cues as Cue[])
})

const charsets: readonly (readonly [charset: string, words: string])[] = [
  ['windows-1252', 'J’ai dit “bonjour” à l’élève – deuxième fois'],
  ['iso-8859-1', 'Hallo wörld, schöne Grüße über die Brücke'],
  ['iso-8859-2', 'Dzień dobry, dziś rozmawiamy o łódkach i żaglach'],
  ['windows-1250', 'Dobrý den, vážení posluchači, příště o žlutém koni'],
  ['koi8-r', 'Привет, сегодня мы говорим о маяках и кораблях'],
  ['windows-1251', 'Привет, сегодня мы говорим о маяках и кораблях'],
  ['gbk', '大家好，欢迎收听今天的节目，我们来谈谈灯塔'],
  ['big5', '大家好，歡迎收聽今天的節目，我們來談談燈塔'],
  ['shift_jis', 'こんにちは、今日は灯台の話をします'],
  ['euc-jp', 'こんにちは、今日は灯台の話をします'],
  ['euc-kr', '안녕하세요, 오늘은 등대 이야기를 하겠습니다'],
]

test.each(charsets)('%s that says nothing of it is read with its letters, and kept as UTF-8', (charset, words) => {
  const srt = `${harbour}${words}\n`
  const body = encode(srt, charset)
  expect(cuesOf(body)).toEqual([[1000, 2000, null, words]])
  expect(read(body)).toMatchObject({ text: Buffer.from(srt) })
})

test('the language of a transcript helps to tell the charset of a few letters', () => {
  expect(cuesOf(encode(`${harbour}灯台`, 'shift_jis'), '', 'ja')).toEqual([[1000, 2000, null, '灯台']])
  expect(cuesOf(encode(`${harbour}灯塔`, 'gbk'), '', 'zh-CN')).toEqual([[1000, 2000, null, '灯塔']])
})

test.each(['application/json', 'text/html', 'text/plain', 'application/srt', 'application/octet-stream', 'text/vtt'])(
  'every format is read though it is called %s',
  label => {
    const ahoy: Cue = [1000, 2000, null, 'Ahoy']
    expect(cuesOf('WEBVTT\n\n00:01.000 --> 00:02.000\nAhoy', label)).toEqual([ahoy])
    expect(cuesOf(`${harbour}Ahoy`, label)).toEqual([ahoy])
    expect(cuesOf('{"segments":[{"startTime":1,"endTime":2,"body":"Ahoy"}]}', label)).toEqual([ahoy])
    expect(cuesOf('<p>[00:01] Ahoy</p>', label)).toEqual([[1000, null, null, 'Ahoy']])
  },
)
