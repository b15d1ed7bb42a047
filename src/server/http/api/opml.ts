import { t } from 'elysia'
import { Job, JobStarted, OpmlImport, OpmlOutline } from '../../../shared/api/job'
import type { Context } from '../../context'
import { UnreadableFeed } from '../../thread'
import { invalidField, notFound, Problem } from '../../platform/problem'
import { fetchOpml } from '../../opml/fetch'
import type { Outline } from '../../opml/parse'
import { writeOpml } from '../../opml/write'
import type { UserRow } from '../../store/users'
import { feedLink } from '../core/links'
import type { JobItemRow, JobRow } from '../../store/jobs'
import { writeInstant, writeInstantOrNull } from '../core/instants'
import type { ErrorCode } from '../../../shared/error-code'
import type { SignedInRoutes } from '../core/signed-in'

export function opml(routes: SignedInRoutes, app: Context) {
  const { store } = app

  async function outlinesOf(user: UserRow, { content, url, only }: OpmlImport): Promise<Outline[]> {
    if ((content === undefined) === (url === undefined)) throw invalidField('content', 'either content or url')
    const outlines = await read(content ?? (await fetchOpml(app.outbound, user, url!)))
    const wanted = only && new Set(only)
    return wanted ? outlines.filter(outline => wanted.has(outline.feedUrl)) : outlines
  }
  /** Megabytes of it take seconds: not here, where everybody would wait for them. */
  const read = (xml: string) =>
    app.background.readOpml(xml).catch((error: unknown) => {
      if (error instanceof UnreadableFeed) throw new Problem('invalid-opml', 'This file cannot be read', { line: '' })
      throw error
    })
  const requireJob = (user: UserRow, uuid: string) => {
    const job = store.jobs.findByUuid(uuid)
    if (!job || (job.user_id !== user.id && user.role !== 'admin')) throw notFound('job')
    return job
  }

  routes
    .post(
      '/api/v1/podcasts/opml',
      async ({ user, body, set }) => {
        requireMayAdd(app, user)
        const { uuid, total } = app.opmlImport.start(user, await outlinesOf(user, body))
        set.status = 202
        return { jobId: uuid, total }
      },
      { body: OpmlImport, response: { 202: JobStarted } },
    )
    .post(
      '/api/v1/podcasts/opml/preview',
      async ({ user, body }) => {
        requireMayAdd(app, user)
        return (await outlinesOf(user, body)).map(({ feedUrl, title, folders }) => ({
          title,
          feedUrl,
          folder: folders.at(-1) ?? null,
          known: isKnown(app, user, feedUrl),
        }))
      },
      { body: OpmlImport, response: t.Array(OpmlOutline) },
    )
    .get('/api/v1/jobs', ({ user }) => store.jobs.listFor(user.id).map(job => presentJob(job, [])), {
      response: t.Array(Job),
    })
    .get(
      '/api/v1/jobs/:id',
      ({ user, params, query }) => {
        const job = requireJob(user, params.id)
        return presentJob(job, store.jobs.items(job.id, query.items !== 'all'))
      },
      { query: t.Object({ items: t.Optional(t.Union([t.Literal('failed'), t.Literal('all')])) }), response: Job },
    )
    .delete(
      '/api/v1/jobs/:id',
      ({ user, params, set }) => {
        app.opmlImport.cancel(requireJob(user, params.id))
        set.status = 204
      },
      { body: t.Any() },
    )
    .get(
      '/api/v1/settings/opml/:type',
      ({ user, links, params }) => {
        if (params.type !== 'local' && params.type !== 'online') throw invalidField('type_of', 'local or online')
        const outlines = store.podcasts.listFor(user).map(row => ({
          title: row.title,
          xmlUrl: params.type === 'local' ? feedLink(links, row.uuid) : row.feed_url,
          categories: (JSON.parse(row.tags) as { name: string }[]).map(tag => tag.name),
        }))
        return new Response(writeOpml('Castellan', app.now(), outlines), {
          headers: {
            'Content-Type': 'application/xml; charset=utf-8',
            'Content-Disposition': `attachment; filename="podcast_${params.type}.opml"`,
          },
        })
      },
      { params: t.Object({ type: t.String() }) },
    )
}

/** Before anything is read or fetched. */
function requireMayAdd({ users }: Context, user: UserRow) {
  if (users.podcastsLeft(user) === 0)
    throw new Problem('podcast-limit-reached', 'You may not add podcasts', { limit: '0', current: '0', adding: '1' })
}

function isKnown({ store }: Context, user: UserRow, feedUrl: string): boolean {
  const podcast = store.podcasts.findByFeed(feedUrl)
  return podcast !== null && (podcast.explicit === 0 || user.explicit_consent === 1)
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
    errorCode: item.error_code as ErrorCode | null,
    message: item.message,
  })),
})
