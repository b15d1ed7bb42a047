import { expect, test } from 'bun:test'
import { parseTranscript } from '../../../src/server/texts/transcripts/read'

type Cue = readonly [startMs: number | null, endMs: number | null, speaker: string | null, text: string]

function cuesOf(json: unknown) {
  const found = parseTranscript(typeof json === 'string' ? json : JSON.stringify(json), 'json')
  if ('kind' in found) return found.kind
  return found.segments.map(({ startMs, endMs, speaker, text }): Cue => [startMs, endMs, speaker, text])
}

const passage = (startTime: unknown, endTime: unknown, body: string, more = {}) => ({
  startTime,
  endTime,
  body,
  ...more,
})
const spoken = (content: string, start?: string, end?: string) => ({
  type: start === undefined ? 'punctuation' : 'pronunciation',
  alternatives: [
    { confidence: '0.9', content },
    { confidence: '0.1', content: 'other' },
  ],
  ...(start !== undefined && { start_time: start, end_time: end }),
})

const shapes: readonly (readonly [what: string, json: unknown, cues: readonly Cue[]])[] = [
  [
    'Podcasting 2.0',
    { version: '1.0.0', segments: [passage(0.5, 2, 'Ahoy', { speaker: 'Mara' }), passage(2, 3.25, 'Cast off')] },
    [
      [500, 2000, 'Mara', 'Ahoy'],
      [2000, 3250, null, 'Cast off'],
    ],
  ],
  [
    'Podcasting 2.0, word by word',
    { segments: ['Cast', 'off', '!', 'Now'].map((body, at) => passage(at, at + 1, body, { speaker: 'Mara' })) },
    [
      [0, 3000, 'Mara', 'Cast off!'],
      [3000, 4000, 'Mara', 'Now'],
    ],
  ],
  [
    'times that are text',
    [passage('00:00:01.500', '2', 'Ahoy there.'), passage('2.5s', '3500ms', 'Cast off.')],
    [
      [1500, 2000, null, 'Ahoy there.'],
      [2500, 3500, null, 'Cast off.'],
    ],
  ],
  [
    'commas too many, a comment, and NaN',
    '{"segments": [ // by hand\n {"start": 1, "end": NaN, "text": "Salt, ] and } pepper // really",},],}',
    [[1000, null, null, 'Salt, ] and } pepper // really']],
  ],
  [
    'Whisper',
    {
      text: ' Ahoy there Cast off',
      segments: [
        { id: 0, seek: 0, start: 0, end: 1.5, text: ' Ahoy there', tokens: [1, 2], avg_logprob: -0.2 },
        { id: 1, seek: 0, start: 1.5, end: 3, text: ' Cast off', tokens: [3], avg_logprob: -0.3 },
      ],
      language: 'en',
    },
    [
      [0, 1500, null, 'Ahoy there'],
      [1500, 3000, null, 'Cast off'],
    ],
  ],
  [
    'WhisperX',
    {
      segments: [
        {
          start: 0.1,
          end: 1.2,
          text: ' Ahoy there.',
          words: [{ word: 'Ahoy', start: 0.1, end: 0.4, score: 0.9, speaker: 'SPEAKER_00' }],
          speaker: 'SPEAKER_00',
        },
      ],
      word_segments: [{ word: 'Ahoy', start: 0.1, end: 0.4 }],
    },
    [[100, 1200, 'SPEAKER_00', 'Ahoy there.']],
  ],
  [
    'whisper.cpp',
    {
      params: { model: 'm', language: 'en' },
      result: { language: 'en' },
      transcription: [
        { timestamps: { from: '00:00:01,000', to: '00:00:02,500' }, offsets: { from: 1000, to: 2500 }, text: ' Ahoy.' },
      ],
    },
    [[1000, 2500, null, 'Ahoy.']],
  ],
  [
    'Deepgram, in words',
    {
      metadata: { duration: 4 },
      results: {
        channels: [
          {
            alternatives: [
              {
                transcript: 'ahoy there cast off',
                confidence: 0.9,
                words: [
                  { word: 'ahoy', start: 0.1, end: 0.5, speaker: 0, punctuated_word: 'Ahoy' },
                  { word: 'there', start: 0.5, end: 0.9, speaker: 0, punctuated_word: 'there.' },
                  { word: 'cast', start: 1, end: 1.5, speaker: 1, punctuated_word: 'Cast' },
                  { word: 'off', start: 1.5, end: 2, speaker: 1, punctuated_word: 'off.' },
                ],
              },
            ],
          },
        ],
      },
    },
    [
      [100, 900, 'Speaker 0', 'Ahoy there.'],
      [1000, 2000, 'Speaker 1', 'Cast off.'],
    ],
  ],
  [
    'Deepgram, in paragraphs',
    {
      results: {
        channels: [
          {
            alternatives: [
              {
                transcript: 'Ahoy. Cast off.',
                words: [{ word: 'ahoy', start: 0, end: 1 }],
                paragraphs: {
                  transcript: 'Ahoy. Cast off.',
                  paragraphs: [
                    {
                      sentences: [
                        { text: 'Ahoy.', start: 0, end: 1 },
                        { text: 'Cast off.', start: 1, end: 2 },
                      ],
                      speaker: 1,
                      start: 0,
                      end: 2,
                    },
                  ],
                },
              },
            ],
          },
        ],
      },
    },
    [
      [0, 1000, 'Speaker 1', 'Ahoy.'],
      [1000, 2000, 'Speaker 1', 'Cast off.'],
    ],
  ],
  [
    'Deepgram, in utterances',
    { results: { channels: [], utterances: [{ start: 1, end: 2, transcript: 'Ahoy there.', speaker: 2, words: [] }] } },
    [[1000, 2000, 'Speaker 2', 'Ahoy there.']],
  ],
  [
    'AWS Transcribe',
    {
      jobName: 'j',
      results: {
        transcripts: [{ transcript: 'Ahoy, there. Cast off.' }],
        items: [
          { ...spoken('Ahoy', '0.1', '0.5'), speaker_label: 'spk_0' },
          spoken(','),
          { ...spoken('there', '0.5', '0.9'), speaker_label: 'spk_0' },
          spoken('.'),
          { ...spoken('Cast', '1.0', '1.4'), speaker_label: 'spk_1' },
          { ...spoken('off', '1.4', '1.8'), speaker_label: 'spk_1' },
          spoken('.'),
        ],
      },
      status: 'COMPLETED',
    },
    [
      [100, 900, 'spk_0', 'Ahoy, there.'],
      [1000, 1800, 'spk_1', 'Cast off.'],
    ],
  ],
  [
    'AssemblyAI',
    {
      text: 'Ahoy there.',
      audio_duration: 12,
      utterances: [{ start: 1500, end: 2750, text: 'Ahoy there.', speaker: 'A', words: [] }],
      words: [{ text: 'Ahoy', start: 1500, end: 1800 }],
    },
    [[1500, 2750, 'A', 'Ahoy there.']],
  ],
  [
    'AssemblyAI, in parts of a millisecond',
    { audio_duration: 12, utterances: [{ start: 0.5, end: 2750.25, text: 'Ahoy there.', speaker: 'A' }] },
    [[0, 2750, 'A', 'Ahoy there.']],
  ],
  [
    'Podlove',
    [
      {
        start: '00:00:01.000',
        start_ms: 1000,
        end: '00:00:02.000',
        end_ms: 2000,
        speaker: '',
        voice: 'Mara',
        text: 'Ahoy',
      },
    ],
    [[1000, 2000, 'Mara', 'Ahoy']],
  ],
  [
    'Rev',
    {
      monologues: [
        {
          speaker: 3,
          elements: [
            { type: 'text', value: 'Cast', ts: 0.5, end_ts: 0.9 },
            { type: 'punct', value: ' ' },
            { type: 'text', value: 'off', ts: 0.9, end_ts: 1.4 },
            { type: 'punct', value: '.' },
          ],
        },
      ],
    },
    [[500, 1400, 'Speaker 3', 'Cast off.']],
  ],
  [
    'Google',
    {
      results: [
        {
          alternatives: [
            {
              transcript: 'ahoy there',
              words: [
                { startTime: '1.4s', endTime: '1.8s', word: 'ahoy' },
                { startTime: '1.8s', endTime: '2s', word: 'there' },
              ],
            },
          ],
        },
      ],
    },
    [[1400, 2000, null, 'ahoy there']],
  ],
  ['words without times', { text: 'Ahoy there.', task: 'transcribe' }, [[null, null, null, 'Ahoy there.']]],
]

test.each(shapes)('JSON of %s is read with its times, speakers and words', (_, json, cues) => {
  expect(cuesOf(json)).toEqual(cues as Cue[])
})

test.each([
  ['other JSON', '{"version":"1.2.0","items":{"a":1}}', 'json'],
  ['JSON without a word', '{"segments":[]}', 'json'],
  ['JSON that breaks off', '{"segments":[{"startTime":1,"body":"Aho', 'broken-json'],
])('%s is refused as such', (_, json, kind) => {
  expect(cuesOf(json) as string).toBe(kind)
})

test('odd values in JSON are left out', () => {
  const odd = '[{"start":1,"text":{"toString":1}},{"start":2,"body":[[[[1]]]]},{"start":3,"text":42},null,7,"Ahoy"]'
  expect(cuesOf(odd)).toEqual([
    [3000, null, null, '42'],
    [null, null, null, 'Ahoy'],
  ])
  expect(cuesOf('[{"start":1e38,"text":"late"}]')).toEqual([[null, null, null, 'late']])
  expect(cuesOf(`${'['.repeat(5000)}1${']'.repeat(5000)}`) as string).toBe('json')
})
