import { t } from 'elysia'
import { AppSession } from '../../../shared/api/app-session'
import type { Context } from '../../context'
import type { AppSessionRow } from '../../store/app-sessions'
import { writeInstant } from '../core/instants'
import type { SignedInRoutes } from '../core/signed-in'

/** Apps that are signed in and renew their access automatically: listed, and signed out. */
export function appSessions(routes: SignedInRoutes, { store, appSessions: sessions }: Context) {
  routes
    .get('/api/v1/users/me/appSessions', ({ user }) => store.appSessions.list(user.id).map(present), {
      response: t.Array(AppSession),
    })
    .delete('/api/v1/users/me/appSessions/:id', ({ user, params, set }) => {
      sessions.remove(user.id, params.id)
      set.status = 204
    })
}

const present = ({ uuid, name, created_at, last_used_at, last_address }: AppSessionRow): AppSession => ({
  id: uuid,
  name,
  createdAt: writeInstant(created_at),
  lastUsedAt: writeInstant(last_used_at),
  lastAddress: last_address,
})
