import { t } from 'elysia'
import {
  AccessRequest,
  AppPassword,
  AppPasswordName,
  AppSession,
  Device,
  DeviceEdit,
  NewAppPassword,
  SyncWishes,
} from '../../../shared/api/access'
import type { Context } from '../../context'
import { Problem } from '../../platform/problem'
import type { AppSessionRow } from '../../store/app-sessions'
import type { AppPasswordRow } from '../../store/passkeys'
import { writeInstant, writeInstantOrNull } from '../core/instants'
import type { SignedInRoutes } from '../core/signed-in'
import { SECOND } from '../../platform/clock'
import type { DeviceRow } from '../../store/episode-actions'

/** Access for single apps and assistants: granted in the browser or typed into the app, listed, and withdrawn. */
export function appPasswords(routes: SignedInRoutes, { store, appPasswords: passwords }: Context) {
  routes
    .get('/api/v1/users/me/appPasswords', ({ user }) => store.appPasswords.list(user.id).map(presentAppPassword), {
      response: t.Array(AppPassword),
    })
    .post(
      '/api/v1/users/me/appPasswords',
      ({ user, body }) => {
        const { row, password } = passwords.create(user, body.name, body.assistant)
        return { ...presentAppPassword(row), password }
      },
      { body: AppPasswordName, response: NewAppPassword },
    )
    .delete('/api/v1/users/me/appPasswords/:id', ({ user, params, set }) => {
      passwords.remove(user.id, params.id)
      set.status = 204
    })
    .get(
      '/api/v1/access-requests/:id',
      ({ params }) => {
        const app = passwords.waitingApp(params.id)
        if (app === null) throw notAsking()
        return { app }
      },
      { response: AccessRequest },
    )
    .post('/api/v1/access-requests/:id/grant', ({ user, params, set }) => {
      if (!passwords.grant(params.id, user)) throw notAsking()
      set.status = 204
    })
}

const notAsking = () => new Problem('not-found', 'The app no longer asks for access')

const presentAppPassword = ({
  uuid,
  name,
  assistant,
  created_at,
  last_used_at,
  last_address,
}: AppPasswordRow): AppPassword => ({
  id: uuid,
  name,
  assistant,
  createdAt: writeInstant(created_at),
  lastUsedAt: writeInstantOrNull(last_used_at),
  lastAddress: last_address,
})

/** Apps that are signed in and renew their access automatically: listed, and signed out. */
export function appSessions(routes: SignedInRoutes, { store, appSessions: sessions }: Context) {
  routes
    .get('/api/v1/users/me/appSessions', ({ user }) => store.appSessions.list(user.id).map(presentAppSession), {
      response: t.Array(AppSession),
    })
    .delete('/api/v1/users/me/appSessions/:id', ({ user, params, set }) => {
      sessions.remove(user.id, params.id)
      set.status = 204
    })
}

const presentAppSession = ({ uuid, name, created_at, last_used_at, last_address }: AppSessionRow): AppSession => ({
  id: uuid,
  name,
  createdAt: writeInstant(created_at),
  lastUsedAt: writeInstant(last_used_at),
  lastAddress: last_address,
})

/** The podcast apps of a user, and how they sync. */
export function devices(routes: SignedInRoutes, { store, sync }: Context) {
  routes
    .get('/api/v1/devices', ({ user }) => store.sync.devices(user.id).map(presentDevice), { response: t.Array(Device) })
    .put(
      '/api/v1/devices/:id',
      ({ user, params, body }) => {
        store.sync.requireDevice(user.id, params.id)
        sync.saveDevice(user, params.id, body)
        return presentDevice(store.sync.requireDevice(user.id, params.id))
      },
      { body: DeviceEdit, response: Device },
    )
    .delete('/api/v1/devices/:id', ({ user, params, set }) => {
      store.sync.removeDevice(user.id, store.sync.requireDevice(user.id, params.id).id)
      set.status = 204
    })
    .get('/api/v1/users/me/sync', ({ user }) => ({ autoAdd: user.sync_auto_add === 1 }), { response: SyncWishes })
    .put(
      '/api/v1/users/me/sync',
      ({ user, body }) => {
        store.sync.setAutoAdd(user.id, body.autoAdd)
        return body
      },
      { body: SyncWishes, response: SyncWishes },
    )
}

const presentDevice = ({ name, caption, type, last_sync_at }: DeviceRow): Device => ({
  id: name,
  caption,
  type,
  lastSyncAt: writeInstantOrNull(last_sync_at === null ? null : last_sync_at * SECOND),
})
