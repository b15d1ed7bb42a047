import { callsOf } from './calls'
import type { Client } from './client'

/** Calls about what is new to the user; loaded where they are used. */
export function newEpisodesApi(client: Client) {
  const { post } = callsOf(client)
  return {
    /** Makes at most 500 episodes new, or not new any more, by their `id`. */
    set: (episodes: readonly string[], isNew: boolean) => post('/podcasts/episodes/batch/new')({ episodes, isNew }),
    /** Makes no episode of a podcast new any more; returns those that were, by their `id`. */
    clear: post('/podcasts/:id/episodes/not-new'),
  }
}
