import type { Context } from '../../../context'
import { done, type OpenCall } from './protocol'
import { LANGUAGE, SERVER_VERSION } from './server-settings'

/** The ways to sign in that this server has, by the names of the protocol. */
export const authMethodsOf = (_app: Context) => ['local']

/** What an app asks before it signs in. */
export function statusCalls(app: Context): OpenCall[] {
  return [
    [
      'GET /status',
      () => ({
        app: 'audiobookshelf',
        serverVersion: SERVER_VERSION,
        isInit: true,
        language: LANGUAGE,
        authMethods: authMethodsOf(app),
        authFormData: { authLoginCustomMessage: '' },
      }),
    ],
    ['GET /ping', () => ({ success: true })],
    ['GET /healthcheck', done],
  ]
}
