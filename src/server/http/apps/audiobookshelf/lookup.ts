import type { Context } from '../../../context'
import type { CatalogueEpisode, CataloguePodcast } from '../../../store/catalogue'
import type { Viewer } from '../../../store/visibility'
import { forbidden, notFound } from './protocol'

/** An episode with the uuid of its podcast. */
export type FoundEpisode = CatalogueEpisode & { podcast_uuid: string }

/** Finds what an app names. Both throw `AppRefusal`: 404 where there is nothing, 403 where it is hidden. */
export function createLookup({ store: { catalogue } }: Pick<Context, 'store'>) {
  /** A podcast by its uuid. */
  function requirePodcast(viewer: Viewer, uuid: string): CataloguePodcast {
    const id = catalogue.podcastId(uuid)
    if (id === null) throw notFound()
    const [row] = catalogue.podcasts(viewer, [id])
    if (!row) throw forbidden()
    return row
  }

  /** An episode of a podcast, by their uuids. */
  function requireEpisode(viewer: Viewer, podcast: string, uuid: string): FoundEpisode {
    const { id } = requirePodcast(viewer, podcast)
    const found = catalogue.episodeIds(uuid)
    if (found?.podcast_id !== id) throw notFound()
    const [row] = catalogue.episodes(viewer, [found.id], true)
    if (!row) throw forbidden()
    return { ...row, podcast_uuid: podcast }
  }

  return { requirePodcast, requireEpisode }
}
