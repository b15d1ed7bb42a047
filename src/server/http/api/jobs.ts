import { t } from 'elysia'
import { Job, SetAsideItem, SetAsideKey, type WorkKind } from '../../../shared/api/job'
import type { Context } from '../../context'
import { Problem } from '../../platform/problem'
import type { JobItemRow, JobRow } from '../../store/jobs'
import { writeInstant, writeInstantOrNull } from '../core/instants'
import type { SignedInRoutes } from '../core/signed-in'

/** Imports and rename runs: their progress, and cancelling them. The wire calls both jobs. */
export function jobs(routes: SignedInRoutes, { store, opmlImport }: Context) {
  routes
    .get('/api/v1/jobs', ({ user }) => store.jobs.listFor(user.id).map(job => presentJob(job, [])), {
      response: t.Array(Job),
    })
    .get(
      '/api/v1/jobs/:id',
      ({ user, params, query }) => {
        const job = store.jobs.require(user, params.id)
        return presentJob(job, store.jobs.items(job.id, query.items !== 'all'))
      },
      { query: t.Object({ items: t.Optional(t.Union([t.Literal('failed'), t.Literal('all')])) }), response: Job },
    )
    .delete('/api/v1/jobs/:id', ({ user, params, set }) => {
      opmlImport.cancel(store.jobs.require(user, params.id))
      set.status = 204
    })
}

const presentJob = (row: JobRow, items: readonly JobItemRow[]): Job => ({
  id: row.uuid,
  kind: row.kind,
  state: row.state,
  total: row.total,
  done: row.done,
  failed: row.failed,
  startedAt: writeInstant(row.started_at),
  finishedAt: writeInstantOrNull(row.finished_at),
  items: items.map(item => ({
    feedUrl: item.feed_url,
    title: item.title,
    state: item.state,
    podcastId: item.podcast_uuid,
    errorCode: item.error_code,
    message: item.message,
  })),
})

/** Work that was set aside since the server stopped twice in the middle of it, for admins. */
export function setAside(routes: SignedInRoutes, context: Context) {
  const { begun } = context
  routes
    .get(
      '/api/v1/set-aside',
      () =>
        begun.listSetAside().map(({ kind, key, label, set_aside_at }) => ({
          kind: kind as WorkKind,
          key,
          label,
          since: writeInstant(set_aside_at!),
        })),
      { role: 'admin', response: t.Array(SetAsideItem) },
    )
    .post(
      '/api/v1/set-aside/retry',
      ({ body, set }) => {
        if (!begun.tryAgain(body)) throw new Problem('not-found', 'Nothing of this name is set aside')
        resume(context)
        set.status = 204
      },
      { role: 'admin', body: SetAsideKey },
    )
}

/** Starts what waits; the jobs would do so within an hour. */
function resume({ downloads, keptFiles, transcriptions, opmlImport, rename, moves, indexer, removals }: Context) {
  void keptFiles.resume()
  downloads.pump()
  transcriptions.pump()
  opmlImport.resume()
  rename.resume()
  moves.resume()
  void indexer.run()
  void removals.run()
}
