import {
  ChosenEpisodes,
  ChosenFavour,
  ChosenListened,
  ChosenQueued,
  Marked,
  MarkedUndo,
} from '../../../shared/api/episode'
import { Affected, QueuedAll } from '../../../shared/api/podcast'
import type { Context } from '../../context'
import type { UserRow } from '../../store/users'
import type { SignedInRoutes } from '../core/signed-in'

const at = (action: string) => `/api/v1/podcasts/episodes/batch/${action}` as const

/** Actions on many chosen episodes at once. Episodes that the user may not see are left out. */
export function episodeBatch(routes: SignedInRoutes, { store, marking, queue, favourites, podcastFiles }: Context) {
  const idsOf = (user: UserRow, { episodes }: { episodes: readonly string[] }) =>
    store.episodes.idsAmong(user, episodes)
  routes
    .post(at('listened'), ({ user, body }) => marking.markEpisodes(user, idsOf(user, body), body.finished), {
      body: ChosenListened,
      response: Marked,
    })
    .post(at('listened/undo'), async ({ user, body }) => ({ affected: await marking.undo(user, body.undo) }), {
      body: MarkedUndo,
      response: Affected,
    })
    .post(
      at('queue'),
      ({ user, body, set }) => {
        queue.addAll(user.id, idsOf(user, body), body.at)
        set.status = 204
      },
      { body: ChosenQueued },
    )
    .post(
      at('favor'),
      ({ user, body }) => ({ affected: favourites.likeAll(user.id, idsOf(user, body), body.favored) }),
      { body: ChosenFavour, response: Affected },
    )
    .post(
      at('download'),
      async ({ user, body, set }) => {
        const queued = await podcastFiles.download(user, idsOf(user, body))
        set.status = 202
        return queued
      },
      { role: 'uploader', body: ChosenEpisodes, response: { 202: QueuedAll } },
    )
    .post(
      at('download/undo'),
      async ({ user, body }) => ({ affected: await podcastFiles.undoDownload(user, body.undo) }),
      { role: 'uploader', body: MarkedUndo, response: Affected },
    )
    .post(
      at('delete-files'),
      async ({ user, body }) => ({ affected: await podcastFiles.removeFiles(idsOf(user, body)) }),
      { role: 'uploader', body: ChosenEpisodes, response: Affected },
    )
}
