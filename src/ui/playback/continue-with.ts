import { queuesApi } from '../api/queues'
import type { EpisodeChanges } from '../state/episode-changes'
import { createContinuation } from './continuation'
import { createOrigin } from './origin'

type Needs = Omit<Parameters<typeof createContinuation>[0], 'api' | 'origin'> &
  Parameters<typeof createOrigin>[0] & {
    changes: Pick<EpisodeChanges, 'listen'>
    api: Omit<Parameters<typeof createContinuation>[0]['api'], 'queues'>
    client: Parameters<typeof queuesApi>[0]
  }

/** Continues after the queue for listeners who want that; the others never load it. */
export function continueWith(needs: Needs) {
  const continuation = createContinuation({
    ...needs,
    api: { ...needs.api, queues: queuesApi(needs.client) },
    origin: createOrigin(needs),
  })
  needs.changes.listen({
    edit: () => undefined,
    stale: continuation.look,
    played({ episode_id }) {
      if (continuation.next.peek()?.wrapper.podcastEpisode.episode_id === episode_id) continuation.look()
    },
  })
  return continuation
}
