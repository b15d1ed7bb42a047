import { t } from 'elysia'
import { Download } from '../../../shared/api/download'
import {
  ChangedEpisodes,
  ChosenEpisodes,
  ChosenFavour,
  ChosenListened,
  ChosenNew,
  ChosenQueued,
  DownloadRequest,
  EpisodeFavour,
  EpisodeWithExtras,
  EpisodeWrapper,
  Marked,
  MarkedUndo,
  MediaAddress,
  SameEpisode,
  YourCounts,
  YourEpisode,
  YourList,
  YourOutline,
} from '../../../shared/api/episode'
import type { MatchingEpisodes, MatchingInPodcast } from '../../../shared/api/matching'
import { Affected, QueuedAll } from '../../../shared/api/podcast'
import { MAIN_FORM } from '../../../shared/forms'
import { MAX_MATCHING } from '../../../shared/limits'
import type { Context } from '../../context'
import { extrasOfEpisode, formsOfEpisode, type StoredExtras } from '../../feeds/parse/forms'
import { daysOf } from '../../library/timeline-groups'
import { logFailure } from '../../platform/log'
import { invalidField } from '../../platform/problem'
import type { EpisodeRow } from '../../store/episodes'
import type { UserRow } from '../../store/users'
import type { YourEpisodeRow } from '../../store/your-episodes'
import { mediaExtension } from '../../sync/addresses'
import { writeInstant } from '../core/instants'
import { linkPortraits, type Links, mediaLink } from '../core/links'
import { cutList, Limit, Offset, readCursor } from '../core/query'
import type { RequestContext, SignedInRoutes } from '../core/signed-in'
import { presentDownload } from './downloads'
import { presentEpisodeWithHistory, presentForms } from './episodes.present'
import { requirePerson } from './search'
import { spanOf } from './timeline'

const noExtras: StoredExtras = { persons: [], soundbites: [] }

export function episodes(routes: SignedInRoutes, app: Context) {
  const { store, downloads, favourites, identities, now } = app
  routes
    .get(
      '/api/v1/episodes/:eid',
      ({ user, links, params }) => {
        const row = store.episodes.requireFor(user, params.eid)
        // Not awaited: a share may take long. The event updates open pages.
        void app.fileCheck.check(row).catch(logFailure(app.log, 'Missing file was not noted'))
        const { forms = [], ...extras } = extrasOfEpisode(row) ?? noExtras
        const persons = linkPortraits(extras.persons, `episodes/${row.uuid}`, links)
        const author = row.author === null ? {} : { author: row.author }
        return {
          ...presentEpisodeWithHistory(row, links),
          extras: { ...extras, persons, ...author, ...presentForms(row, forms, links) },
        }
      },
      { response: EpisodeWithExtras },
    )
    .get('/api/v1/episodes/:eid/address', request => addressFor(app, request), { response: MediaAddress })
    // In the next two paths `:id` is the id of an episode: clients know them from PodFetch.
    .put(
      '/api/v1/podcasts/:id/episodes/favor',
      ({ user, params, body, set }) => {
        favourites.like(user.id, store.episodes.require(user, params.id).id, body.favored)
        set.status = 204
      },
      { body: EpisodeFavour },
    )
    .put(
      '/api/v1/podcasts/:id/episodes/download',
      async ({ user, params, body, set }) => {
        const episode = store.episodes.require(user, params.id)
        const form = requireForm(episode, body?.form)
        const isHere = episode.file_path !== null && (form === null || form === (episode.file_form ?? MAIN_FORM))
        if (isHere) return presentDownload(store.downloads.recordDone(episode.id, episode.file_size ?? 0, now()), null)
        const row = await downloads.request(episode, user.id, form)
        set.status = 202
        return presentDownload(row, downloads.live(row.id))
      },
      { role: 'uploader', body: DownloadRequest, response: { 200: Download, 202: Download } },
    )
    .put(
      '/api/v1/episodes/:eid/newer-recording',
      async ({ user, params, set }) => {
        const row = await downloads.request(store.episodes.require(user, params.eid), user.id)
        set.status = 202
        return presentDownload(row, downloads.live(row.id))
      },
      { role: 'uploader', response: { 202: Download } },
    )
    .post(
      '/api/v1/episodes/:eid/same',
      async ({ user, links, params, body }) => {
        const [one, other] = [params.eid, body.episode].map(eid => store.episodes.require(user, eid))
        return presentRow(app, user, await identities.join(one!, other!), links)
      },
      { role: 'uploader', body: SameEpisode, response: EpisodeWrapper },
    )
    .post(
      '/api/v1/episodes/:eid/split',
      async ({ user, links, params }) =>
        presentRow(app, user, await identities.split(store.episodes.require(user, params.eid)), links),
      { role: 'uploader', response: EpisodeWrapper },
    )
    .delete(
      '/api/v1/episodes/:eid/download',
      async ({ user, params, set }) => {
        await downloads.remove(store.episodes.require(user, params.eid))
        set.status = 204
      },
      { role: 'uploader' },
    )
}

/** The form of an episode that a request names; null if it names none. Throws `invalid-field`. */
function requireForm(episode: EpisodeRow, form: string | undefined): string | null {
  if (form === undefined) return null
  const known = [MAIN_FORM, ...formsOfEpisode(episode).map(({ id }) => id)]
  if (!known.includes(form)) throw invalidField('form', known.join(', '))
  return form
}

const presentRow = ({ store }: Context, user: UserRow, id: number, links: Links) =>
  presentEpisodeWithHistory(store.episodes.requireFor(user, store.episodes.find(id)!.uuid), links)

type Asked = Pick<RequestContext, 'user' | 'links' | 'ownSessionId'> & { params: { eid: string } }

