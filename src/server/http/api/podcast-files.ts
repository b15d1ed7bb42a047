import { DownloadRange, MarkedUndo } from '../../../shared/api/episode'
import { Affected, MissingFiles, Queued, QueuedAll } from '../../../shared/api/podcast'
import type { Context } from '../../context'
import type { SignedInRoutes } from '../core/signed-in'

/** The files of a podcast: downloads them, deletes them, and finds those that are missing from the disk. */
export function podcastFiles(routes: SignedInRoutes, { store, podcastFiles }: Context) {
  const { podcasts } = store
  routes
    .get(
      '/api/v1/podcasts/:id/episodes/download-all',
      ({ user, params }) => podcastFiles.missing(user, podcasts.require(user, params.id).id),
      { role: 'uploader', response: MissingFiles },
    )
    .post(
      '/api/v1/podcasts/:id/episodes/download-all',
      async ({ user, params, set }) => {
        const queued = await podcastFiles.downloadAll(user, podcasts.require(user, params.id).id)
        set.status = 202
        return queued
      },
      { role: 'uploader', response: { 202: QueuedAll } },
    )
    .post(
      '/api/v1/podcasts/:id/episodes/download-all/undo',
      async ({ user, params, body }) => ({
        affected: await podcastFiles.undoDownloadAll(user, podcasts.require(user, params.id).id, body.undo),
      }),
      { role: 'uploader', body: MarkedUndo, response: Affected },
    )
    .post(
      '/api/v1/podcasts/:id/episodes/download-range',
      async ({ user, params, body, set }) => {
        const queued = await podcastFiles.downloadRange(user, podcasts.require(user, params.id).id, body)
        set.status = 202
        return { queued }
      },
      { role: 'uploader', body: DownloadRange, response: { 202: Queued } },
    )
    .post(
      '/api/v1/podcasts/:id/episodes/resync-db',
      async ({ user, params }) => ({
        affected: await podcastFiles.forgetMissing(podcasts.require(user, params.id).id),
      }),
      { role: 'uploader', response: Affected },
    )
    .post(
      '/api/v1/podcasts/:id/episodes/resync-files',
      async ({ user, params, set }) => {
        const queued = await podcastFiles.downloadMissing(user, podcasts.require(user, params.id).id)
        set.status = 202
        return { queued }
      },
      { role: 'uploader', response: { 202: Queued } },
    )
    .delete(
      '/api/v1/podcasts/:id/episodes/downloads',
      async ({ user, params }) => ({ affected: await podcastFiles.remove(podcasts.require(user, params.id).id) }),
      { role: 'uploader', response: Affected },
    )
}
