import type { Context } from '../../../context'
import type { BookmarkRow } from '../../../store/marks'
import type { CataloguePodcast } from '../../../store/catalogue'
import type { UserRow } from '../../../store/users'
import { createItems } from './items'
import { type AppCall, AppRefusal, type AppRequest, done, fieldsOf, notFound, numberOf, textOf } from './protocol'

const MAX_TITLE = 1000
/** An app that plays has one open session; others are of other podcasts. */
const MAX_SESSIONS = 20

/** Bookmarks of a user, one list with ours. Apps name the podcast and a second; the episode is the one being played. */
export function bookmarkCalls(app: Context): AppCall[] {
  const items = createItems(app)
  const { bookmarks } = app

  function requireNamed({ user, parts }: AppRequest, time: number): BookmarkRow {
    const found = ofPodcast(app, user, items.requirePodcast(user, parts.item!)).find(row => row.time === time)
    if (!found) throw notFound()
    return found
  }

  return [
    ['GET /api/me/bookmarks', ({ user }) => ({ bookmarks: bookmarksOf(app, user) })],
    [
      'GET /api/me/bookmarks/:item',
      ({ user, parts }) => ({
        bookmarks: presentAll(ofPodcast(app, user, items.requirePodcast(user, parts.item!))),
      }),
    ],
    [
      'POST /api/me/item/:item/bookmark',
      ({ user, parts, body }) => {
        const podcast = items.requirePodcast(user, parts.item!)
        const { time, title } = requireBookmark(body)
        const known = ofPodcast(app, user, podcast).find(row => row.time === time)
        if (known) return present(bookmarks.edit(user, known.uuid, { note: noteOf(title, known) }))
        const episode = playedEpisode(app, user, podcast)
        const made = bookmarks.add(user, { episode, time, note: title })
        return present(title === made.episode_title ? bookmarks.edit(user, made.uuid, { note: null }) : made)
      },
    ],
    [
      'PATCH /api/me/item/:item/bookmark',
      request => {
        const { time, title } = requireBookmark(request.body)
        const row = requireNamed(request, time)
        return present(bookmarks.edit(request.user, row.uuid, { note: noteOf(title, row) }))
      },
    ],
    [
      'DELETE /api/me/item/:item/bookmark/:time',
      request => {
        bookmarks.remove(request.user, requireNamed(request, requireTime(request.parts.time)).uuid)
        return done()
      },
    ],
  ]
}

/** All bookmarks of a user, the first made first. */
export const bookmarksOf = ({ bookmarks }: Pick<Context, 'bookmarks'>, user: UserRow) =>
  presentAll(bookmarks.list(user, undefined))

const ofPodcast = ({ bookmarks }: Context, user: UserRow, { uuid }: CataloguePodcast) =>
  bookmarks.list(user, undefined).filter(row => row.podcast_uuid === uuid)

/** Apps tell bookmarks apart by podcast and second: of two episodes' at the same second they get the latest. */
const presentAll = (latestFirst: readonly BookmarkRow[]) =>
  [...Map.groupBy(latestFirst, row => `${row.podcast_uuid} ${row.time}`).values()]
    .map(([row]) => present(row!))
    .reverse()

/** A bookmark without a note is called by its episode. */
const present = ({ podcast_uuid, time, note, episode_title, created_at }: BookmarkRow) => ({
  libraryItemId: podcast_uuid,
  time,
  title: note ?? episode_title,
  createdAt: created_at,
})

const noteOf = (title: string, { episode_title }: BookmarkRow) => (title === episode_title ? null : title)

function requireBookmark(body: unknown): { time: number; title: string } {
  const fields = fieldsOf(body)
  const time = requireTime(fields.time)
  const title = textOf(fields.title).trim().slice(0, MAX_TITLE).toWellFormed()
  if (title === '') throw new AppRefusal(400, 'Invalid title')
  return { time, title }
}

function requireTime(given: unknown): number {
  const time = numberOf(given)
  if (time === null || time < 0 || time > 1_000_000) throw new AppRefusal(400, 'Invalid time')
  return Math.floor(time)
}

/** The uuid of the episode that the user plays, or else played last, of a podcast; or else its newest. */
function playedEpisode({ store }: Context, user: UserRow, podcast: CataloguePodcast): string {
  const open = store.playSessions
    .list(user, { limit: MAX_SESSIONS })
    .filter(session => session.is_open)
    .map(session => ({ at: session.updated_at, episode: store.episodes.find(session.episode_id) }))
    .find(({ episode }) => episode?.podcast_id === podcast.id)
  const progress = store.playback.latestProgressOf(user, podcast.id)
  if (open && open.at >= (progress?.updated_at ?? 0)) return open.episode!.uuid
  const uuid =
    progress?.episode ?? store.catalogue.episodesOf(user, podcast.id, { limit: 1, withNotes: false })[0]?.uuid
  if (!uuid) throw notFound('Episode not found')
  return uuid
}
