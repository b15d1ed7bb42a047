import { readBody } from '../outbound/body'
import { OutboundError, type Outbound } from '../outbound/request'
import { Problem } from '../platform/problem'
import type { UserRow } from '../store/users'

const MAX_BYTES = 10 * 1024 * 1024

/** An OPML file from an address that this user may reach. */
export async function fetchOpml(outbound: Outbound, user: UserRow, address: string): Promise<string> {
  try {
    const reach = await outbound.reachOf(address, user.role === 'admin')
    const { response } = await outbound.get(address, { reach, headers: { Accept: 'text/x-opml, text/xml, */*;q=0.5' } })
    const host = new URL(address).hostname
    const body = await readBody(response, { maxBytes: MAX_BYTES, idleMs: 10_000, totalMs: 60_000, host })
    if (!response.ok)
      throw new Problem('feed-unreachable', 'The address does not give it out', {
        host,
        status: String(response.status),
      })
    return new TextDecoder().decode(body)
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    if (error.code === 'address-not-allowed')
      throw new Problem('address-not-allowed', 'This address may not be reached from here', { field: 'url' })
    if (error.code === 'too-large')
      throw new Problem('too-large', 'The file is too large', { limit: String(MAX_BYTES) })
    if (error.code === 'timeout')
      throw new Problem('upstream-timeout', 'The address does not answer', { host: error.host })
    throw new Problem('feed-unreachable', 'The address cannot be reached', { host: error.host, status: '' })
  }
}
