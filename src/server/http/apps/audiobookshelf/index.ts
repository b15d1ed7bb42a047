import type { Context } from '../../../context'
import type { IncomingRequest } from '../../core/links'
import type { OpenRoutes } from '../../core/open-routes'
import { appPaths, isForApps, isMisplaced, meantBy, SOCKET_PATH } from './protocol'
import { createServe } from './serve'
import { liveEvents } from './socket'
import type { SocketLimits } from './socket/wire'

/** The body stays unread until the caller is known. */
const unread = { parse: 'none' } as const

/**
 * The API of Audiobookshelf (https://api.audiobookshelf.org) as its apps use it for podcasts: addresses, shapes and
 * statuses. Everything behind them is what the rest of the server does.
 */
export function audiobookshelf(
  routes: OpenRoutes,
  app: Context,
  builtInCover: string,
  socketLimits: Partial<SocketLimits>,
) {
  if (!app.config.audiobookshelf) return
  // Before the others: it is not always where its path says.
  const online = liveEvents(routes, app, socketLimits)
  const serve = createServe(app, builtInCover, online)
  const answer = ({ request, server }: IncomingRequest) => serve({ request, server })
  for (const path of appPaths)
    routes
      .get(path, answer)
      .options(path, answer, unread)
      .post(path, answer, unread)
      .patch(path, answer, unread)
      .delete(path, answer, unread)
  const { prefix } = app.config
  routes.onRequest(({ request, server }) => {
    const start = request.url.indexOf('/', 'https://'.length) + prefix.length
    if (!request.url.startsWith('/ui/', start) && !request.url.startsWith('//', start)) return
    const path = new URL(request.url).pathname.slice(prefix.length)
    if (isMisplaced(request.method, path)) return answer({ request, server })
  })
}

/** Whether a path accepts the tokens of these apps and nothing else. */
export const acceptsTokensAlone =
  ({ config }: Context) =>
  (path: string) => {
    if (!config.audiobookshelf) return false
    if (path.startsWith(SOCKET_PATH)) return true
    if (!path.startsWith(config.prefix)) return false
    const meant = meantBy(path.slice(config.prefix.length).split('?', 1)[0]!)
    // In open mode anything signs in: a page of another site would push out the apps that are signed in.
    return isForApps(meant) && !(config.isOpen && meant === '/login')
  }
