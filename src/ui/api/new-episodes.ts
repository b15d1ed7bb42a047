import type { Chosen } from '../../shared/api/episode'
import { callsOf, chosenBody } from './calls'
import type { Client } from './client'

/** Calls about what is new to the user; loaded where they are used. */
export function newEpisodesApi(client: Client) {
  const { post } = callsOf(client)
  return {
    /** Makes episodes new, or not new any more: at most 500 by their `id`, or all that match a filter. */
    set: (chosen: Chosen, isNew: boolean) => post('/podcasts/episodes/batch/new')({ ...chosenBody(chosen), isNew }),
    /** Makes no episode of a podcast new any more; returns those that were, by their `id`. */
    clear: post('/podcasts/:id/episodes/not-new'),
  }
}
