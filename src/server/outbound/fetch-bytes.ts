import { SECOND } from '../platform/clock'
import { readBody } from './body'
import { withoutEncoding } from './decode'
import { OutboundError } from './error'
import type { Outbound, Outgoing } from './request'

type Limits = {
  maxBytes: number
  /** The longest pause between two chunks of the body; default 20,000. */
  idleMs?: number
  /** The time for the whole body; default 60,000. */
  totalMs?: number
}

/** Fetches a whole body, bounded in bytes and time. Throws `OutboundError`, also for a status other than success. */
export const fetchBytes = async (outbound: Outbound, address: string, options: Outgoing & Limits) =>
  (await fetchDocument(outbound, address, options)).body

/** The same, with the `Content-Type` that the host sent; '' = none. */
export async function fetchDocument(outbound: Outbound, address: string, options: Outgoing & Limits) {
  const { maxBytes, idleMs = 20 * SECOND, totalMs = 60 * SECOND, ...outgoing } = options
  const { response, url } = await outbound.get(address, outgoing)
  const host = new URL(url).hostname
  if (!response.ok) {
    await response.body?.cancel()
    throw new OutboundError('bad-status', host, { status: response.status })
  }
  const body = await readBody(await withoutEncoding(response, host), { maxBytes, idleMs, totalMs, host })
  return { body, contentType: response.headers.get('content-type') ?? '' }
}
