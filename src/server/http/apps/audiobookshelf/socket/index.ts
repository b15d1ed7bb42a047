import type { Context } from '../../../../context'
import { monotonicClock } from '../../../../platform/clock'
import { logFailure } from '../../../../platform/log'
import type { IncomingRequest } from '../../../core/server-url'
import type { OpenRoutes } from '../../../core/open-routes'
import { meantBy, SOCKET_PATH } from '../paths'
import { converse } from './conversation'
import { FAILED, socketLimits, type SocketLimits } from './limits'
import { createNews } from './news'
import { endOfApp, endOfUser, endSignedOut, type Peers } from './peers'
import { createServeSocket } from './serve'
import { end } from './session'
import { createSessions } from './sessions'

const CHECK_TICKS = 60

/** Live events for apps, over Socket.IO as they speak it. Events are hints: an app that reconnects fetches again. */
export function liveEvents(routes: OpenRoutes, app: Context, replaced: Partial<SocketLimits>) {
  const peers: Peers = new Map()
  const limits = { ...socketLimits, ...replaced }
  let dataVersion = 0
  let ticks = 0
  const failed = logFailure(app.log, 'Connection of an app failed')

  const sessions = createSessions({
    limits,
    elapsed: monotonicClock,
    onOpen(session) {
      const peer = { session, isConnected: false, access: null, refusals: 0 }
      peers.set(session, peer)
      session.onMessage = text => {
        try {
          converse({ peers, appSessions: app.appSessions, limits }, peer, text)
        } catch (error) {
          failed(error)
          end(session, FAILED)
        }
      }
    },
    onEnd: session => void peers.delete(session),
    onTick() {
      // Another process, such as the command line, may have changed an account.
      try {
        const version = app.store.dataVersion()
        if (version !== dataVersion || ++ticks % CHECK_TICKS === 0) endSignedOut(peers, app)
        dataVersion = version
      } catch (error) {
        failed(error)
      }
    },
  })

  app.events.listen({
    signInChanged: ({ userId }) => endOfUser(peers, userId, app),
    appSessionEnded: ({ appSessionId }) => endOfApp(peers, appSessionId),
  })
  const news = createNews({ app, peers, limits })
  app.events.listen(news.listeners)
  app.stopWith({
    stop() {
      news.stop()
      sessions.close()
    },
  })
  mount(routes, app, createServeSocket(app, sessions))
}

type Serve = (incoming: IncomingRequest) => Promise<Response>

/**
 * Mounts the path below the prefix; at the root as well, where some apps ask for it whatever the prefix is; and behind
 * an address that was pasted.
 */
function mount(routes: OpenRoutes, { config: { prefix } }: Context, serve: Serve) {
  const answer = ({ request, server }: IncomingRequest) => serve({ request, server })
  routes.get(SOCKET_PATH, answer).post(SOCKET_PATH, answer, { parse: 'none' })
  routes.onRequest(({ request, server }) => {
    if (!request.url.includes(SOCKET_PATH)) return
    const { pathname } = new URL(request.url)
    const below = pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : null
    const isElsewhere =
      below === null ? pathname === SOCKET_PATH : below !== SOCKET_PATH && meantBy(below) === SOCKET_PATH
    if (isElsewhere) return serve({ request, server })
  })
}
