import type { Context } from '../../../context'
import { Problem } from '../../../platform/problem'
import { diskFault, logFailedRequest, statusOf } from '../../core/problems'
import { AppRefusal } from './protocol'

/** Answers an error as the apps expect it. They repeat whatever ends in 5xx, and go offline after a while. */
export function answerRefusal(error: unknown, logs: Pick<Context, 'log' | 'room'>): Response {
  if (error instanceof AppRefusal)
    return error.json ? Response.json(error.json, { status: error.status }) : write(error.status, error.message)
  if (error instanceof Problem) return answerProblem(error)
  // The server is stopping. An app that got a 401 now would forget its sign-in.
  if (error instanceof RangeError && error.message.includes('closed database'))
    return write(503, 'The server is stopping')
  const fault = diskFault(error)
  if (fault?.code === 'database-busy') {
    const response = write(503, fault.message)
    response.headers.set('Retry-After', String(fault.retryAfter))
    return response
  }
  logFailedRequest(logs, 'request of an app failed', error)
  if (fault) return write(503, "The server's disk cannot be written to")
  return write(500, "Something went wrong. The server's log has the details.")
}

function answerProblem({ code, message, retryAfter }: Problem): Response {
  const status = statusOf(code)
  if (status === 401) return write(401, 'Unauthorized')
  const response = write(status, status === 404 ? 'Not Found' : message)
  if (retryAfter !== undefined) response.headers.set('Retry-After', String(retryAfter))
  return response
}

const write = (status: number, message: string): Response =>
  new Response(message, { status, headers: { 'Content-Type': 'text/plain;charset=utf-8' } })
