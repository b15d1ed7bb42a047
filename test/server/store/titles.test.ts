import { expect, test } from 'bun:test'
import { fold } from '../../../src/shared/fold'
import { foldedTitle, sortByTitle } from '../../../src/server/store/podcast-settings'

const sorted = (...titles: string[]) => sortByTitle(titles.map(title => ({ title }))).map(({ title }) => title)

test('numbers in titles count by their value', () => {
  expect(sorted('Episode 10', 'Episode 2', 'Episode 1')).toEqual(['Episode 1', 'Episode 2', 'Episode 10'])
})

test('case and accents do not separate titles, and equal ones keep their order', () => {
  expect(sorted('zebra', 'Álamo', 'alpha', 'Beta')).toEqual(['Álamo', 'alpha', 'Beta', 'zebra'])
  expect(sorted('FOG', 'Fóg', 'fog')).toEqual(['FOG', 'Fóg', 'fog'])
  expect(sorted('fog', 'Fóg', 'FOG')).toEqual(['fog', 'Fóg', 'FOG'])
})

test('titles that come later are put among those that are known', () => {
  expect(sorted('Anchor', 'Cliff')).toEqual(['Anchor', 'Cliff'])
  expect(sorted('Dune', 'Anchor', 'Buoy', 'Cliff')).toEqual(['Anchor', 'Buoy', 'Cliff', 'Dune'])
})

test('more titles than are remembered are sorted all the same', () => {
  const many = Array.from({ length: 21_000 }, (_, index) => `Show ${index}`)
  expect(sorted(...many.toReversed())).toEqual(many)
  expect(sorted('Show 3', 'Aardvark')).toEqual(['Aardvark', 'Show 3'])
  expect(new Set(many.map(foldedTitle)).size).toBe(many.length)
  expect(foldedTitle('ÜBER 0')).toBe(fold('Über 0'))
})
