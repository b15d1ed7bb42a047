import type { Context } from '../../../context'
import { overview } from '../../../statistics/statistics'
import type { PlaySessionRow } from '../../../store/playback'
import type { UserRow } from '../../../store/users'
import { createItems, type Items } from './items'
import { type AppCall, AppRefusal, type AppRequest, forbidden, readCount } from './protocol'
import { genresOf, presentMetadata } from './shapes/library'
import { type Played, presentSession } from './shapes/session'
import { accountHead } from './account'
import { trackOf } from './shapes/episode'

const MAX_PODCASTS = 500
const MAX_PER_PAGE = 100
const RECENT = 10
const TOP = 5
const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** The listening time of a user, in seconds. Days are those of UTC: an app does not say where it is. */
export function statisticsCalls(app: Context): AppCall[] {
  const items = createItems(app)
  return [
    ['GET /api/me/listening-stats', ({ user }) => allOf(app, items, user)],
    ['GET /api/me/listening-sessions', request => sessionsOf(app, items, request, null)],
    [
      'GET /api/me/item/listening-sessions/:item/:episode',
      request => {
        const { id } = items.requireEpisode(request.user, request.parts.item!, request.parts.episode!)
        return sessionsOf(app, items, request, id)
      },
    ],
    ['GET /api/me/stats/year/:year', ({ user, parts }) => yearOf(app, user, parts.year!)],
  ]
}

function allOf(app: Context, items: Items, user: UserRow) {
  const { store, now } = app
  const listened = overview(store, user, null, null, 'UTC')
  const seconds = new Map(listened.podcasts.map(podcast => [podcast.id, podcast.seconds]))
  const top = listened.podcasts.slice(0, MAX_PODCASTS).map(({ id }) => id)
  const days = Object.fromEntries(listened.days.map(day => [day.date, day.seconds]))
  return {
    totalTime: listened.seconds,
    items: Object.fromEntries(
      store.catalogue
        .podcasts(user, top)
        .map(row => [
          row.uuid,
          { id: row.uuid, timeListening: seconds.get(row.id)!, mediaMetadata: presentMetadata(row) },
        ]),
    ),
    days,
    dayOfWeek: Object.fromEntries(
      weekdays.flatMap((weekday, index) =>
        listened.weekdays[index]! > 0 ? [[weekday, listened.weekdays[index]!]] : [],
      ),
    ),
    today: days[new Date(now()).toISOString().slice(0, 10)] ?? 0,
    recentSessions: present(app, items, user, store.playSessions.list(user, { limit: RECENT })),
  }
}

/** A page of the sessions in apps, the latest first. `episodeId` null = of all episodes. */
function sessionsOf(app: Context, items: Items, { user, query }: AppRequest, episodeId: number | null) {
  const itemsPerPage = Math.min(readCount(query, 'itemsPerPage', 10) || 10, MAX_PER_PAGE)
  const page = readCount(query, 'page', 0)
  const { playSessions } = app.store
  const total = playSessions.count(user, episodeId)
  const rows = playSessions.list(user, { limit: itemsPerPage, offset: page * itemsPerPage, episodeId })
  const sessions = present(app, items, user, rows)
  return { total, numPages: Math.ceil(total / itemsPerPage), page, itemsPerPage, sessions }
}

const present = (app: Context, items: Items, user: UserRow, rows: readonly PlaySessionRow[]) =>
  presentRows(app, items, user, rows).map(played => presentSession({ ...played, user }))

/** Sessions of anybody with what they play, as far as a viewer may see that. */
function presentRows(
  { store }: Context,
  items: Items,
  user: UserRow,
  rows: readonly PlaySessionRow[],
): Omit<Played, 'user'>[] {
  const ids = [...new Set(rows.map(row => row.episode_id))]
  const known = store.catalogue.episodes(user, ids, false)
  const shown = items.plainEpisodes(user, ids, { withNotes: false })
  const episodes = new Map(known.map((row, index) => [row.id, { row, episode: shown[index]! }]))
  const podcastIds = [...new Set(known.map(row => row.podcast_id))]
  const podcasts = new Map(store.catalogue.podcasts(user, podcastIds).map(row => [row.id, row]))
  const { libraryId } = items.ids
  return rows.flatMap(session => {
    const found = episodes.get(session.episode_id)
    const podcast = found && podcasts.get(found.row.podcast_id)
    return podcast ? [{ session, libraryId, podcast, episode: found.episode }] : []
  })
}

