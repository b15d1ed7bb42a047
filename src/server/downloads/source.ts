import type { FeedAccess } from '../feeds/fetch/address'
import { isEncoded, withoutEncoding } from '../outbound/body'
import type { Incoming, Outbound } from '../outbound/request'
import type { Clock } from '../platform/clock'
import { notMedia, statusFailure } from './failure'
import type { DownloadLimits } from './pace'

/** The enclosure to fetch, and what an earlier attempt recorded about it. */
export type Source = FeedAccess & {
  eid: string
  address: string
  /** The number of bytes of the `.part` file that can be trusted, if it has that many. */
  received: number
  total: number | null
  etag: string | null
  lastModified: string | null
}

/**
 * The response of the host. `start`: bytes of the `.part` that are kept; `overlap`: bytes before `start` that the body
 * repeats, to be compared; `total`: bytes of the whole file, null when the host does not say.
 */
export type Answer = {
  response: Response
  host: string
  start: number
  overlap: number
  total: number | null
  etag: string | null
  lastModified: string | null
}

type Needs = {
  outbound: Outbound
  limits: DownloadLimits
  now: Clock
  /** The host has ended this file too early before, so every byte that it sends counts. */
  isPatient?: boolean
}

const OVERLAP = 64 * 1024
const pages = /^(text\/html|image\/|application\/(json|xhtml|pdf))/i

/**
 * Requests the file from byte `from` on. A response that does not continue the received bytes starts at the first byte.
 */
export async function requestFrom(source: Source, from: number, needs: Needs, signal: AbortSignal): Promise<Answer> {
  if (from === 0) return describe(await get(source, needs, signal), 0, 0)
  const validator = strong(source.etag) ?? source.lastModified
  // Without a validator only the bytes can tell whether it is the same file, so some are requested again.
  const overlap = validator ? 0 : Math.min(OVERLAP, from)
  const rest = await get(source, needs, signal, {
    Range: `bytes=${from - overlap}-`,
    ...(validator && { 'If-Range': validator }),
  })
  if (continues(rest.response, source, from - overlap)) return describe(rest, from, overlap)
  if (rest.response.status === 200) return describe(rest, 0, 0)
  await rest.response.body?.cancel()
  return describe(await get(source, needs, signal), 0, 0)
}

async function get(
  { address, reach, credentials, userAgent }: Source,
  { outbound, limits, now, isPatient = false }: Needs,
  signal: AbortSignal,
  range: Record<string, string> = {},
): Promise<Incoming> {
  const incoming = await outbound.get(address, {
    reach,
    credentials,
    userAgent,
    signal,
    timeoutMs: limits.headersMs,
    isPatient,
    headers: { ...range, Accept: 'audio/*, video/*, */*;q=0.5', 'Accept-Encoding': 'identity' },
  })
  const { status, headers, body } = incoming.response
  // The requested range is beyond the end of the file that the host has now.
  if (status === 416 && range.Range) return incoming
  const type = headers.get('content-type') ?? ''
  const isSuccess = status === 200 || status === 206
  if (isSuccess && !pages.test(type))
    return status === 200
      ? { ...incoming, response: await withoutEncoding(incoming.response, hostOf(incoming)) }
      : incoming
  await body?.cancel()
  throw isSuccess ? notMedia(type.split(';')[0]!) : statusFailure(incoming.response, now())
}

/** Whether the response is the same file from byte `from` on. */
function continues(response: Response, source: Source, from: number): boolean {
  const { status, headers } = response
  const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get('content-range') ?? '')
  // A part of a compressed body can't continue the file.
  if (status !== 206 || isEncoded(response) || !range || Number(range[1]) !== from) return false
  const hasSameLength = source.total === null || range[2] === '*' || Number(range[2]) === source.total
  const etag = headers.get('etag')
  // A host that ignores If-Range still reveals another file by its ETag.
  return hasSameLength && (!source.etag || !etag || etag === source.etag)
}

const hostOf = ({ url }: Incoming) => new URL(url).host

const describe = (incoming: Incoming, start: number, overlap: number): Answer => ({
  response: incoming.response,
  host: hostOf(incoming),
  start,
  overlap,
  total: totalOf(incoming.response, start),
  etag: incoming.response.headers.get('etag')?.trim() || null,
  lastModified: incoming.response.headers.get('last-modified')?.trim() || null,
})

function totalOf({ status, headers }: Response, start: number): number | null {
  if (status === 206 && start > 0) {
    const total = /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1]
    return total === undefined ? null : Number(total)
  }
  const length = headers.get('content-length')
  return length !== null && /^\d+$/.test(length) ? Number(length) : null
}

/** A weak ETag may stand for other bytes. */
const strong = (etag: string | null) => (etag && !etag.startsWith('W/') ? etag : null)
