import type { Context } from '../../../context'
import type { UserRow } from '../../../store/users'
import { accountHead } from './account'
import { createItems, type Items } from './items'
import { type AppCall, type AppRequest, forbidden } from './protocol'
import { presentRows } from './statistics'
import { trackOf } from './shapes/episode'
import { presentSession } from './shapes/session'

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
