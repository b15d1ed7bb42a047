import { t } from 'elysia'
import {
  NewPasskey,
  Passkey,
  PasskeyLogin,
  PasskeyName,
  Proof,
  RecoveryCodes,
  SecondFactorCode,
  SecondFactorSecret,
  SecondFactorState,
} from '../../../shared/api/sign-in'
import { User } from '../../../shared/api/user'
import type { Host } from '../../accounts/passkeys'
import type { Context } from '../../context'
import { Problem } from '../../platform/problem'
import type { PasskeyRow } from '../../store/passkeys'
import { jsonBody } from '../core/body'
import { deviceOf, readCookie, sessionCookie, visitorOf } from '../core/visitor'
import { addressOf, type IncomingRequest, peerOf, serverUrlOf } from '../core/links'
import { writeInstant, writeInstantOrNull } from '../core/instants'
import type { OpenRoutes } from '../core/open-routes'
import type { SignedInRoutes } from '../core/signed-in'
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

/** The second factor of the caller's sign-in; admins may remove another's. */
export function secondFactor(routes: SignedInRoutes, app: Context) {
  const { config, secondFactor: factor, proofs, sessions, users } = app
  const from = ({ request, server }: IncomingRequest) => addressOf(request, peerOf(request, server), config)
  routes
    .get(
      '/api/v1/users/me/secondFactor',
      ({ user }) => ({ isOn: user.second_factor === 1, recoveryCodesLeft: factor.recoveryCodesLeft(user.id) }),
      { response: SecondFactorState },
    )
    .post(
      '/api/v1/users/me/secondFactor',
      async ({ user, body, request, server }) => {
        await proofs.require(user, body, from({ request, server }))
        return factor.begin(user)
      },
      { body: Proof, response: SecondFactorSecret },
    )
    .post(
      '/api/v1/users/me/secondFactor/confirm',
      async ({ user, body, by, ownSessionId, links, request, server, set }) => {
        const own = ownSessionId === null ? null : sessions.ownerOf(readCookie(request)!)
        const recoveryCodes = await factor.confirm(user, body.code, from({ request, server }), ownSessionId)
        if (own) {
          // A password that this browser keeps is no longer enough: its cookie replaces it.
          sessions.forgetPassword(own, by === 'password')
          set.headers['set-cookie'] = sessionCookie(links.base, sessions.outlive(own), own.remembered === 1)
        }
        return { recoveryCodes }
      },
      { body: SecondFactorCode, response: RecoveryCodes },
    )
    .post(
      '/api/v1/users/me/secondFactor/recoveryCodes',
      async ({ user, body, request, server }) => {
        await proofs.require(user, body, from({ request, server }))
        return { recoveryCodes: factor.renewCodes(user) }
      },
      { body: Proof, response: RecoveryCodes },
    )
    .delete(
      '/api/v1/users/me/secondFactor',
      async ({ user, body, request, server, set }) => {
        await proofs.require(user, body, from({ request, server }))
        users.removeSecondFactor(user)
        set.status = 204
      },
      { body: Proof },
    )
    .delete(
      '/api/v1/users/:username/secondFactor',
      ({ user: caller, params, set }) => {
        const user = users.requireAddressed(params.username)
        if (user.id === caller.id && user.second_factor === 1)
          throw new Problem('not-confirmed', 'Turn your own second factor off in the profile, with password and code')
        users.removeSecondFactor(user)
        set.status = 204
      },
      { role: 'admin' },
    )
}
