import type { Context } from '../../context'
import { SNIFF_BYTES, sniffMedia } from '../../downloads/media-type'
import { type FeedAccess, feedAccess } from '../../feeds/fetch/address'
import { typeByExtension } from '../../feeds/parse/items'
import { supersededFailure } from '../../feeds/apply/superseded'
import { isEncoded, readStart, withoutEncoding } from '../../outbound/body'
import { isOfProxy, OutboundError } from '../../outbound/error'
import { Problem } from '../../platform/problem'
import type { EpisodeRow } from '../../store/episodes'
import { formsOfEpisode } from '../../feeds/parse/forms'
import { SECOND } from '../../platform/clock'
import type { SpooledFile } from '../../downloads/spooled-file'
import { mediaHeaders, rangeNotSatisfiable, rangeOf } from './local-file'

/** An episode, or a form of it, as far as relaying needs it. */
type Relayed = Pick<
  EpisodeRow,
  'podcast_id' | 'title' | 'enclosure_url' | 'enclosure_type' | 'superseded' | 'file_path'
> & {
  /** The feed that it was found in, and how its host is asked; absent = as for its podcast. */
  found?: { feed: string; access: Pick<FeedAccess, 'reach'> }
}

/**
 * Relays an episode from its host. Only `Range` and `If-Range` go upstream; only length, range, validators and a
 * checked type come back. If the host answers no ranges, they are answered from a spool, as far as there is room.
 * Throws `media-superseded`, `media-unreachable`, `proxy-failed` and `upstream-timeout`.
 */
export async function relay(app: Context, episode: Relayed, request: Request, asDownload: boolean): Promise<Response> {
  if (episode.superseded) throw new Problem(supersededFailure.code, supersededFailure.message)
  // Only those who may reach the feed know it: another one may name the same file, on a network that is closed to it.
  const key = `${episode.found?.feed ?? episode.podcast_id} ${episode.enclosure_url}`
  const spooled = app.spool.find(key)
  if (spooled) return sendSpooled(spooled, episode, request, asDownload)
  const listener = followListener(request.signal)
  const { response, host } = await requestMedia(app, episode, request, listener.signal)
  if (response.status === 416) {
    await response.body?.cancel()
    return rangeNotSatisfiable(pick(response.headers, ['content-range']))
  }
  if (response.status !== 200 && response.status !== 206) {
    await response.body?.cancel()
    throw unreachable(response.status, `The episode's host answered ${response.status}`)
  }
  if (!beginsWhereAsked(request, response)) {
    await response.body?.cancel()
    throw unreachable(response.status, "The episode's host sent another part than the one asked for")
  }
  const { type, body } = await checkedBody(response, episode)
  if (request.method === 'HEAD') await body?.cancel()
  else if (body && response.status === 200 && asksForPart(request)) {
    const total = Number(response.headers.get('content-length')) || null
    const kept = await app.spool.keep(key, { body, type, total, host, stop: listener.abort })
    if (kept) {
      listener.detach()
      return sendSpooled(kept, episode, request, asDownload)
    }
  }
  return new Response(request.method === 'HEAD' ? null : body, {
    status: response.status,
    headers: {
      ...mediaHeaders(episode, asDownload),
      ...pick(response.headers, ['content-length', 'content-range', 'etag', 'last-modified']),
      'Content-Type': type,
    },
  })
}

/** Relays a form of an episode, from the first of its sources that has it. Throws what `relay` throws. */
export async function relayForm(
  app: Context,
  episode: EpisodeRow,
  form: string,
  request: Request,
  asDownload: boolean,
): Promise<Response> {
  const found = formsOfEpisode(episode).find(({ id }) => id === form)
  if (!found) return relay(app, episode, request, asDownload)
  let failure: unknown
  for (const { url, type } of found.sources) {
    const source = {
      ...episode,
      file_path: null,
      superseded: 0,
      enclosure_url: url,
      enclosure_type: type ?? found.type,
    }
    try {
      return await relay(app, source, request, asDownload)
    } catch (error) {
      request.signal.throwIfAborted()
      failure = error
    }
  }
  throw failure
}

/** The body of a live stream, and the type that its host names. It has neither parts nor an end. */
export async function relayLive(app: Context, stream: Relayed, request: Request): Promise<Response> {
  const { response } = await app.outbound
    .get(stream.enclosure_url, {
      ...feedAccess(app, app.store.podcasts.find(stream.podcast_id)!),
      headers: { Accept: 'audio/*, video/*', 'Accept-Encoding': 'identity' },
      signal: request.signal,
    })
    .catch(refuse)
  const type = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  const isMedia = mediaOrNull(type) !== null && !/mpegurl/.test(type)
  if (response.status !== 200 || !isMedia || request.method === 'HEAD') await response.body?.cancel()
  if (response.status !== 200)
    throw unreachable(response.status, `The host of the live stream answered ${response.status}`)
  if (!isMedia)
    throw unreachable(response.status, `Expected audio or video, the host of the live stream sent ${type || 'no type'}`)
  return new Response(request.method === 'HEAD' ? null : response.body, {
    headers: {
      ...mediaHeaders(stream, false),
      'Accept-Ranges': 'none',
      'Cache-Control': 'no-store',
      'Content-Type': type,
    },
  })
}

/** A part from elsewhere would be appended to what a client has. */
function beginsWhereAsked({ headers }: Request, response: Response): boolean {
  const asked = /^bytes=(\d+)-/.exec(headers.get('range') ?? '')?.[1]
  const begun = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')?.[1]
  return response.status !== 206 || asked === undefined || Number(asked) === Number(begun)
}

