import type { Context } from '../../../context'
import type { AppTokens } from '../../../accounts/app-sessions'
import type { UserRow } from '../../../store/users'
import type { AppCall, OpenCall } from './calls'
import { AppRefusal, fieldsOf, textOf, type OpenRequest } from './protocol'
import { serverSettings } from './server-settings'
import { libraryIdOf } from './shapes/library'
import { presentUser } from './shapes/user'
import { authMethodsOf } from './status'

const MAX_NAME = 100

/** Begins, renews and ends the sign-in of an app. */
export function signInCalls(app: Context): OpenCall[] {
  const { signIn, appSessions, config, store, admin } = app

  async function identify({ username, password }: Record<string, unknown>, address: string): Promise<UserRow> {
    if (config.isOpen) return store.users.find(admin.id)!
    if (typeof password !== 'string') throw new AppRefusal(400, 'Password is missing')
    return signIn.byPassword(textOf(username), password, address)
  }

  return [
    [
      'POST /login',
      async request => {
        const address = request.address()
        const user = await identify(fieldsOf(request.body), address)
        const tokens = appSessions.start(user, {
          app_password_id: null,
          name: nameOf(request),
          last_address: address,
        })
        return loginPayload(app, user, { ...tokens, refresh: wantsTokens(request) ? tokens.refresh : null })
      },
    ],
    [
      'POST /auth/refresh',
      ({ request, address }) => {
        const refresh = request.headers.get('x-refresh-token')
        if (!refresh) throw refused('No refresh token provided')
        const renewed = appSessions.renew(refresh, address)
        if (!renewed) throw refused('Invalid refresh token')
        return loginPayload(app, renewed.user, renewed)
      },
    ],
    [
      'POST /logout',
      ({ request }) => {
        const refresh = request.headers.get('x-refresh-token')
        if (refresh) appSessions.end(refresh)
        return { redirect_url: null }
      },
    ],
  ]
}

/** What an app asks about its user. */
export function userCalls(app: Context): AppCall[] {
  return [
    ['POST /api/authorize', ({ user }) => loginPayload(app, user, null)],
    ['GET /api/me', ({ user }) => presentUser(user, [])],
  ]
}

type Tokens = { access: AppTokens['access']; refresh: AppTokens['refresh'] | null }

/** The library of an app, and its user; the tokens only where they were asked for. */
const loginPayload = (app: Context, user: UserRow, tokens: Tokens | null) => ({
  user: {
    ...presentUser(user, []),
    ...(tokens && { accessToken: tokens.access, refreshToken: tokens.refresh }),
  },
  userDefaultLibraryId: libraryIdOf(app),
  serverSettings: serverSettings(authMethodsOf(app)),
  ereaderDevices: [],
  Source: 'castellan',
})

const refused = (error: string) => new AppRefusal(401, 'Unauthorized', { error })
const wantsTokens = ({ request }: OpenRequest) => request.headers.get('x-return-tokens') === 'true'
const nameOf = ({ request }: OpenRequest) => (request.headers.get('user-agent') ?? '').trim().slice(0, MAX_NAME) || '–'
