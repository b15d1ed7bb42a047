import { t } from 'elysia'
import { Device, DeviceEdit, SyncWishes } from '../../../shared/api/access'
import type { Context } from '../../context'
import { SECOND } from '../../platform/clock'
import type { DeviceRow } from '../../store/episode-actions'
import { writeInstantOrNull } from '../core/instants'
import type { SignedInRoutes } from '../core/signed-in'

/** The podcast apps of a user, and how they sync. */
export function devices(routes: SignedInRoutes, { store, sync }: Context) {
  routes
    .get('/api/v1/devices', ({ user }) => store.sync.devices(user.id).map(present), { response: t.Array(Device) })
    .put(
      '/api/v1/devices/:id',
      ({ user, params, body }) => {
        store.sync.requireDevice(user.id, params.id)
        sync.saveDevice(user, params.id, body)
        return present(store.sync.requireDevice(user.id, params.id))
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

const present = ({ name, caption, type, last_sync_at }: DeviceRow): Device => ({
  id: name,
  caption,
  type,
  lastSyncAt: writeInstantOrNull(last_sync_at === null ? null : last_sync_at * SECOND),
})
