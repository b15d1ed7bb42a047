import type { Context } from '../../../context'
import { done, type OpenCall } from './protocol'
import { LANGUAGE, SERVER_VERSION } from './server-settings'

/**
 * The ways to sign in that this server has, by the names of the protocol. A name and an app password are always one.
 */
export const authMethodsOf = ({ config }: Context) => (config.oidc ? ['local', 'openid'] : ['local'])

/** The status that an app asks for before it signs in. */
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
        authFormData: {
          authLoginCustomMessage: '',
          ...(app.config.oidc && { authOpenIDButtonText: 'Single sign-on', authOpenIDAutoLaunch: false }),
        },
      }),
    ],
    ['GET /ping', () => ({ success: true })],
    ['GET /healthcheck', done],
  ]
}
