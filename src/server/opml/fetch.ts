import { isOfProxy, OutboundError } from '../outbound/error'
import { fetchDocument } from '../outbound/fetch-bytes'
import type { Outbound } from '../outbound/request'
import { SECOND } from '../platform/clock'
import { Problem } from '../platform/problem'
import type { UserRow } from '../store/users'

const MAX_BYTES = 10 * 1024 * 1024

/** Fetches an OPML file from an address that this user may reach, in whatever charset. Throws `Problem`. */
export async function fetchOpml(outbound: Outbound, user: UserRow, address: string) {
  try {
    return await fetchDocument(outbound, address, {
      reach: await outbound.reachOf(address, user.role === 'admin'),
      headers: { Accept: 'text/x-opml, text/xml, */*;q=0.5' },
      maxBytes: MAX_BYTES,
      idleMs: 10 * SECOND,
    })
  } catch (error) {
    throw error instanceof OutboundError ? problemOf(error) : error
  }
}

function problemOf({ code, host, message, status }: OutboundError): Problem {
  if (code === 'address-not-allowed') return new Problem(code, message, { field: 'url' })
  if (code === 'too-large')
    return new Problem('too-large', `The file is larger than ${MAX_BYTES} bytes`, { limit: String(MAX_BYTES) })
  if (code === 'timeout') return new Problem('upstream-timeout', message, { host })
  if (isOfProxy(code)) return new Problem('proxy-failed', message, { host })
  return new Problem('feed-unreachable', message, { host, status: status === null ? '' : String(status) })
}
