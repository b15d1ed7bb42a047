import type { Context } from '../../../context'
import { noteActor } from '../../../platform/acting'
import { inTime, parseJson, readText } from '../../core/body'
import type { IncomingRequest } from '../../core/incoming'
import { addressOf, peerOf, serverUrlOf } from '../../core/server-url'
import { respondJson } from '../../core/answers'
import { answerPreflight, corsHeaders } from './cors'
import { createAppCalls, createOpenCalls } from './calls'
import { createIdentify } from './identify'
import { meantBy } from './paths'
import { AppRefusal, notFound, WrittenJson, type AppCall, type OpenCall, type OpenRequest } from './protocol'
import { answerRefusal } from './refusal'
import { createRouter, type Route } from './router'

/** Fits what an app listened to in a month without a network. */
const MAX_BYTES = 4 * 1024 * 1024
/** Small, because strangers may send it. */
const MAX_OPEN_BYTES = 16 * 1024

type Target = { changes: boolean } & ({ isOpen: true; answer: OpenCall[1] } | { isOpen: false; answer: AppCall[1] })

/** Answers requests of the apps, refusals and failures included. */
export function createServe(app: Context, builtInCover: string) {
  const find = createRouter<Target>([
    ...createOpenCalls(app, builtInCover).map(([call, answer]) =>
      routeOf(call, { isOpen: true, changes: false, answer }),
    ),
    ...createAppCalls(app).map(([call, answer, effect]) =>
      routeOf(call, { isOpen: false, changes: effect === 'changes', answer }),
    ),
  ])
  const identify = createIdentify(app)

  const pathOf = ({ pathname }: URL) => meantBy(pathname.slice(app.config.prefix.length))

  async function serve({ request, server }: IncomingRequest): Promise<Response> {
    const url = new URL(request.url)
    const peer = peerOf(request, server)
    const shown = {
      request,
      server,
      query: url.searchParams,
      base: serverUrlOf(request, peer, app.config),
      address: () => addressOf(request, peer, app.config),
    }
    // HEAD asks for what GET would answer.
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const path = pathOf(url)
    const preflight = answerPreflight(request, path)
    if (preflight) return preflight
    const found = find(method, path)
    // A stranger learns nothing about the addresses behind the sign-in.
    const access =
      'target' in found && found.target.isOpen ? null : identify(shown, 'target' in found && found.target.changes)
    if (access) noteActor(access.user)
    if ('allowed' in found) throw found.allowed.length === 0 ? notFound() : notAllowed(method)
    const { target, parts } = found
    if (access && method === 'DELETE') app.room.makeRoom()
    if (target.changes && request.method === 'HEAD') throw notAllowed('HEAD')
    const body = await readBody({ request, server }, app.bodySeconds, target.isOpen ? MAX_OPEN_BYTES : MAX_BYTES)
    const open: OpenRequest = { ...shown, parts, body }
    const answer = await (target.isOpen ? target.answer(open) : target.answer({ ...open, ...access! }))
    if (answer instanceof Response) return answer
    return respondJson(request, answer instanceof WrittenJson ? answer.text : JSON.stringify(answer))
  }

  return async (incoming: IncomingRequest): Promise<Response> => {
    const response = await serve(incoming).catch((error: unknown) => answerRefusal(error, app))
    if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', 'no-store')
    response.headers.set('X-Content-Type-Options', 'nosniff')
    const cors = corsHeaders(incoming.request, pathOf(new URL(incoming.request.url)))
    for (const [name, value] of Object.entries(cors ?? {})) response.headers.append(name, value)
    return response
  }
}

function routeOf(call: string, target: Target): Route<Target> {
  const [method, path] = call.split(' ') as [string, string]
  return { method, path, target }
}

const notAllowed = (method: string) => new AppRefusal(405, `Method ${method} is not allowed here`)

/** Reads JSON whatever its type is called; null for none, and for what is not JSON. */
function readBody(incoming: IncomingRequest, seconds: number, limit: number): Promise<unknown> | null {
  const { request } = incoming
  if (!request.body) return null
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit)
  return inTime(incoming, seconds, async () => {
    const text = await readText(request, limit)
    if (text === null) throw tooLarge(limit)
    try {
      return text.trim() === '' ? null : parseJson(text)
    } catch {
      return null
    }
  })
}

const tooLarge = (limit: number) => new AppRefusal(413, `The body is too large, the limit is ${limit} bytes`)
