import type { Store } from '../../../../store'
import type { EpisodeForUser } from '../../../../store/episodes'
import type { Viewer } from '../../../../store/visibility'
import { episodeFacts } from '../write'

/** Episodes with the titles of their podcasts. */
export function presentEpisodes(store: Store, viewer: Viewer, rows: readonly EpisodeForUser[], base: string) {
  const podcasts = store.podcasts.mapFor(viewer, [...new Set(rows.map(row => row.podcast_uuid))])
  return rows.map(row => episodeFacts(row, podcasts.get(row.podcast_uuid)?.title ?? '', base))
}
