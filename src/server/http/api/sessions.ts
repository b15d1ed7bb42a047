import { t } from 'elysia'
import { Session } from '../../../shared/api/session'
import type { Context } from '../../context'
import { surroundingsOf } from '../../outbound/address'
import type { AppSessionRow } from '../../store/app-sessions'
import type { SessionRow } from '../../store/sessions'
import { writeInstant } from '../core/instants'
import type { SignedInRoutes } from '../core/signed-in'

/** Everything that is signed in as the caller: listed, ended one by one, or all but the caller's own. */
export function sessionList(routes: SignedInRoutes, { sessionList: list }: Context) {
  routes
    .get(
      '/api/v1/users/me/sessions',
      ({ user, ownSessionId }) => {
        const { sessions, apps } = list.of(user.id)
        return [...sessions.map(row => presentSession(row, ownSessionId)), ...apps.map(presentApp)].toSorted(
          (one, other) => other.lastSeenAt.localeCompare(one.lastSeenAt),
        )
      },
      { response: t.Array(Session) },
    )
    .delete('/api/v1/users/me/sessions', ({ user, ownSessionId, set }) => {
      list.endOthers(user.id, ownSessionId)
      set.status = 204
    })
    .delete('/api/v1/users/me/sessions/:id', ({ user, params, set }) => {
      list.end(user.id, params.id)
      set.status = 204
    })
}

const presentSession = (row: SessionRow, ownId: number | null): Session => ({
  id: row.uuid,
  kind: row.kind,
  device: row.device,
  place: row.address,
  way: row.way,
  createdAt: writeInstant(row.created_at),
  lastSeenAt: writeInstant(row.seen_at),
  isCurrent: row.id === ownId,
  keepsPassword: row.keeps_password === 1,
})

const presentApp = (row: AppSessionRow): Session => ({
  id: row.uuid,
  kind: 'app',
  device: row.name,
  place: surroundingsOf(row.last_address),
  way: null,
  createdAt: writeInstant(row.created_at),
  lastSeenAt: writeInstant(row.last_used_at),
  isCurrent: false,
  keepsPassword: false,
})
