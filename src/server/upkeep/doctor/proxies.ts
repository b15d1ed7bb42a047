import type { Config, Proxies } from '../../config'
import { OutboundError } from '../../outbound/error'
import { publicOnly } from '../../outbound/reach'
import { createOutbound } from '../../outbound/request'
import { SECOND } from '../../platform/clock'
import { fine, problem, type Finding } from './finding'

/** A name that no host has (RFC 6761): a proxy that works says so itself, whatever the network behind it is like. */
const NOBODY = 'http://castellan.invalid/'

/** Checks that each proxy answers, and accepts its credentials. Names none of those. */
export async function examineProxies(config: Config, timeoutMs = 10 * SECOND): Promise<Finding[]> {
  const used = [config.podcastProxies, config.proxies].flatMap(({ http, https }) => [http, https])
  const proxies = [...new Set(used)].filter(proxy => proxy !== null)
  return Promise.all(proxies.map(proxy => examineProxy(config, proxy, timeoutMs)))
}

async function examineProxy(config: Config, proxy: string, timeoutMs: number): Promise<Finding> {
  const name = `the proxy ${new URL(proxy).host}`
  const direct: Proxies['direct'] = { everything: false, networks: [], hosts: [] }
  const outbound = createOutbound({ ...config, proxies: { http: proxy, https: proxy, direct } })
  try {
    const { response } = await outbound.get(NOBODY, { reach: publicOnly, timeoutMs })
    await response.body?.cancel()
    return fine(`${name} answers`)
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return problem(`${name} does not work. ${error.message}`)
  }
}
