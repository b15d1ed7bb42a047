import { t } from 'elysia'
import { AccessRequest, AppPassword, AppPasswordName, NewAppPassword } from '../../../shared/api/app-password'
import type { Context } from '../../context'
import { Problem } from '../../platform/problem'
import type { AppPasswordRow } from '../../store/passkeys'
import { writeInstant, writeInstantOrNull } from '../core/instants'
import type { SignedInRoutes } from '../core/signed-in'

/** Access for single apps and assistants: granted in the browser or typed into the app, listed, and withdrawn. */
export function appPasswords(routes: SignedInRoutes, { store, appPasswords: passwords }: Context) {
  routes
    .get('/api/v1/users/me/appPasswords', ({ user }) => store.appPasswords.list(user.id).map(present), {
      response: t.Array(AppPassword),
    })
    .post(
      '/api/v1/users/me/appPasswords',
      ({ user, body }) => {
        const { row, password } = passwords.create(user, body.name, body.assistant)
        return { ...present(row), password }
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

const present = ({ uuid, name, assistant, created_at, last_used_at, last_address }: AppPasswordRow): AppPassword => ({
  id: uuid,
  name,
  assistant,
  createdAt: writeInstant(created_at),
  lastUsedAt: writeInstantOrNull(last_used_at),
  lastAddress: last_address,
})
