import type { Context } from '../../../context'
import { Problem } from '../../../platform/problem'
import { diskFault, logFailedRequest } from '../../core/problems'
import { SyncRefusal } from './protocol'

/**
 * Answers an error as the protocol does: a status and a line of text. A 401 has a challenge, which makes an app
 * ask for a password, or try again with one.
 */
export function answerRefusal(error: unknown, logs: Pick<Context, 'log' | 'room'>): Response {
  if (error instanceof SyncRefusal) return write(error.status, error.message)
  if (error instanceof Problem && /^(not-signed-in|wrong-user-or-password|second-factor-needed)$/.test(error.code))
    return write(401, error.message)
  if (error instanceof Problem && error.code === 'too-many-attempts') {
    const response = write(429, error.message)
    if (error.retryAfter !== undefined) response.headers.set('Retry-After', String(error.retryAfter))
    return response
  }
  const fault = diskFault(error)
  if (fault?.code === 'database-busy') {
    const response = write(503, fault.message)
    response.headers.set('Retry-After', String(fault.retryAfter))
    return response
  }
  logFailedRequest(logs, 'request of a podcast app failed', error)
  if (fault) return write(503, "The server's disk cannot be written to")
  return write(500, "Something went wrong. The server's log has the details.")
}

const write = (status: number, message: string): Response =>
  new Response(`${message}\n`, {
    status,
    headers: {
      'Content-Type': 'text/plain;charset=utf-8',
      ...(status === 401 && { 'WWW-Authenticate': 'Basic realm="Castellan", charset="UTF-8"' }),
    },
  })
