import { t } from 'elysia'
import { NewPasskey, Passkey, PasskeyLogin, PasskeyName, Proof } from '../../../shared/api/sign-in'
import { User } from '../../../shared/api/user'
import type { Host } from '../../accounts/passkeys'
import type { Context } from '../../context'
import { Problem } from '../../platform/problem'
import type { PasskeyRow } from '../../store/passkeys'
import { jsonBody } from '../core/body'
import { readCookie, sessionCookie } from '../core/cookie'
import { addressOf, type IncomingRequest, peerOf, serverUrlOf } from '../core/server-url'
import { writeInstant, writeInstantOrNull } from '../core/instants'
import type { OpenRoutes } from '../core/open-routes'
import type { SignedInRoutes } from '../core/signed-in'
import { deviceOf, visitorOf } from '../core/visitor'
import { presentUser } from './users'

/** Signs in by a passkey. */
export function passkeySignIn(routes: OpenRoutes, app: Context) {
  const { config, passkeys, sessions } = app
  const requireOn = () => {
    if (!config.byPassword) throw new Problem('basic-auth-off', 'Signing in with a password is turned off')
  }
  routes
    .post(
      '/api/v1/login/passkey/options',
      async ({ request, server }) => {
        requireOn()
        return passkeys.request(hostOf(app, { request, server }))
      },
      { parse: jsonBody(app) },
    )
    .post(
      '/api/v1/login/passkey',
      async ({ body, request, server, set }) => {
        requireOn()
        const peer = peerOf(request, server)
        const base = serverUrlOf(request, peer, config)
        const host = hostOf(app, { request, server })
        const user = await passkeys.signIn(body.response, host, addressOf(request, peer, config))
        const remembered = body.remember ?? false
        const token = sessions.start(user, readCookie(request), {
          apiKey: null,
          way: 'passkey',
          carriesApi: true,
          remembered,
          keepsPassword: false,
          providerSession: null,
          visitor: visitorOf(request, peer, config),
        })
        set.headers['set-cookie'] = sessionCookie(base, token, remembered)
        return presentUser(app, user)
      },
      { parse: jsonBody(app), body: PasskeyLogin, response: User },
    )
}

/** The passkeys of the caller. */
export function passkeys(routes: SignedInRoutes, app: Context) {
  const { config, passkeys: capability, proofs, store } = app
  const here = ({ request, server }: IncomingRequest) => hostOf(app, { request, server })
  routes
    .get('/api/v1/users/me/passkeys', ({ user }) => store.passkeys.list(user.id).map(present), {
      response: t.Array(Passkey),
    })
    .post(
      '/api/v1/users/me/passkeys/options',
      async ({ user, body, request, server }) => {
        await proofs.require(user, body, addressOf(request, peerOf(request, server), config))
        return capability.registration(user, here({ request, server }))
      },
      { body: Proof },
    )
    .post(
      '/api/v1/users/me/passkeys',
      async ({ user, body, request, server }) => {
        const made = { ...body, device: deviceOf(request.headers.get('user-agent')) }
        return present(await capability.add(user, here({ request, server }), made))
      },
      { body: NewPasskey, response: Passkey },
    )
    .put(
      '/api/v1/users/me/passkeys/:id',
      ({ user, params, body }) => present(capability.rename(user.id, params.id, body.name)),
      { body: PasskeyName, response: Passkey },
    )
    .delete('/api/v1/users/me/passkeys/:id', ({ user, params, set }) => {
      capability.remove(user.id, params.id)
      set.status = 204
    })
}

/** The server as the caller's browser sees it. */
function hostOf({ config }: Context, { request, server }: IncomingRequest): Host {
  const { host, hostname } = new URL(serverUrlOf(request, peerOf(request, server), config))
  return { host, name: hostname }
}

const present = (row: PasskeyRow): Passkey => ({
  id: row.uuid,
  name: row.name,
  device: row.device,
  host: row.host,
  createdAt: writeInstant(row.created_at),
  lastUsedAt: writeInstantOrNull(row.last_used_at),
})
