import { Type } from '@sinclair/typebox'
import { Problem } from '../../../../platform/problem'
import type { Store } from '../../../../store'
import type { Viewer } from '../../../../store/visibility'
import { Id } from '../tool'

export const Episodes = Type.Array(Id('The id of an episode'), {
  minItems: 1,
  maxItems: 50,
  description: 'Ids of episodes',
})

/** The rows of episodes; nothing is done by halves. Throws `episode-not-found` where the viewer may not see one. */
export function chosenEpisodes(store: Store, viewer: Viewer, ids: readonly string[]): number[] {
  const found = store.episodes.idsAmong(viewer, ids)
  if (found.length === new Set(ids).size) return found
  const unknown = ids.find(id => store.episodes.findVisible(viewer, id) === null) ?? ids[0]!
  throw new Problem('episode-not-found', `There is no episode with the id ${unknown}; nothing was changed`)
}
