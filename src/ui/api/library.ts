import type { Chosen } from '../../shared/api/episode'
import type { TimelineSpan } from '../../shared/api/matching'
import { callsOf, chosenBody, type EpisodeQuery, parametersOf } from './calls'
import type { Client } from './client'

// Calls that few pages make: a separate module, so that the first page does not load them.

/** Calls about the list of a podcast's episodes by places. */
export function podcastListApi(client: Client) {
  const { get } = callsOf(client)
  return {
    /** Lists episodes from a place on; those of a season are together if most episodes name one. */
    page: (id: string, query: EpisodeQuery, offset: number, signal?: AbortSignal) =>
      get('/podcasts/:id/episodes')(id, { ...parametersOf(query), offset }, signal),
    /** Returns the length of that list, its seasons or years, and the place of an episode in it. */
    outline: (id: string, query: EpisodeQuery, episode: string | null, signal?: AbortSignal) =>
      get('/podcasts/:id/episodes/outline')(id, { ...parametersOf(query), episode }, signal),
  }
}

/** Lists the categories of the library. */
export const findCategories = (client: Client) => callsOf(client).get('/podcasts/categories')()

/** Lists the podcasts for which the user has chosen a speed, or queues new episodes. */
export const findOwnPreferences = (client: Client) => callsOf(client).get('/podcasts/preferences')()

/** Calls about the timeline by places, with the episodes without a date last. */
export function timelineListApi(client: Client) {
  const { get } = callsOf(client)
  return {
    page: (filter: TimelineSpan, offset: number, limit: number, signal?: AbortSignal) =>
      get('/podcasts/timeline')({ ...filter, undatedLast: true, offset, limit }, signal),
    /** Returns the length of the timeline, and its days and months in this time zone. */
    outline: (filter: TimelineSpan, tz: string, signal?: AbortSignal) =>
      get('/podcasts/timeline/outline')({ ...filter, tz }, signal),
  }
}

/** Calls about what is new to the user; loaded where they are used. */
export function newEpisodesApi(client: Client) {
  const { post } = callsOf(client)
  return {
    /** Makes episodes new, or not new any more: at most 5,000 by their `id`, or all that match a filter. */
    set: (chosen: Chosen, isNew: boolean) => post('/podcasts/episodes/batch/new')({ ...chosenBody(chosen), isNew }),
    /** Makes no episode of a podcast new any more; returns those that were, by their `id`. */
    clear: post('/podcasts/:id/episodes/not-new'),
  }
}
