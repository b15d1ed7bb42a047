import fc from 'fast-check'
import { createNames, safeSegment } from '../../../src/server/downloads/names'
import { openStore } from '../../../src/server/store'
import type { Naming } from '../../../src/shared/api/settings'
import { oddities } from '../mutate'
import { require, type Target } from '../target'

const words = [
  'con',
  'CON',
  'nul.txt',
  'com1',
  'lpt¹',
  '..',
  '.',
  '~',
  '.partial',
  'Fog',
  'x'.repeat(100),
  'é'.repeat(60),
  '\u0301'.repeat(97),
]
const odd = fc
  .array(fc.oneof(fc.constantFrom(...oddities, ...words), fc.string({ unit: 'binary', maxLength: 8 })), {
    maxLength: 6,
  })
  .map(parts => parts.join(''))
const formats = [
  '{title}',
  '{episodeTitle}',
  '{date} {title}',
  '../{title}',
  '{description}',
  '{guid}/{url}',
  '{episodeNumber}. {title}',
  'con',
  '',
]

type NamesInput = {
  title: string
  notes: string
  guid: string
  url: string
  taken: number
  extension: string
  naming: Naming
}

const MAX_BYTES = 200
const reserved = /^(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])\s*(\.|$)/i

/**
 * Whatever titles, guids and addresses hold: a file of its own in its podcast's folder, by a name that all systems
 * take.
 */
export function names(): Target<NamesInput> {
  const names = createNames({ store: openStore(':memory:') })
  return {
    name: 'names',
    texts: ['title', 'notes', 'guid'],
    inputs: fc.record({
      title: odd,
      notes: odd,
      guid: odd,
      url: odd.map(path => `https://pod.example/${path}`),
      taken: fc.nat(12),
      extension: fc.constantFrom('.mp3', '.m4a', '.webm'),
      naming: fc.record({
        useExistingFilename: fc.boolean(),
        replaceInvalidCharacters: fc.boolean(),
        replacementStrategy: fc.constantFrom('replace-with-dash', 'replace-with-dash-and-underscore', 'remove'),
        episodeFormat: fc.constantFrom(...formats),
        podcastFormat: fc.constantFrom(...formats.filter(format => !/guid|url|Number/.test(format))),
        directPaths: fc.boolean(),
        episodeNumbering: fc.boolean(),
      }),
    }),
    check({ title, notes, guid, url, taken, extension, naming }) {
      const many = (left: number) => () => left-- > 0
      const episode = {
        id: 1,
        eid: 'eid',
        podcast_id: 1,
        title,
        notes,
        published_at: 0,
        duration: 0,
        guid,
        enclosure_url: url,
      }
      const podcast = {
        title,
        summary: notes,
        language: null,
        explicit: 0,
        keywords: guid,
        built_at: null,
        added_at: 0,
      }
      const folder = names.folderFor(podcast, naming, many(taken))
      requireSegment(folder, naming)
      const path = names.pathFor(episode, { folder }, extension, many(taken), naming)
      const parts = path.split('/')
      require(parts.length === (naming.directPaths ? 2 : 3) && parts[0] === folder, 'a file is elsewhere', path)
      for (const part of parts) requireSegment(part, naming)
      require(path.endsWith(extension), 'a file has lost its ending', path)
      requireSegment(safeSegment(title, 'fallback', naming), naming)
    },
  }
}

function requireSegment(name: string, { replaceInvalidCharacters }: Naming) {
  require(name !== '' && !name.startsWith('.'), 'a name is empty or hidden', name)
  require(Buffer.byteLength(name) <= MAX_BYTES, 'a name is too long', [name, Buffer.byteLength(name)])
  require(!/[/\\\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.test(
    name,
  ), 'a name holds what it must not', name)
  require(!replaceInvalidCharacters || !/[:*?"<>|]/.test(name), 'a name holds what systems refuse', name)
  require(!/[.\s]$/.test(name), 'a name ends in a dot or a space', name)
  require(!reserved.test(name), 'a name is reserved', name)
  require(name.isWellFormed(), 'a name holds half a character', name)
}
