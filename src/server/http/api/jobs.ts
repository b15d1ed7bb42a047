import { t } from 'elysia'
import { Job } from '../../../shared/api/job'
import type { Context } from '../../context'
import type { JobItemRow, JobRow } from '../../store/jobs'
import { writeInstant, writeInstantOrNull } from '../core/instants'
import type { SignedInRoutes } from '../core/signed-in'

/** Imports and rename runs: their progress, and cancelling them. The wire calls both jobs. */
export function jobs(routes: SignedInRoutes, { store, opmlImport }: Context) {
  routes
    .get('/api/v1/jobs', ({ user }) => store.jobs.listFor(user.id).map(job => present(job, [])), {
      response: t.Array(Job),
    })
    .get(
      '/api/v1/jobs/:id',
      ({ user, params, query }) => {
        const job = store.jobs.require(user, params.id)
        return present(job, store.jobs.items(job.id, query.items !== 'all'))
      },
      { query: t.Object({ items: t.Optional(t.Union([t.Literal('failed'), t.Literal('all')])) }), response: Job },
    )
    .delete('/api/v1/jobs/:id', ({ user, params, set }) => {
      opmlImport.cancel(store.jobs.require(user, params.id))
      set.status = 204
    })
}

const present = (row: JobRow, items: readonly JobItemRow[]): Job => ({
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