/** Whether a range is asked for that is not bound to a version: a host answers it with the whole if it has no ranges. */
const asksForPart = ({ headers }: Request) => /^bytes=\d+-/.test(headers.get('range') ?? '') && !headers.has('if-range')

/** A signal that aborts with the listener's, until it is detached: the spool reads on when they leave. */
function followListener(listener: AbortSignal) {
  const own = new AbortController()
  const abort = () => own.abort(listener.reason)
  if (listener.aborted) abort()
  listener.addEventListener('abort', abort)
  return {
    signal: own.signal,
    abort: () => own.abort(),
    detach: () => listener.removeEventListener('abort', abort),
  }
}

/** The longest wait for the length of a file whose host does not give it: then it is known once all of it is here. */
const LENGTH_MS = 20 * SECOND

/** Sends the spooled file, or the range that is asked for. While its length is unknown, it is sent from its start. */
async function sendSpooled(
  spooled: SpooledFile,
  episode: Relayed,
  request: Request,
  asDownload: boolean,
): Promise<Response> {
  const { etag } = spooled
  const headers = { ...mediaHeaders(episode, asDownload), 'Content-Type': spooled.type, ETag: etag }
  const send = (status: number, more: Record<string, string>, from: number, to: number | null) =>
    new Response(request.method === 'HEAD' ? null : spooled.stream(from, to), {
      status,
      headers: { ...headers, ...more },
    })
  if (spooled.size() === null && asksForPart(request) && !request.headers.get('range')!.startsWith('bytes=0-'))
    await spooled.whenWhole(LENGTH_MS)
  const size = spooled.size()
  if (size === null) return send(200, {}, 0, null)
  const range = rangeOf(request, size, { etag, lastModified: '' })
  if (range.kind === 'unsatisfiable') return rangeNotSatisfiable({ 'Content-Range': `bytes */${size}` })
  if (range.kind === 'none') return send(200, { 'Content-Length': String(size) }, 0, size)
  const { from, to } = range
  const part = { 'Content-Length': String(to - from + 1), 'Content-Range': `bytes ${from}-${to}/${size}` }
  return send(206, part, from, to + 1)
}

async function requestMedia(app: Context, episode: Relayed, request: Request, signal: AbortSignal) {
  const access = episode.found?.access ?? feedAccess(app, app.store.podcasts.find(episode.podcast_id)!)
  const get = (range: Record<string, string>) =>
    app.outbound
      .get(episode.enclosure_url, {
        ...access,
        headers: { ...range, Accept: 'audio/*, video/*, */*;q=0.5', 'Accept-Encoding': 'identity' },
        signal,
      })
      .catch(refuse)
  let { response, url } = await get(pick(request.headers, ['range', 'if-range']))
  if (response.status === 206 && isEncoded(response)) {
    // A part of compressed bytes is no part of the file.
    await response.body?.cancel()
    ;({ response, url } = await get({}))
  }
  const { host } = new URL(url)
  return { response: response.status === 200 ? await withoutEncoding(response, host) : response, host }
}

function refuse(error: unknown): never {
  if (!(error instanceof OutboundError)) throw error
  if (error.code === 'timeout')
    throw new Problem('upstream-timeout', `The episode's host ${error.host} does not answer`, { host: error.host })
  if (isOfProxy(error.code)) throw new Problem('proxy-failed', error.message, { host: error.host })
  throw new Problem('media-unreachable', "The episode's host cannot be reached", { status: '' })
}

/**
 * The body of a response, and a type that is audio or video: by the host's word, and if the response starts at the
 * beginning, by its first bytes. Anything else is refused, as a browser could run it as a page of ours.
 */
async function checkedBody(
  response: Response,
  episode: Relayed,
): Promise<{ type: string; body: ReadableStream | null }> {
  const declared = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  const isMedia = /^(audio|video)\//.test(declared)
  if (!isMedia && /^(text|image)\/|html|json|xml|javascript|pdf/.test(declared)) {
    await response.body?.cancel()
    throw unreachable(response.status, `Expected audio or video, the episode's host sent ${declared}`)
  }
  const guess = isMedia
    ? declared
    : (mediaOrNull(episode.enclosure_type) ?? typeByExtension(episode.enclosure_url) ?? 'audio/mpeg')
  const isBeginning = response.status === 200 || response.headers.get('content-range')?.startsWith('bytes 0-')
  if (!isBeginning || !response.body) return { type: guess, body: response.body }

  const { start, rest } = await readStart(response.body, SNIFF_BYTES).catch(() => {
    throw unreachable(response.status, "The episode's host broke off the connection")
  })
  if (start.byteLength === 0) throw unreachable(response.status, "The episode's host sent an empty file")
  const sniffed = await sniffMedia(start.subarray(0, SNIFF_BYTES))
  // Few bytes may not be enough to recognise a format, but they are to recognise a message.
  const found = sniffed ?? (start.byteLength < FEW && !isText(start) ? { type: guess } : null)
  if (found) return { type: found.type, body: rest }
  await rest.cancel()
  throw unreachable(response.status, "Expected audio or video, the episode's host sent something else")
}

const FEW = 512
const isText = (bytes: Uint8Array) => !bytes.some(byte => byte < 9 || (byte > 13 && byte < 32) || byte > 126)

const mediaOrNull = (type: string | null) => (type && /^(audio|video)\/[\w.+-]+$/.test(type) ? type : null)

/** The headers with these names that are present. */
const pick = (headers: Headers, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap(name => {
      const value = headers.get(name)
      return value ? [[name, value]] : []
    }),
  )

const unreachable = (status: number, message: string) =>
  new Problem('media-unreachable', message, { status: String(status) })
