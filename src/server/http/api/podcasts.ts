import type { SignedInRoutes } from '../core/signed-in'
import { t } from 'elysia'
import {
  Affected,
  AvailableFeed,
  Filter,
  FilterEdit,
  NewPodcast,
  Podcast,
  PodcastActive,
  PodcastFavour,
  PodcastName,
  PodcastRemoval,
  PodcastWithExtras,
  Queued,
  type PodcastExtras,
} from '../../../shared/api/podcast'
import { DownloadRange, EpisodeWrapper, Listened, Marked, MarkedUndo } from '../../../shared/api/episode'
import type { Context } from '../../context'
import { invalidField, notFound } from '../../platform/problem'
import type { UserRow } from '../../store/users'
import { cutPage, readCursor } from '../core/paging'
import { readInstant } from '../core/instants'
import { presentPodcast } from './podcasts.present'
import { presentEpisodeWithHistory } from './episodes.present'
import { Flag, Limit, readFlag } from '../core/query'

export function podcasts(routes: SignedInRoutes, app: Context) {
  const { store } = app
  const require = (user: UserRow, uuid: string) => {
    const row = store.podcasts.findFor(user, uuid)
    if (!row) throw notFound('podcast')
    return row
  }

  const requireTag = (user: UserRow, uuid: string) => {
    const tag = store.tags.findFor(user.id, uuid)
    if (!tag) throw notFound('tag')
    return tag
  }

  routes
    .get('/api/v1/podcasts', ({ user, links }) => store.podcasts.listFor(user).map(row => presentPodcast(row, links)), {
      response: t.Array(Podcast),
    })
    .get(
      '/api/v1/podcasts/search',
      ({ user, links, query }) =>
        store.podcasts
          .listFor(user, {
            title: query.title,
            favouritesOnly: readFlag('favoredOnly', query.favoredOnly),
            tagId: query.tag ? requireTag(user, query.tag).id : undefined,
            order: query.order ?? 'ASC',
            by: query.orderOption ?? 'TITLE',
          })
          .map(row => presentPodcast(row, links)),
      {
        query: t.Object({
          title: t.Optional(t.String({ maxLength: 200 })),
          favoredOnly: Flag,
          tag: t.Optional(t.String({ maxLength: 100 })),
          order: t.Optional(t.Union([t.Literal('ASC'), t.Literal('DESC')])),
          orderOption: t.Optional(t.Union([t.Literal('TITLE'), t.Literal('PUBLISHEDDATE')])),
        }),
        response: t.Array(Podcast),
      },
    )
    .get('/api/v1/podcasts/filter', ({ user }) => filterOf(app, user), { response: Filter })
    .put(
      '/api/v1/podcasts/filter',
      ({ user, body }) => {
        store.podcasts.setFilter(user.id, body)
        return filterOf(app, user)
      },
      { body: FilterEdit, response: Filter },
    )
    .get(
      '/api/v1/podcasts/favored',
      ({ user, links }) =>
        store.podcasts.listFor(user, { favouritesOnly: true }).map(row => presentPodcast(row, links)),
      { response: t.Array(Podcast) },
    )
    .put(
      '/api/v1/podcasts/favored',
      ({ user, body, set }) => {
        const { id } = require(user, body.id)
        store.podcasts.favour(user.id, id, body.favored, app.now())
        app.publish({
          type: 'podcastFavoured',
          userId: user.id,
          podcastId: id,
          favoured: body.favored,
          source: 'library',
        })
        set.status = 204
      },
      { body: PodcastFavour },
    )
    .post(
      '/api/v1/podcasts/feed',
      async ({ user, links, body }) => {
        const added = await app.subscribe(user, body.rssFeedUrl, { evenUnplayable: body.even_unplayable ?? false })
        return presentPodcast(require(user, added.uuid), links)
      },
      { body: NewPodcast, response: Podcast },
    )
    .post(
      '/api/v1/podcasts/all',
      ({ set }) => {
        const ids = store.podcasts.allIds()
        for (const id of ids) void app.refresh.refresh(id, { isAsked: true })
        set.status = 202
        return { queued: ids.length }
      },
      { role: 'uploader', response: { 202: Queued } },
    )
    .get('/api/v1/podcasts/available/gpodder', ({ user, links }) => app.sync.subscriptions.missing(user, links.base), {
      response: t.Array(AvailableFeed),
    })
    .get(
      '/api/v1/podcasts/reverse/episode/:id',
      ({ user, links, params }) => {
        const row = store.podcasts.findOfEpisodeFor(user, params.id)
        if (!row) throw notFound('episode')
        return presentPodcast(row, links)
      },
      { response: Podcast },
    )
    .get(
      '/api/v1/podcasts/:id',
      ({ user, links, params }) => {
        const row = require(user, params.id)
        return { ...presentPodcast(row, links), extras: JSON.parse(row.extras) as PodcastExtras }
      },
      { response: PodcastWithExtras },
    )
    .delete(
      '/api/v1/podcasts/:id',
      async ({ user, params, body, set }) => {
        await app.removePodcast(require(user, params.id), body?.delete_files ?? false)
        set.status = 204
      },
      { role: 'uploader', body: PodcastRemoval },
    )
    .post(
      '/api/v1/podcasts/:id/refresh',
      ({ user, params, set }) => {
        void app.refresh.refresh(require(user, params.id).id, { isAsked: true })
        set.status = 202
        return { queued: 1 }
      },
      { role: 'uploader', response: { 202: Queued } },
    )
    .put(
      '/api/v1/podcasts/:id/active',
      ({ user, links, params, body }) => {
        const row = require(user, params.id)
        store.podcasts.setActive(row.id, body?.active ?? row.active === 0, app.now())
        return presentPodcast(require(user, params.id), links)
      },
      { role: 'uploader', body: PodcastActive, response: Podcast },
    )
    .put(
      '/api/v1/podcasts/:id/name',
      ({ user, links, params, body }) => {
        store.podcasts.rename(require(user, params.id).id, body.name.trim())
        return presentPodcast(require(user, params.id), links)
      },
      { role: 'uploader', body: PodcastName, response: Podcast },
    )
    .get(
      '/api/v1/podcasts/:id/episodes',
      ({ user, links, params, query, set }) => {
        const podcast = require(user, params.id)
        const oldestFirst = query.order === 'oldest'
        const before = oldestFirst ? undefined : readInstant('last_podcast_episode', query.last_podcast_episode)
        const after = readCursor(query.cursor)
        const filter = {
          after,
          before: after ? undefined : before,
          unfinishedOnly: readFlag('only_unlistened', query.only_unlistened),
          downloaded: readFlag('downloaded', query.downloaded),
          text: query.q?.trim(),
          oldestFirst,
        }
        const page = cutPage(query.limit, !oldestFirst && !after, limit =>
          store.episodes.pageFor(user, podcast.id, filter, limit),
        )
        if (page.next) set.headers['x-next-cursor'] = page.next
        return page.rows.map(row => presentEpisodeWithHistory(row, links))
      },
      {
        query: t.Object({
          last_podcast_episode: t.Optional(t.String()),
          only_unlistened: Flag,
          downloaded: Flag,
          q: t.Optional(t.String({ maxLength: 200 })),
          order: t.Optional(t.Union([t.Literal('newest'), t.Literal('oldest')])),
          cursor: t.Optional(t.String({ maxLength: 200 })),
          limit: Limit(200, 75),
        }),
        response: t.Array(EpisodeWrapper),
      },
    )
    .post(
      '/api/v1/podcasts/:id/episodes/listened',
      ({ user, params, body }) => {
        const podcast = require(user, params.id)
        const until = body.until === undefined ? null : store.episodes.findVisible(user, body.until)
        if (until === null ? body.until !== undefined : until.podcast_id !== podcast.id) throw notFound('episode')
        const undo = crypto.randomUUID()
        const now = latest(app, user, podcast.id)
        const affected = store.inTransaction(() =>
          store.playback.markAll(user, {
            podcastId: podcast.id,
            finished: body.finished,
            until: until?.published_at ?? null,
            mark: undo,
            now,
          }),
        )
        app.publish({
          type: 'episodesMarked',
          userId: user.id,
          podcastId: podcast.id,
          episodeIds: store.playback.changedAt(user.id, podcast.id, now),
          source: 'library',
        })
        if (body.finished) app.queue.dropFinished(user.id)
        return { affected, undo }
      },
      { body: Listened, response: Marked },
    )
    .post(
      '/api/v1/podcasts/:id/episodes/listened/undo',
      ({ user, params, body }) => {
        const podcast = require(user, params.id)
        const now = latest(app, user, podcast.id)
        const affected = store.inTransaction(() => store.playback.unmark(user.id, body.undo, now))
        app.publish({
          type: 'episodesMarked',
          userId: user.id,
          podcastId: podcast.id,
          episodeIds: store.playback.changedAt(user.id, podcast.id, now),
          source: 'library',
        })
        return { affected }
      },
      { body: MarkedUndo, response: Affected },
    )
    .post(
      '/api/v1/podcasts/:id/episodes/download-all',
      async ({ user, params, set }) => {
        const ids = store.episodes.idsWithoutFile(user, require(user, params.id).id)
        set.status = 202
        return { queued: await app.downloads.requestAll(ids, user.id) }
      },
      { role: 'uploader', response: { 202: Queued } },
    )
    .post(
      '/api/v1/podcasts/:id/episodes/download-range',
      async ({ user, params, body, set }) => {
        if (body.from > body.to) throw invalidField('to', 'not before "from"')
        const ids = store.episodes.idsInRange(user, require(user, params.id).id, body.from, body.to)
        set.status = 202
        return { queued: await app.downloads.requestAll(ids, user.id) }
      },
      { role: 'uploader', body: DownloadRange, response: { 202: Queued } },
    )
    .post(
      '/api/v1/podcasts/:id/episodes/resync-db',
      ({ user, params }) => ({ affected: dropMissing(app, require(user, params.id).id).length }),
      { role: 'uploader', response: Affected },
    )
    .post(
      '/api/v1/podcasts/:id/episodes/resync-files',
      async ({ user, params, set }) => {
        const missing = dropMissing(app, require(user, params.id).id)
        set.status = 202
        return { queued: await app.downloads.requestAll(missing, user.id) }
      },
      { role: 'uploader', response: { 202: Queued } },
    )
    .delete(
      '/api/v1/podcasts/:id/episodes/downloads',
      async ({ user, params }) => {
        const rows = store.episodes.filesOf(require(user, params.id).id)
        const free = rows.filter(row => !store.episodes.isLiked(row.id))
        for (const { id } of free) await app.downloads.remove(store.episodes.find(id)!)
        return { affected: free.length }
      },
      { role: 'uploader', response: Affected },
    )
}

function filterOf({ store }: Context, user: UserRow): Filter {
  const saved = store.podcasts.findFilter(user.id)
  return {
    user_id: user.uuid,
    ...(saved ?? { title: null, ascending: true, filter: 'PUBLISHEDDATE' as const, only_favored: false }),
  }
}

/** Now, and never before anything that is known: a clock that went back must not let a marking be overtaken by what came before it. */
const latest = ({ now, store }: Context, user: UserRow, podcastId: number) =>
  Math.max(now(), store.playback.latestOf(user.id, podcastId))

/** Clears the marks of files that are gone from the disk; answers whose they were. */
function dropMissing({ store, files }: Context, podcastId: number): number[] {
  files.requirePresent()
  const missing = store.episodes.filesOf(podcastId).filter(row => !files.exists(row.file_path))
  store.inTransaction(() => {
    for (const { id } of missing) store.episodes.dropFile(id)
  })
  return missing.map(row => row.id)
}
