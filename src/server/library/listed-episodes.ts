import { invalidField } from '../platform/problem'
import type { Store } from '../store'
import type { Viewer } from '../store/visibility'

/** The ids of the episodes in a list that a client sent. Throws `invalid-field`, which names the unknown item. */
export const requireListed = (store: Store, viewer: Viewer, items: readonly { episode: string }[]): number[] =>
  items.map(({ episode }, place) => {
    const found = store.episodes.findVisible(viewer, episode)
    if (!found) throw invalidField(`items[${place}].episode`, 'the id of an episode')
    return found.id
  })
