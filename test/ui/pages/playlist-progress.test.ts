import { expect, test } from 'bun:test'
import type { EpisodeWrapper } from '../../../src/shared/api/episode'
import { lengthOf, placeIn } from '../../../src/ui/pages/playlists/use-playlist-actions'

/** Episodes of ten minutes: `-` not played, `+` finished, or the minutes that were played. */
const list = (text: string) =>
  text.split(' ').map((played, index) => ({
    podcastEpisode: { id: `e${index + 1}`, total_time: 600 },
    podcastHistoryItem:
      played === '-' ? null : { position: played === '+' ? 600 : Number(played) * 60, finished: played === '+' },
  })) as unknown as EpisodeWrapper[]

test.each([
  ['- - -', undefined, 0, false],
  ['+ - -', undefined, 1, true],
  ['+ - 4', undefined, 2, true],
  ['+ + +', undefined, 0, false],
  ['- 4 -', 'e3', 2, true],
] as const)('a playlist of %s continues where its listener is (%s in the player)', (text, playing, place, isBegun) => {
  expect(placeIn(list(text), playing)).toEqual({ place, isBegun, isCurrent: playing !== undefined })
})

test('the rest of a playlist leaves out what was played', () => {
  expect(lengthOf(list('+ 4 -'))).toEqual({ total: 1800, left: 960 })
  expect(lengthOf([])).toEqual({ total: 0, left: 0 })
})
