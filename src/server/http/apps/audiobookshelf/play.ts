import type { Context } from '../../../context'
import type { EpisodeRow } from '../../../store/episodes'
import type { PlaySessionRow } from '../../../store/playback'
import type { UserRow } from '../../../store/users'
import { createItems } from './items'
import { done, fieldsOf, forbidden, notFound, type AppCall } from './protocol'
import { secondsOf, totalOf } from './reported'
import { deviceOf, presentOpenSession, readAppInfo } from './shapes/session'

/** A podcast with up to so many episodes is sent whole with a session, otherwise some of its newest. */
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

/** An open session and its episode. Throws `AppRefusal`: 404 where there is none, 403 for another user's. */
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
