import type { EpisodeWrapper } from '../../../shared/api/episode'
import type { Selection } from '../../state/selection'
import type { EpisodeRows } from './use-episode-window'

/** Selects everything between the episode selected last and this one, also rows that were never in sight. */
export async function extendOver(list: EpisodeRows, selection: Selection<EpisodeWrapper>, wrapper: EpisodeWrapper) {
  const anchor = selection.anchor()
  const placeOf = (id: string) => list.seek(({ podcastEpisode }) => podcastEpisode.id === id)
  const ends = [anchor, wrapper.podcastEpisode.id].flatMap(id => (id === null ? [] : (placeOf(id) ?? [])))
  const [from, to] = [Math.min(...ends), Math.max(...ends)]
  if (ends.length === 2) await list.fill?.(from, to)
  // Another choice may have been made.
  if (selection.anchor() !== anchor) return
  const range = ends.length < 2 ? [] : Array.from({ length: to - from + 1 }, (_, at) => list.at(from + at))
  selection.extendTo(
    wrapper,
    range.filter(row => row !== undefined),
  )
}
