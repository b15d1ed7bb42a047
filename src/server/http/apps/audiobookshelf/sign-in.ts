import type { Context } from '../../../context'
import type { AppTokens, NewSession } from '../../../accounts/app-sessions'
import type { AppSignedIn } from '../../../accounts/sign-in/apps'
import type { UserRow } from '../../../store/users'
import { accountOf } from './account'
import { nameOfApp } from './app-name'
import { AppRefusal, fieldsOf, textOf, type AppCall, type OpenCall, type OpenRequest } from './protocol'
import { serverSettings } from './server-settings'
import { libraryIdOf } from './shapes/library'
import { authMethodsOf } from './status'

/** Begins, renews and ends the sign-in of an app. */
export function signInCalls(app: Context): OpenCall[] {
  const { appSessions, throttle } = app

  /** The limits of guessing are those of every other sign-in. */
  async function requireRenewed(refresh: string, address: OpenRequest['address']) {
    const renewed = appSessions.renew(refresh, address)
    if (renewed) return renewed
    await throttle.recordFailure({ way: 'app-token', name: '' }, address())
    throw refused('Invalid refresh token')
  }

  return [
    [
      'POST /login',
      async request => {
        const { user, appPasswordId, apiKey } = await identify(app, request)
        const tokens = startSession(app, request, user, { app_password_id: appPasswordId, apiKey })
        return loginPayload(app, user, { ...tokens, refresh: wantsTokens(request) ? tokens.refresh : null })
      },
    ],
    [
      'POST /auth/refresh',
      async ({ request, address }) => {
        const refresh = request.headers.get('x-refresh-token')
        if (!refresh) throw refused('No refresh token provided')
        const renewed = await requireRenewed(refresh, address)
        return loginPayload(app, renewed.user, renewed)
      },
    ],
    [
      'POST /logout',
      ({ request, query }) => {
        const refresh = request.headers.get('x-refresh-token')
        if (refresh && query.get('allDevices') === '1') appSessions.endAll(refresh)
        else if (refresh) appSessions.end(refresh)
        return { redirect_url: null }
      },
    ],
  ]
}

/** The user of the name and password that an app sends; in open mode everybody is the built-in admin. */
async function identify(
  { config, signIn, store, admin }: Context,
  { body, address }: OpenRequest,
): Promise<AppSignedIn> {
  if (config.isOpen) return { user: store.users.find(admin.id)!, appPasswordId: null, apiKey: null }
  const { username, password } = fieldsOf(body)
  if (typeof password !== 'string') throw new AppRefusal(400, 'Password is missing')
  return signIn.ofApp(textOf(username), password, address())
}

type BegunBy = Pick<NewSession, 'app_password_id' | 'apiKey'>

/** Begins the session of an app, which is listed under the app's name. */
export const startSession = (app: Context, { request, address }: OpenRequest, user: UserRow, by: BegunBy): AppTokens =>
  app.appSessions.start(user, { ...by, name: nameOfApp(request), last_address: address() })

/** Answers an app about its user. */
export function userCalls(app: Context): AppCall[] {
  return [
    ['POST /api/authorize', ({ user }) => loginPayload(app, user, null)],
    ['GET /api/me', ({ user }) => accountOf(app, user)],
  ]
}

type Tokens = { access: AppTokens['access']; refresh: AppTokens['refresh'] | null }

/** The library of an app, and its user; the tokens only where they were asked for. */
export const loginPayload = (app: Context, user: UserRow, tokens: Tokens | null) => ({
  user: {
    ...accountOf(app, user),
    ...(tokens && { accessToken: tokens.access, refreshToken: tokens.refresh }),
  },
  userDefaultLibraryId: libraryIdOf(app),
  serverSettings: serverSettings(authMethodsOf(app)),
  ereaderDevices: [],
  Source: 'castellan',
})

const refused = (error: string) => new AppRefusal(401, 'Unauthorized', { error })
const wantsTokens = ({ request }: OpenRequest) => request.headers.get('x-return-tokens') === 'true'
