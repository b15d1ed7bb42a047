import { t } from 'elysia'
import { Dismissal, Notification } from '../../../shared/api/notification'
import type { Context } from '../../context'
import { notFound } from '../../platform/problem'
import type { SignedInRoutes } from '../core/signed-in'
import { presentNotification } from './notifications.present'

const MAX_SHOWN = 500

export function notifications(routes: SignedInRoutes, { store }: Context) {
  routes
    .get(
      '/api/v1/notifications/unread',
      ({ user }) => store.notifications.unread(user, MAX_SHOWN).map(presentNotification),
      { response: t.Array(Notification) },
    )
    .put(
      '/api/v1/notifications/dismiss',
      ({ user, body, set }) => {
        if (!store.notifications.dismiss(user.id, body.id)) throw notFound('notification')
        set.status = 204
      },
      { body: Dismissal },
    )
}
