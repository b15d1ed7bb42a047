import type { Config, Proxies } from '../../config'
import { isOfProxy, OutboundError } from '../../outbound/error'
import { publicOnly } from '../../outbound/reach'
import { createOutbound } from '../../outbound/request'
import { SECOND } from '../../platform/clock'
import { inspectReplica, isLate, litestreamSocket, type Replica } from '../replica'
import { type Finding, fine, problem, warning } from './folders'

/** A name that no host has (RFC 6761): a working proxy reports that, whatever the network behind it is like. */
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

/** Older versions may stop replicating silently. */
const OLDEST = [0, 5, 8] as const

/** Checks that Litestream replicates the library, where REPLICA_URL says that it should. */
export async function examineReplica({ dataFolder, replicaUrl }: Config, now: number): Promise<Finding[]> {
  if (replicaUrl === null) return []
  const replica = await inspectReplica(dataFolder)
  const { version, completeUntil } = replica
  if (version === null)
    return [
      warning(
        `Litestream does not answer at ${litestreamSocket(dataFolder)}: start it, with this path in its configuration${
          completeUntil === null ? '' : `. It last copied something at ${new Date(completeUntil).toISOString()}`
        }`,
      ),
    ]
  return [checkVersion(version), checkAge(replica, now)].filter(finding => finding !== null)
}

function checkVersion(version: string): Finding | null {
  const numbers = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number)
  const different = numbers?.findIndex((number, at) => number !== OLDEST[at]) ?? -1
  if (!numbers || different === -1 || numbers[different]! > OLDEST[different]!) return null
  return problem(`Litestream ${version} may stop replicating silently: install ${OLDEST.join('.')} or newer`)
}

function checkAge(replica: Replica, now: number): Finding {
  const { completeUntil, failure } = replica
  const reason = failure === null ? 'see the log of Litestream' : `Litestream says: ${failure}`
  if (completeUntil === null) return problem(`nothing has been replicated yet: ${reason}`)
  if (isLate(replica, now))
    return problem(`the replica lacks everything written since ${new Date(completeUntil).toISOString()}: ${reason}`)
  const age = Math.max(0, now - completeUntil)
  return fine(`the replica has everything written until ${Math.round(age / SECOND)} seconds ago`)
}

/** The address that lists models, which every such server has or answers with 404. */
function modelsAt(address: string): string {
  const url = new URL(address)
  url.pathname = url.pathname.replace(/\/audio\/transcriptions$/, '/models')
  return url.href
}

/** Checks that the speech server answers, and accepts the key. Sends no audio, and repeats neither key nor answer. */
export async function examineTranscription(config: Config, timeoutMs = 10 * SECOND): Promise<Finding[]> {
  const { transcription } = config
  if (!transcription) return []
  const { address, key } = transcription
  const name = `the speech server ${new URL(address).host}`
  const outbound = createOutbound(config)
  try {
    const { response } = await outbound.get(modelsAt(address), {
      reach: await outbound.reachOf(address, true),
      privateHeaders: key === null ? {} : { Authorization: `Bearer ${key}` },
      timeoutMs,
    })
    await response.body?.cancel()
    const isRefused = response.status === 401 || response.status === 403
    return [
      isRefused
        ? problem(`${name} refuses the key and answers ${response.status}: check TRANSCRIPTION_KEY`)
        : fine(`${name} answers`),
    ]
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    const advice = isOfProxy(error.code) ? '' : '. Check TRANSCRIPTION_URL'
    return [problem(`${name} does not answer: ${error.message}${advice}. Transcriptions wait until it does`)]
  }
}