/** Makes an address that plays without a session, for a while; open mode needs no key. */
function addressFor({ store, mediaKeys, config }: Context, { user, links, ownSessionId, params }: Asked): MediaAddress {
  const episode = store.episodes.require(user, params.eid)
  const type = episode.file_type ?? episode.enclosure_type
  const address = mediaLink({ ...links, key: null }, `media/${episode.eid}.${mediaExtension(type)}`)
  if (config.isOpen) return { address, expiresAt: null }
  const { key, expiresAt } = mediaKeys.make(user, ownSessionId, episode.eid)
  return { address: `${address}?mediaKey=${key}`, expiresAt: writeInstant(expiresAt) }
}

/** A user's own episodes: liked, bookmarked, in progress, downloaded and played, each the latest first. */
export function yourEpisodes(routes: SignedInRoutes, { store }: Context) {
  routes
    .get('/api/v1/episodes/yours', ({ user }) => store.yourEpisodes.countsFor(user), { response: YourCounts })
    .get(
      '/api/v1/episodes/yours/:list',
      ({ user, links, params, query, set }) => {
        const start = { after: readCursor(query.cursor), offset: query.offset }
        const { rows, next } = cutList(query.limit, placeOf, limit =>
          store.yourEpisodes.pageFor(user, params.list, start, limit),
        )
        if (next) set.headers['x-next-cursor'] = next
        return rows.map(row => presentYours(row, links))
      },
      {
        params: t.Object({ list: YourList }),
        query: t.Object({ cursor: t.Optional(t.String({ maxLength: 200 })), offset: Offset, limit: Limit(100, 50) }),
        response: t.Array(YourEpisode),
      },
    )
    .get(
      '/api/v1/episodes/yours/:list/outline',
      ({ user, params, query }) => daysOf(store.yourEpisodes.quartersFor(user, params.list), query.tz),
      {
        params: t.Object({ list: YourList }),
        query: t.Object({ tz: t.String({ maxLength: 100 }) }),
        response: YourOutline,
      },
    )
}

const placeOf = (row: YourEpisodeRow) => ({ published_at: row.listed_at, id: row.listed_id })

const presentYours = (row: YourEpisodeRow, links: Links): YourEpisode => ({
  ...presentEpisodeWithHistory(row, links),
  at: writeInstant(row.listed_at),
  bookmark:
    row.bookmark_uuid === null
      ? null
      : {
          id: row.bookmark_uuid,
          episode: row.uuid,
          time: row.bookmark_time!,
          note: row.bookmark_note,
          createdAt: writeInstant(row.listed_at),
        },
})

const at = (action: string) => `/api/v1/podcasts/episodes/batch/${action}` as const

type Store = Context['store']

/** Finds all episodes of a list in its order. Throws `invalid-field` for too many. */
function idsMatching(store: Store, user: UserRow, matching: MatchingEpisodes): number[] {
  const ids = readMatching(store, user, matching, MAX_MATCHING + 1)
  if (ids.length > MAX_MATCHING) throw invalidField('matching', `at most ${MAX_MATCHING} episodes`)
  return ids
}

function readMatching(store: Store, user: UserRow, matching: MatchingEpisodes, limit: number): number[] {
  if ('podcast' in matching) return idsInPodcast(store, user, matching, limit)
  if ('yours' in matching) return store.yourEpisodes.idsFor(user, matching.yours, limit)
  if ('person' in matching) return store.people.idsOf(user, requirePerson(store, user, matching.person).id, limit)
  return store.timeline.idsFor(user, { ...spanOf(store, user, matching.timeline), undatedLast: true }, limit)
}

function idsInPodcast({ episodes, podcasts }: Store, user: UserRow, matching: MatchingInPodcast, limit: number) {
  const { id } = podcasts.require(user, matching.podcast)
  const { downloaded, season, year } = matching
  const filter = {
    newOnly: matching.only_new,
    unfinishedOnly: matching.only_unlistened,
    downloaded,
    likedOnly: matching.liked,
    text: matching.q?.trim(),
    season,
    year,
    oldestFirst: matching.oldest_first,
  }
  return episodes.idsMatching(user, id, filter, { limit })
}

/** Finds chosen episodes, those that the user may see. Throws `invalid-field` for a filter that leaves too many. */
export function idsOfChosen(store: Store, user: UserRow, { episodes, matching }: ChosenEpisodes): number[] {
  const named = store.episodes.idsAmong(user, episodes)
  if (!matching) return named
  const left = new Set(idsMatching(store, user, matching))
  named.forEach(id => left.delete(id))
  return [...left]
}

/** Actions on many chosen episodes at once. Episodes that the user may not see are left out. */
export function episodeBatch(routes: SignedInRoutes, app: Context) {
  const { store, marking, queue, favourites, podcastFiles } = app
  const changed = (ids: readonly number[]) => ({ affected: ids.length, episodes: store.episodes.uuidsOf(ids) })
  const idsOf = (user: UserRow, chosen: ChosenEpisodes) => idsOfChosen(store, user, chosen)
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
    .post(at('favor'), ({ user, body }) => changed(favourites.likeAll(user.id, idsOf(user, body), body.favored)), {
      body: ChosenFavour,
      response: ChangedEpisodes,
    })
    .post(at('new'), ({ user, body }) => changed(store.newEpisodes.set(user.id, idsOf(user, body), body.isNew)), {
      body: ChosenNew,
      response: ChangedEpisodes,
    })

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
    .post(at('delete-files'), async ({ user, body }) => changed(await podcastFiles.removeFiles(idsOf(user, body))), {
      role: 'uploader',
      body: ChosenEpisodes,
      response: ChangedEpisodes,
    })
}
