import { expect, test } from 'bun:test'
import type { EpisodeWrapper } from '../../../src/shared/api/episode'
import { entriesOf, entriesOfSections, shownGroups } from '../../../src/ui/library/episodes/episode-list-groups'

const items = ['a1', 'a2', 'b1', 'a3'].map(id => ({ podcastEpisode: { id } }) as EpisodeWrapper)
const groupOf = ({ podcastEpisode: { id } }: EpisodeWrapper) => ({ key: id[0]!, label: id[0]! })
const shown = (...indexes: number[]) => indexes.map(index => ({ index }))

test('a heading stands before every run of the same group, and knows where its run ends', () => {
  const entries = entriesOf(items, groupOf)
  expect(entries.map(entry => (entry.kind === 'row' ? entry.key : `${entry.key} ${entry.at}–${entry.end}`))).toEqual([
    'a 0–3',
    'a1',
    'a2',
    'b 3–5',
    'b1',
    'a 5–7',
    'a3',
  ])
})

test('rows keep their place among the episodes', () => {
  const places = entriesOf(items, groupOf).flatMap(entry => (entry.kind === 'row' ? entry.place : []))
  expect(places).toEqual([0, 1, 2, 3])
})

test('without groups there are rows alone', () => {
  expect(entriesOf(items).map(({ kind }) => kind)).toEqual(['row', 'row', 'row', 'row'])
})

test('a section that is folded keeps its heading, and the places of the rows below it', () => {
  const entries = entriesOfSections([
    { key: 'a', label: 'A', count: 2, isFolded: true },
    { key: 'b', label: 'B', count: 2 },
    { key: 'c', count: 1 },
  ])
  expect(
    entries.map(entry =>
      entry.kind === 'row' ? `${entry.place} below ${entry.groupAt}` : `${entry.key} ${entry.at}–${entry.end}`,
    ),
  ).toEqual(['a 0–1', 'b 1–4', '2 below 1', '3 below 1', '4 below -1'])
})

test('a heading that is scrolled away is drawn before the first of its rows in sight', () => {
  const entries = entriesOf(items, groupOf)
  const groups = shownGroups(entries, shown(2, 3, 4))
  expect([...groups].map(([index, { key }]) => `${index} ${key}`)).toEqual(['2 a', '3 b'])
})
