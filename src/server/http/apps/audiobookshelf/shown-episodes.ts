import type { Context } from '../../../context'
import type { CatalogueEpisode, CataloguePodcast } from '../../../store/catalogue'
import type { Viewer } from '../../../store/visibility'
import { presentEpisode, type EpisodeOut } from './shapes/episode'

/** An episode in its plain form, with the rows that it was made of. */
export type ShownEpisode = { row: CatalogueEpisode; podcast: CataloguePodcast; episode: EpisodeOut }

/** Shows episodes in their plain form, with their chapters. */
export function createShownEpisodes({ store: { catalogue, chapters } }: Pick<Context, 'store'>) {
  /** Episodes of these podcasts. */
  function show(rows: readonly CatalogueEpisode[], podcasts: readonly CataloguePodcast[], withNotes: boolean) {
    const own = chapters.bestOf(rows.filter(row => row.has_own_chapters).map(row => row.id))
    const byId = new Map(podcasts.map(row => [row.id, row]))
    return rows.flatMap((row): ShownEpisode[] => {
      const podcast = byId.get(row.podcast_id)
      return podcast ? [{ row, podcast, episode: presentEpisode(row, podcast, own.get(row.id) ?? [], withNotes) }] : []
    })
  }

  /** Episodes by their rows, in that order, as far as their viewer may see them. */
  function showThose(viewer: Viewer, episodeIds: readonly number[], withNotes: boolean) {
    const rows = catalogue.episodes(viewer, episodeIds, withNotes)
    return show(rows, catalogue.podcasts(viewer, [...new Set(rows.map(row => row.podcast_id))]), withNotes)
  }

  return { show, showThose }
}
