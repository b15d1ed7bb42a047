import { t } from 'elysia'
import { Job, JobStarted, OpmlImport, OpmlOutline } from '../../../shared/api/job'
import type { Context } from '../../context'
import { findKnownFeed } from '../../library/podcasts'
import { fetchOpml, readOpml, writeOpml } from '../../opml/file'
import type { Outline } from '../../opml/parse'
import { invalidField, Problem } from '../../platform/problem'
import { isFolderAddress } from '../../store/feeds'
import type { UserRow } from '../../store/users'
import { feedLink, type Links } from '../core/links'
import type { SignedInRoutes } from '../core/signed-in'
import type { JobItemRow, JobRow } from '../../store/jobs'
import { writeInstant, writeInstantOrNull } from '../core/instants'

/** Previews and imports an OPML file. */
export function opmlImport(routes: SignedInRoutes, app: Context) {
  routes
    .post(
      '/api/v1/podcasts/opml',
      async ({ user, body, set }) => {
        requireMayAdd(app, user)
        const { uuid, total } = app.opmlImport.start(user, await readOutlines(app, user, body))
        set.status = 202
        return { jobId: uuid, total }
      },
      { body: OpmlImport, response: { 202: JobStarted } },
    )
    .post(
      '/api/v1/podcasts/opml/preview',
      async ({ user, body }) => {
        requireMayAdd(app, user)
        return (await readOutlines(app, user, body)).map(({ feedUrl, title, folders }) => ({
          title,
          feedUrl,
          folder: folders.at(-1) ?? null,
          known: findKnownFeed(app.store, user, feedUrl) !== null,
        }))
      },
      { body: OpmlImport, response: t.Array(OpmlOutline) },
    )
}

/** Writes the library as an OPML file: with the addresses of our private feeds (`local`) or the original ones. */
export const opmlExport = (routes: SignedInRoutes, app: Context) =>
  routes.get(
    '/api/v1/settings/opml/:type',
    ({ user, links, params: { type } }) => {
      if (type !== 'local' && type !== 'online') throw invalidField('type_of', 'local or online')
      return new Response(exportLibrary(app, user, type === 'local' ? links : null), {
        headers: {
          'Content-Type': 'application/xml; charset=utf-8',
          'Content-Disposition': `attachment; filename="podcast_${type}.opml"`,
        },
      })
    },
    { params: t.Object({ type: t.String() }) },
  )

/** Throws `podcast-limit-reached` before anything is read or fetched. */
function requireMayAdd({ users }: Context, user: UserRow) {
  if (users.podcastsLeft(user) === 0)
    throw new Problem('podcast-limit-reached', 'You may not add podcasts', { limit: '0', current: '0', adding: '1' })
}

async function readOutlines(
  app: Context,
  user: UserRow,
  { content, bytes, url, only }: OpmlImport,
): Promise<Outline[]> {
  if ([content, bytes, url].filter(given => given !== undefined).length !== 1)
    throw invalidField('content', 'one of content, bytes and url')
  const sent = bytes === undefined ? content : { body: Buffer.from(bytes, 'base64'), contentType: '' }
  const outlines = await readOpml(app.thread, sent ?? (await fetchOpml(app.outbound, user, url!)))
  const wanted = only && new Set(only)
  return wanted ? outlines.filter(outline => wanted.has(outline.feedUrl)) : outlines
}

/** The user's podcasts with tags as categories; `links` lead to private feeds, null to the original ones. */
function exportLibrary({ store, now }: Context, user: UserRow, links: Links | null): string {
  const rows = store.podcasts.listFor(user).filter(row => links !== null || !isFolderAddress(row.feed_url))
  const outlines = rows.map(row => ({
    title: row.title,
    xmlUrl: links ? feedLink(links, row.uuid) : row.feed_url,
    categories: (JSON.parse(row.tags) as { name: string }[]).map(tag => tag.name),
  }))
  return writeOpml('Castellan', now(), outlines)
}

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
