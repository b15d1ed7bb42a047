import type { Context } from '../../../context'
import type { UserRow } from '../../../store/users'
import { createItems } from './items'
import { AppRefusal, done, fieldsOf, notFound, textOf, type AppCall } from './protocol'
import { inPauses } from './pauses'
import { momentOf, secondsOf, totalOf } from './reported'
import { deviceOf, readAppInfo } from './shapes/session'

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
