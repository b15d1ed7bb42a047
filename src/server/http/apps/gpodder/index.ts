import type { Context } from '../../../context'
import type { IncomingRequest } from '../../core/links'
import type { OpenRoutes } from '../../core/open-routes'
import { appPaths, isForApps, withoutInterface } from './protocol'
import { createServe } from './serve'

/** The body stays unread until the caller is known. */
const unread = { parse: 'none' } as const

/**
 * The gPodder API (https://gpoddernet.readthedocs.io) and Nextcloud's gpoddersync: their addresses, shapes and
 * statuses. The rules are in `sync/`.
 */
export function gpodder(routes: OpenRoutes, app: Context) {
  const { config } = app
  if (!config.sync) return
  const serve = createServe(app)
  const answer = ({ request, server }: IncomingRequest) => serve({ request, server })
  for (const path of appPaths) {
    routes.get(path, answer)
    if (path.endsWith('*')) routes.post(path, answer, unread).put(path, answer, unread).delete(path, answer, unread)
  }
  // People paste the address of the interface into an app. No page below it has one of these names.
  routes.onRequest(({ request, server }) => {
    if (!request.url.includes('/ui/')) return
    const path = new URL(request.url).pathname.slice(config.prefix.length)
    const meant = withoutInterface(path)
    if (meant !== path && isForApps(meant, '')) return answer({ request, server })
  })
}
