import type { Context } from '../../../context'
import type { AppAccess } from '../../../accounts/app-sessions'
import { AppRefusal, type OpenRequest } from './protocol'

type Shown = Pick<OpenRequest, 'request' | 'query' | 'address'>

/**
 * Finds out which app sends a request: by the token of its header, or of its address where it only reads; `changes`: a
 * call that does more. A cookie never counts, so that pages of other sites gain nothing. Throws `AppRefusal`: 401 makes
 * an app renew its access.
 */
export const createIdentify =
  ({ appSessions }: Context) =>
  ({ request, query, address }: Shown, changes: boolean): AppAccess => {
    const token = tokenIn(request, query, changes)
    const access = token === null ? null : appSessions.accessOf(token, address)
    if (!access) throw new AppRefusal(401, 'Unauthorized')
    return access
  }

function tokenIn({ headers, method }: Request, query: URLSearchParams, changes: boolean): string | null {
  const bearer = /^bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1]
  if (bearer !== undefined) return bearer
  return !changes && (method === 'GET' || method === 'HEAD') ? query.get('token') : null
}
