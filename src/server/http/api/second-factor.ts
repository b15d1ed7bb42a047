import {
  Proof,
  RecoveryCodes,
  SecondFactorCode,
  SecondFactorSecret,
  SecondFactorState,
} from '../../../shared/api/sign-in'
import type { Context } from '../../context'
import { Problem } from '../../platform/problem'
import { readCookie, sessionCookie } from '../core/cookie'
import { addressOf, type IncomingRequest, peerOf } from '../core/server-url'
import type { SignedInRoutes } from '../core/signed-in'

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
