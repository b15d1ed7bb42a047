import { t } from 'elysia'
import {
  DownloadRange,
  EpisodeOutline,
  EpisodeWrapper,
  Listened,
  Marked,
  MarkedUndo,
  NotNew,
  PodcastOverview,
} from '../../../shared/api/episode'
import { Affected, MissingFiles, Queued, QueuedAll } from '../../../shared/api/podcast'
import type { Context } from '../../context'
import type { UserRow } from '../../store/users'
import { readInstant } from '../core/instants'
import { cutPage, Flag, Limit, Offset, readCursor, readFlag } from '../core/query'
import type { SignedInRoutes } from '../core/signed-in'
import { presentEpisodeWithHistory } from './episodes.present'

const filterFields = {
  only_unlistened: Flag,
  only_new: Flag,
  downloaded: Flag,
  liked: Flag,
  q: t.Optional(t.String({ maxLength: 200 })),
  order: t.Optional(t.Union([t.Literal('newest'), t.Literal('oldest')])),
}
/** `offset`: a place in the list, whose seasons are then together; it replaces the cursor. */
const PageQuery = t.Object({
  ...filterFields,
  last_podcast_episode: t.Optional(t.String()),
  cursor: t.Optional(t.String({ maxLength: 200 })),
  offset: Offset,
  limit: Limit(200, 75),
})
const OutlineQuery = t.Object({ ...filterFields, episode: t.Optional(t.String({ maxLength: 100 })) })
type ListQuery = (typeof OutlineQuery)['static']

/** The episodes of a podcast, and marking all of them as played. */
export function podcastEpisodes(routes: SignedInRoutes, { store, marking, podcastOverview }: Context) {
  routes
    .get(
      '/api/v1/podcasts/:id/overview',
      ({ user, links, params }) => {
        const { counts, next, newest } = podcastOverview(user, store.podcasts.requireFor(user, params.id))
        return {
          counts,
          next: next && { reason: next.reason, episode: presentEpisodeWithHistory(next.episode, links) },
          newest: newest && presentEpisodeWithHistory(newest, links),
        }
      },
      { response: PodcastOverview },
    )
    .get(
      '/api/v1/podcasts/:id/episodes',
      ({ user, links, params, query, set }) => {
        const page = readPage(store, user, store.podcasts.require(user, params.id).id, query)
        if (page.next) set.headers['x-next-cursor'] = page.next
        return page.rows.map(row => presentEpisodeWithHistory(row, links))
      },
      { query: PageQuery, response: t.Array(EpisodeWrapper) },
    )
    .get(
      '/api/v1/podcasts/:id/episodes/outline',
      ({ user, params, query }) => readOutline(store, user, store.podcasts.require(user, params.id).id, query),
      { query: OutlineQuery, response: EpisodeOutline },
    )
    .post(
      '/api/v1/podcasts/:id/episodes/listened',
      ({ user, params, body }) => marking.mark(user, store.podcasts.require(user, params.id).id, body),
      { body: Listened, response: Marked },
    )
    .post(
      '/api/v1/podcasts/:id/episodes/listened/undo',
      async ({ user, params, body }) => {
        store.podcasts.require(user, params.id)
        return { affected: await marking.undo(user, body.undo) }
      },
      { body: MarkedUndo, response: Affected },
    )
    .post(
      '/api/v1/podcasts/:id/episodes/not-new',
      ({ user, params }) => {
        const episodes = store.newEpisodes.idsFor(user, store.podcasts.require(user, params.id).id)
        const ids = episodes.map(({ id }) => id)
        store.newEpisodes.set(user.id, ids, false)
        return { episodes: episodes.map(({ uuid }) => uuid) }
      },
      { response: NotNew },
    )
}

const filterOf = (query: ListQuery) => ({
  unfinishedOnly: readFlag('only_unlistened', query.only_unlistened),
  downloaded: readFlag('downloaded', query.downloaded),
  likedOnly: readFlag('liked', query.liked),
  newOnly: readFlag('only_new', query.only_new),
  text: query.q?.trim(),
  oldestFirst: query.order === 'oldest',
})

function readOutline({ episodes }: Context['store'], user: UserRow, podcastId: number, query: ListQuery) {
  const filter = filterOf(query)
  const by = episodes.divisionOf(podcastId)
  const groups = episodes.groupsFor(user, podcastId, filter, by)
  const total = groups.reduce((sum, { count }) => sum + count, 0)
  const sought = query.episode === undefined ? null : episodes.findVisible(user, query.episode)
  const ids = sought ? episodes.idsMatching(user, podcastId, filter, { limit: total, isBySeason: by === 'season' }) : []
  const place = sought ? ids.indexOf(sought.id) : -1
  return { by, total, groups: by ? groups : [], place: place === -1 ? null : place }
}

function readPage(store: Context['store'], user: UserRow, podcastId: number, query: (typeof PageQuery)['static']) {
  const { limit, offset } = query
  const wanted = filterOf(query)
  if (offset !== undefined) {
    const isBySeason = store.episodes.divisionOf(podcastId) === 'season'
    const ids = store.episodes.idsMatching(user, podcastId, wanted, { limit, offset, isBySeason })
    return { rows: store.episodes.rowsOf(user, ids), next: null }
  }
  const { oldestFirst } = wanted
  const before = oldestFirst ? undefined : readInstant('last_podcast_episode', query.last_podcast_episode)
  const after = readCursor(query.cursor)
  const filter = { ...wanted, after, before: after ? undefined : before }
  return cutPage(limit, !oldestFirst && !after, limit => store.episodes.pageFor(user, podcastId, filter, limit))
}

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
