import type { Context } from '../../../context'
import { noteActor } from '../../../platform/acting'
import { nameKey } from '../../../store/users'
import { inTime } from '../../core/body'
import type { IncomingRequest } from '../../core/incoming'
import { decodeSegment } from '../../core/query'
import { peerOf, serverUrlOf, type Peer } from '../../core/server-url'
import { readSyncBody } from './body'
import { createCalls, logoutPath, type Call } from './calls'
import { readSyncCookie, syncCookie } from './cookie'
import { clientConfig } from './directory'
import { createIdentify, passwordIn } from './identify'
import { loginFlow } from './login-flow'
import { withoutInterface } from './paths'
import { emptyAnswer, SyncRefusal } from './protocol'
import { answerRefusal } from './refusal'

/** A request with its path below our prefix, and the server's address as the app sees it. */
type Routed = IncomingRequest & { peer: Peer; path: string; base: string }

/** Answers requests of podcast apps, refusals and failures included. */
export function createServe(app: Context) {
  const withoutUser = createUserlessCalls(app)
  const withUser = createUserCalls(app)
  return async ({ request, server }: IncomingRequest): Promise<Response> => {
    const peer = peerOf(request, server)
    const path = withoutInterface(new URL(request.url).pathname.slice(app.config.prefix.length))
    const routed = { request, server, peer, path, base: serverUrlOf(request, peer, app.config) }
    const response = await serve(routed).catch((error: unknown) => answerRefusal(error, app))
    response.headers.set('Cache-Control', 'no-store')
    response.headers.set('X-Content-Type-Options', 'nosniff')
    return response
  }

  async function serve(routed: Routed): Promise<Response> {
    return (await withoutUser(routed)) ?? withUser(routed)
  }
}

/** Answers calls that need no user: sign-out, Nextcloud's login flow, client configuration. Null for other calls. */
function createUserlessCalls(app: Context) {
  const flow = loginFlow(app)
  return async ({ request, server, path, base }: Routed): Promise<Response | null> => {
    const { method } = request
    if (logoutPath.test(path)) return signOut(app, request, base)
    if (method === 'POST' && /^\/{1,2}index\.php\/login\/v2$/.test(path))
      return Response.json(flow.begin(request, base))
    if (method === 'POST' && /^\/{1,2}index\.php\/login\/v2\/poll$/.test(path))
      return Response.json(await inTime({ request, server }, app.bodySeconds, () => flow.poll(request, base)))
    if (method === 'GET' && path === '/clientconfig.json') return Response.json(clientConfig(base))
    return null
  }
}

function signOut({ sessions }: Context, request: Request, base: string): Response {
  const cookie = readSyncCookie(request)
  if (cookie !== null) sessions.end(cookie)
  const answer = emptyAnswer()
  answer.headers.set('Set-Cookie', syncCookie(base, ''))
  return answer
}

/** Answers the calls of a user: identifies the user, finds the call, and only then reads the body. */
function createUserCalls(app: Context) {
  const calls = createCalls(app)
  const identify = createIdentify(app)
  return async ({ request, server, peer, path, base }: Routed): Promise<Response> => {
    const { user, token } = await identify(request, peer)
    noteActor(user)
    const call = requireCall(calls, request.method, path)
    const parts = partsOf(call, path)
    if (parts.user !== undefined && nameKey(parts.user) !== user.name_key)
      throw new SyncRefusal(400, 'The path names another user')
    app.sync.begin(user)
    const shown = {
      appPassword: app.appPasswords.find(passwordIn(request) ?? ''),
      agent: request.headers.get('user-agent'),
    }
    const query = new URL(request.url).searchParams
    const body = await inTime({ request, server }, app.bodySeconds, () => readSyncBody(request))
    const answer = call.answer({ user, parts, base, shown, query, body })
    const response = answer instanceof Response ? answer : Response.json(answer)
    if (token !== null) response.headers.set('Set-Cookie', syncCookie(base, token))
    return response
  }
}

function requireCall(calls: readonly Call[], method: string, path: string): Call {
  const found = calls.filter(call => call.path.test(path))
  if (found.length === 0) throw new SyncRefusal(404, 'There is nothing at this address')
  const call = found.find(candidate => candidate.method === method)
  if (!call) throw new SyncRefusal(405, `Method ${method} is not allowed here`)
  return call
}

const partsOf = (call: Call, path: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(call.path.exec(path)!.groups ?? {}).map(([name, part]) => [name, part && decodeSegment(part)]),
  )
