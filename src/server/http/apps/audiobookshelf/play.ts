import type { Context } from '../../../context'
import type { EpisodeRow } from '../../../store/episodes'
import type { PlaySessionRow } from '../../../store/playback'
import type { UserRow } from '../../../store/users'
import { createItems } from './items'
import { inPauses, momentOf, secondsOf, totalOf } from './progress'
import { type AppCall, AppRefusal, done, fieldsOf, forbidden, notFound, textOf } from './protocol'
import { deviceOf, presentOpenSession, readAppInfo } from './shapes/session'

/** The most episodes of a podcast that is sent whole with a session; of a larger one, only the newest are sent. */
const WHOLE = 100
const NEWEST = 50

/** Begins, follows and ends the playing of an episode. */
export function playCalls(app: Context): AppCall[] {
  const { store, playSessions } = app
  const items = createItems(app)

  function present(user: UserRow, session: PlaySessionRow, podcastUuid: string, episodeUuid: string) {
    const podcast = items.requirePodcast(user, podcastUuid)
    const episode = items.episodeOf(user, podcastUuid, episodeUuid)
    const limit = podcast.visible_count <= WHOLE ? WHOLE : NEWEST
    const item = items.expanded(user, podcast, { limit, episode: episodeUuid, withNotes: false })
    return presentOpenSession({ session, user, libraryId: items.ids.libraryId, podcast, episode }, item)
  }

  return [
    [
      'POST /api/items/:item/play/:episode',
      ({ user, appSessionId, parts, body }) => {
        const { deviceInfo, mediaPlayer } = fieldsOf(body)
        const { id, uuid, podcast_uuid } = items.requireEpisode(user, parts.item!, parts.episode!)
        const device = deviceOf(readAppInfo(deviceInfo, mediaPlayer))
        const session = playSessions.begin(user.id, appSessionId, store.episodes.find(id)!, device)
        return present(user, session, podcast_uuid, uuid)
      },
    ],
    [
      'POST /api/session/:id/sync',
      ({ user, parts, body }) => {
        takeReport(app, requireOwn(app, user, parts.id!), body)
        return done()
      },
    ],
    [
      'POST /api/session/:id/close',
      ({ user, parts, body }) => {
        const own = requireOwn(app, user, parts.id!)
        takeReport(app, own, body)
        playSessions.close(own.session)
        return done()
      },
    ],
    [
      'GET /api/session/:id',
      ({ user, parts }) => {
        const { session, episode } = requireOwn(app, user, parts.id!)
        return present(user, session, episode.podcast_uuid, episode.uuid)
      },
    ],
    [
      'DELETE /api/session/:id',
      ({ user, parts }) => {
        playSessions.close(requireOwn(app, user, parts.id!).session)
        return done()
      },
    ],
  ]
}

type Own = { session: PlaySessionRow; episode: EpisodeRow }

/** An open session and its episode. Throws `AppRefusal`: 404 if there is none, 403 for another user's. */
function requireOwn({ store, playSessions }: Context, user: UserRow, uuid: string): Own {
  const session = playSessions.findOpen(uuid)
  if (!session) throw notFound()
  if (session.user_id !== user.id) throw forbidden()
  const episode = store.episodes.findVisible(user, store.episodes.find(session.episode_id)!.uuid)
  if (!episode) throw forbidden()
  return { session, episode }
}

/** Takes the state of a player; one that names no position only says that it is there. */
function takeReport({ playSessions }: Context, { session, episode }: Own, body: unknown) {
  const { currentTime, timeListened, duration } = fieldsOf(body)
  const position = secondsOf(currentTime)
  if (position === null) return playSessions.touch(session)
  playSessions.sync(session, episode, {
    position,
    listened: secondsOf(timeListened) ?? 0,
    total: totalOf(duration, episode),
  })
}

const MAX_ID = 100
const UNKNOWN = 'Media item not found'

/** Takes what was played without a network, when there is one again. */
export function localCalls(app: Context): AppCall[] {
  const take = createTake(app)
  return [
    [
      'POST /api/session/local',
      ({ user, body }) => {
        const { success, error } = take(user, body)
        if (!success) throw notFound(error)
        return done()
      },
    ],
    [
      'POST /api/session/local-all',
      async ({ user, body }) => {
        const { sessions, deviceInfo } = fieldsOf(body)
        const given = Array.isArray(sessions) ? (sessions as unknown[]) : []
        return { results: await inPauses(given, session => take(user, { deviceInfo, ...fieldsOf(session) })) }
      },
    ],
  ]
}

type Result = { id: string; success: boolean; progressSynced?: boolean; error?: string }

function createTake(app: Context) {
  const { store, playSessions } = app
  const items = createItems(app)

  function findEpisode(user: UserRow, item: string, episode: string) {
    try {
      return store.episodes.find(items.requireEpisode(user, item, episode).id)
    } catch (error) {
      if (error instanceof AppRefusal) return null
      throw error
    }
  }

  return (user: UserRow, body: unknown): Result => {
    const given = fieldsOf(body)
    const id = textOf(given.id)
    const position = secondsOf(given.currentTime)
    const episode = findEpisode(user, textOf(given.libraryItemId), textOf(given.episodeId))
    if (!episode) return { id, success: false, error: UNKNOWN }
    if (id === '' || id.length > MAX_ID || position === null) return { id, success: false, error: 'Invalid session' }
    const progressSynced = playSessions.takeOffline(user.id, episode, {
      ...deviceOf(readAppInfo(given.deviceInfo, given.mediaPlayer)),
      uuid: id,
      position,
      start: secondsOf(given.startTime) ?? 0,
      listened: secondsOf(given.timeListening) ?? 0,
      total: totalOf(given.duration, episode),
      startedAt: momentOf(given.startedAt),
      at: momentOf(given.updatedAt),
    })
    return progressSynced === null ? { id, success: false, error: UNKNOWN } : { id, success: true, progressSynced }
  }
}
