import { expect, test } from 'bun:test'
import type { Podcast } from '../../../src/shared/api/podcast'
import type { EpisodeHit } from '../../../src/shared/api/search'
import type { DirectoryHit } from '../../../src/ui/api/directory'
import type { Command } from '../../../src/ui/library/search/commands'
import { groupsOf } from '../../../src/ui/library/search/hits'
import { matches, partsOf } from '../../../src/ui/library/search/hit-row'
import type { Found } from '../../../src/ui/state/search'

const marked = (text: string, words: string) =>
  partsOf(text, words)
    .map(({ part, isMarked }) => (isMarked ? `[${part}]` : part))
    .join('')

test('words are marked where they begin a word, in any case', () => {
  expect(marked('Lighthouse, daylight and LIGHT', 'light')).toBe('[Light]house, daylight and [LIGHT]')
  expect(marked('Fog and Foam', 'foam fog')).toBe('[Fog] and [Foam]')
  expect(marked('C++ (in depth)', '(')).toBe('C++ (in depth)')
  expect(partsOf('Fog', 'fog')).toMatchObject([
    { part: '', at: 0 },
    { part: 'Fog', at: 0 },
    { part: '', at: 3 },
  ])
})

test('letters are marked as they are written, however they are typed', () => {
  expect(marked('Łódź, Straße, Øresund', 'lodz strasse oresund')).toBe('[Łódź], [Straße], [Øresund]')
  expect(marked('Straßenbahn und Æther', 'stras ae')).toBe('[Straß]enbahn und [Æ]ther')
  expect(marked('Cafe\u0301 noir', 'cafe')).toBe('[Cafe\u0301] noir')
  expect(marked('東京タワーの話', 'タワ')).toBe('東京[タワ]ーの話')
})

test('a command is found by the beginnings of its words, accents aside', () => {
  expect(matches('Thème sombre', 'theme som')).toBe(true)
  expect(matches('Light theme', 'theme light')).toBe(true)
  expect(matches('Light theme', 'eme')).toBe(false)
})

const podcasts = (count: number) => Array.from({ length: count }, (_, id) => ({ id: `p${id}` }) as Podcast)
const hits = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ podcastEpisode: { id: `e${id}` } }) as EpisodeHit)
const found = (given: { podcasts?: number; episodes?: number; cursor?: string; said?: number }): Found => ({
  words: 'fog',
  podcasts: podcasts(given.podcasts ?? 0),
  people: [],
  episodes: { hits: hits(given.episodes ?? 0), cursor: given.cursor ?? null },
  said: { hits: hits(given.said ?? 0), cursor: null },
})
const inDirectory = [{ feedUrl: 'https://a.example' } as DirectoryHit]
const commands = [1, 2, 3, 4].map(id => ({ id: `c${id}` }) as Command)

test('of each group three are shown, and what leads to the rest with its number', () => {
  const groups = groupsOf({
    scope: 'everything',
    found: found({ podcasts: 1, episodes: 30, cursor: 'more', said: 4 }),
    inDirectory,
    commands,
  })
  expect(groups.map(({ title, count, hits }) => [title, count, hits.length])).toEqual([
    ['your-podcasts', '', 1],
    ['episodes', '30+', 4],
    ['said-in-transcripts', '4', 4],
    ['in-the-directory', '', 1],
    ['commands-and-pages', '', 3],
  ])
  expect(groups[1]!.hits.at(-1)).toEqual({ kind: 'all', scope: 'episodes', count: '30+' })
})

test('a scope shows all of its own', () => {
  const groups = groupsOf({ scope: 'episodes', found: found({ episodes: 30 }), inDirectory: null, commands: [] })
  expect(groups.map(({ title, count, hits }) => [title, count, hits.length])).toEqual([['episodes', '30', 30]])
})