function yearOf({ store }: Context, user: UserRow, text: string) {
  if (!/^[12]\d{3}$/.test(text)) throw new AppRefusal(400, 'Invalid year')
  const year = Number(text)
  const listened = overview(store, user, Date.UTC(year), Date.UTC(year + 1) - 1, 'UTC')
  const top = listened.podcasts.slice(0, MAX_PODCASTS)
  const seconds = new Map(top.map(podcast => [podcast.id, podcast.seconds]))
  const podcasts = store.catalogue.podcasts(
    user,
    top.map(({ id }) => id),
  )
  const timeOf = (namesOf: (row: (typeof podcasts)[number]) => readonly string[]) =>
    mostOf(podcasts.flatMap(row => namesOf(row).map(name => [name, seconds.get(row.id)!] as const)))
  const [month] = mostOf(listened.days.map(day => [day.date.slice(5, 7), day.seconds] as const))
  return {
    totalListeningSessions: listened.episodes,
    totalListeningTime: listened.seconds,
    totalBookListeningTime: 0,
    totalPodcastListeningTime: listened.seconds,
    topAuthors: timeOf(row => (row.author ? [row.author] : [])),
    topGenres: timeOf(genresOf).map(({ name, time }) => ({ genre: name, time })),
    mostListenedNarrator: null,
    mostListenedMonth: month ? { month: Number(month.name) - 1, time: month.time } : null,
    numBooksFinished: 0,
    numBooksListened: 0,
    longestAudiobookFinished: null,
    booksWithCovers: [],
    finishedBooksWithCovers: [],
  }
}

/** The names with the largest sums, the largest first. */
function mostOf(pairs: readonly (readonly [name: string, seconds: number])[]) {
  const sums = new Map<string, number>()
  for (const [name, seconds] of pairs) sums.set(name, (sums.get(name) ?? 0) + seconds)
  return [...sums]
    .map(([name, time]) => ({ name, time }))
    .sort((one, other) => other.time - one.time)
    .slice(0, TOP)
}

/** The users of connected apps, one for each connection. */
export type Online = () => readonly UserRow[]

const MAX_SESSIONS = 200

/** Lists accounts, connected apps and open sessions for an admin's integrations, such as Home Assistant's. */
export function administrationCalls(app: Context, online: Online): AppCall[] {
  const items = createItems(app)
  const ofAdmin = (answer: (request: AppRequest) => unknown) => (request: AppRequest) => {
    if (request.user.role !== 'admin') throw forbidden()
    return answer(request)
  }

  return [
    [
      'GET /api/users',
      ofAdmin(() => ({ users: app.store.users.list().map(user => accountHead(user, lastSeenOf(app, user))) })),
    ],
    [
      'GET /api/users/online',
      ofAdmin(({ user }) => {
        const open = openSessions(app, items, user)
        return {
          usersOnline: [...Map.groupBy(online(), ({ id }) => id).values()].map(connections => ({
            ...presentOnline(app, connections[0]!, open),
            connections: connections.length,
          })),
          openSessions: open.map(presentSession),
        }
      }),
    ],
    [
      'GET /api/sessions/open',
      ofAdmin(({ user }) => ({
        sessions: openSessions(app, items, user).map(played => ({
          ...presentSession(played),
          user: { id: played.user.uuid, username: played.user.username },
        })),
        shareSessions: [],
      })),
    ],
  ]
}

/** When an app of the user was used last, in milliseconds; null = none is signed in. */
const lastSeenOf = ({ store }: Context, { id }: UserRow): number | null =>
  store.appSessions.list(id).reduce<number | null>((latest, { last_used_at: at }) => Math.max(latest ?? 0, at), null)

/** The sessions that are open in apps, the latest first, as far as the admin may see what they play. */
function openSessions(app: Context, items: Items, admin: UserRow) {
  const rows = app.playSessions.listOpen(admin, MAX_SESSIONS)
  const users = new Map(app.store.users.list().map(user => [user.id, user]))
  return presentRows(app, items, admin, rows).flatMap(played => {
    const user = users.get(played.session.user_id)
    return user ? [{ ...played, user }] : []
  })
}

function presentOnline(app: Context, user: UserRow, open: ReturnType<typeof openSessions>) {
  const { id, username, type, createdAt, lastSeen } = accountHead(user, lastSeenOf(app, user))
  const played = open.find(one => one.user.id === user.id)
  const session = played && { ...presentSession(played), audioTracks: [trackOf(played.episode)], libraryItem: null }
  return { id, username, type, session: session ?? null, lastSeen, createdAt }
}
