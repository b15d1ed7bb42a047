import { t } from 'elysia'
import type { SignedInRoutes } from '../core/signed-in'
import type { Context } from '../../context'
import { SNIFF_BYTES, sniffMedia } from '../../downloads/media-type'
import type { FileFacts } from '../../downloads/files'
import { feedAccess } from '../../feeds/access'
import { typeByExtension } from '../../feeds/enclosure'
import { supersededFailure } from '../../feeds/superseded'
import { OutboundError } from '../../outbound/error'
import { notFound, Problem } from '../../platform/problem'
import type { EpisodeRow, MediaRow } from '../../store/episodes'
import type { UserRow } from '../../store/users'
import { inert } from '../core/inert'
import { respond } from '../core/problems'
import { parseRange } from './range'

/**
 * The media of an episode under one address: the file where it is downloaded, otherwise the enclosure, relayed with a
 * fresh request. Nothing changes for a player when a download ends meanwhile.
 */
export function stream(routes: SignedInRoutes, app: Context) {
  const answer = async (user: UserRow, file: string, request: Request, asDownload: boolean) => {
    const media = app.store.episodes.findMedia(user, file.replace(/\.\w{1,5}$/, ''))
    if (!media) throw notFound('episode')
    const found = media.file_path ? await findFile(app, media) : null
    const fromHost = () => relay(app, app.store.episodes.find(media.id)!, request, asDownload)
    if (!found) return fromHost()
    const fromDisk = () => serveFile(found, media, request, asDownload)
    if (found.isWhole) return fromDisk()
    // Its host has all of it; where the host is gone, what is left is better than nothing.
    return fromHost().catch(fromDisk)
  }
  routes
    .get('/media/:file', ({ user, params, query, request, server }) => {
      // A paused player reads nothing for as long as its listener likes.
      server?.timeout(request, 0)
      return answer(user, params.file, request, query.download === '1')
    })
    .head('/media/:file', ({ user, params, query, request }) =>
      answer(user, params.file, request, query.download === '1'),
    )
    // Where players of PodFetch still look. The key that came along leads on.
    .get('/proxy/podcast', ({ query, links, redirect }) => redirect(oldLink(links.base, query), 308), {
      query: t.Object({ episodeId: t.String({ maxLength: 100 }), apiKey: t.Optional(t.String()) }),
    })
    .get(
      '/proxy/podcast/apiKey/:key',
      ({ query, params, links, redirect }) =>
        redirect(oldLink(links.base, { episodeId: query.episodeId, apiKey: params.key }), 308),
      { query: t.Object({ episodeId: t.String({ maxLength: 100 }) }) },
    )
}

const oldLink = (base: string, { episodeId, apiKey }: { episodeId: string; apiKey?: string | undefined }) =>
  `${base}media/${encodeURIComponent(episodeId)}${apiKey ? `?apiKey=${encodeURIComponent(apiKey)}` : ''}`

type LocalFile = { path: string; facts: FileFacts; isWhole: boolean }

/** Null when it is not where the database says. */
async function findFile({ files, log, store, rename }: Context, episode: MediaRow): Promise<LocalFile | null> {
  const path = files.pathOf(episode.file_path!)
  const facts = await files.factsOf(path)
  // Deleted while the disk was asked, or on the move: it would be gone before it is opened.
  if (!store.episodes.hasFile(episode.id, episode.file_path!) || rename.isMoving(episode.id)) return null
  const isWhole = facts !== null && facts.size >= (episode.file_size ?? 0)
  if (!isWhole)
    log.warn(facts ? 'media file was cut short, relaying instead' : 'media file is missing, relaying instead', {
      episode: episode.title,
      path: episode.file_path,
    })
  return facts && { path, facts, isWhole }
}

function serveFile(
  { path, facts: found }: LocalFile,
  episode: MediaRow,
  request: Request,
  asDownload: boolean,
): Response {
  const etag = `"${found.size.toString(36)}-${Math.floor(found.mtimeMs).toString(36)}"`
  const headers = {
    ...commonHeaders(episode, asDownload),
    'Content-Type': episode.file_type ?? 'audio/mpeg',
    ETag: etag,
    'Last-Modified': new Date(found.mtimeMs).toUTCString(),
  }
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers })

  const ifRange = request.headers.get('if-range')
  const isSame = !ifRange || ifRange === etag || ifRange === headers['Last-Modified']
  const range = parseRange(isSame ? request.headers.get('range') : null, found.size)
  if (range.kind === 'unsatisfiable')
    return respond(new Problem('range-not-satisfiable', 'The range lies beyond the end'), {
      'Content-Range': `bytes */${found.size}`,
    })
  const file = Bun.file(path)
  if (range.kind === 'none')
    return new Response(file, { headers: { ...headers, 'Content-Length': String(found.size) } })
  return new Response(file.slice(range.from, range.to + 1), {
    status: 206,
    headers: {
      ...headers,
      'Content-Range': `bytes ${range.from}-${range.to}/${found.size}`,
      'Content-Length': String(range.to - range.from + 1),
    },
  })
}

/** Only Range and If-Range go upstream; only length, range, validators and a checked type come back. */
async function relay(app: Context, episode: EpisodeRow, request: Request, asDownload: boolean): Promise<Response> {
  if (episode.superseded) throw new Problem(supersededFailure.code, supersededFailure.message)
  const podcast = app.store.podcasts.find(episode.podcast_id)!
  const asked = ['range', 'if-range'].flatMap(name => {
    const value = request.headers.get(name)
    return value ? [[name, value]] : []
  })
  const { response } = await app.outbound
    .get(episode.enclosure_url, {
      ...feedAccess(app, podcast, episode.enclosure_url),
      headers: { ...Object.fromEntries(asked), Accept: 'audio/*, video/*, */*;q=0.5', 'Accept-Encoding': 'identity' },
      signal: request.signal,
    })
    .catch(refuse)
  if (response.status === 416) {
    await response.body?.cancel()
    return respond(
      new Problem('range-not-satisfiable', 'The range lies beyond the end'),
      keep(response, ['content-range']),
    )
  }
  if (response.status !== 200 && response.status !== 206) {
    await response.body?.cancel()
    throw unreachable(response.status, 'The host of the episode does not give it out')
  }
  const { type, body } = await checkedBody(response, episode)
  if (request.method === 'HEAD') await body?.cancel()
  return new Response(request.method === 'HEAD' ? null : body, {
    status: response.status,
    headers: {
      ...commonHeaders(episode, asDownload),
      ...keep(response, ['content-length', 'content-range', 'etag', 'last-modified']),
      'Content-Type': type,
    },
  })
}

function commonHeaders(episode: MediaRow, asDownload: boolean): Record<string, string> {
  const extension = /\.\w{1,5}$/.exec(episode.file_path ?? URL.parse(episode.enclosure_url)?.pathname ?? '')?.[0] ?? ''
  const name = `${episode.title}${extension}`.replace(/[\r\n"\\/]+/g, ' ')
  return {
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private',
    ...inert,
    'Content-Disposition': asDownload ? `attachment; filename*=UTF-8''${extValue(name)}` : 'inline',
  }
}

/** RFC 5987: what `encodeURIComponent` leaves alone would end the text there, or mean something else. */
const extValue = (text: string) =>
  encodeURIComponent(text).replace(/['()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

/** Audio or video by what the host says, and, where the beginning is sent, by its bytes; anything else is refused. */
async function checkedBody(
  response: Response,
  episode: EpisodeRow,
): Promise<{ type: string; body: ReadableStream | null }> {
  const said = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  const isMedia = /^(audio|video)\//.test(said)
  if (!isMedia && /^(text|image)\/|html|json|xml|javascript|pdf/.test(said)) {
    await response.body?.cancel()
    throw unreachable(response.status, `The host sent ${said}`)
  }
  const guess = isMedia
    ? said
    : (mediaOrNull(episode.enclosure_type) ?? typeByExtension(episode.enclosure_url) ?? 'audio/mpeg')
  const isBeginning = response.status === 200 || response.headers.get('content-range')?.startsWith('bytes 0-')
  if (!isBeginning || !response.body) return { type: guess, body: response.body }

  const { start, rest } = await readStart(response.body).catch(() => {
    throw unreachable(response.status, 'The host of the episode broke off')
  })
  const found = start.byteLength >= 512 ? await sniffMedia(start) : { type: guess }
  if (found) return { type: found.type, body: rest }
  await rest.cancel()
  throw unreachable(response.status, 'What the host sent is neither audio nor video')
}

const mediaOrNull = (type: string | null) => (type && /^(audio|video)\/[\w.+-]+$/.test(type) ? type : null)

/** The first bytes of a stream, and a stream that still begins with them. */
async function readStart(
  body: ReadableStream<Uint8Array>,
): Promise<{ start: Uint8Array; rest: ReadableStream<Uint8Array> }> {
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  while (length < SNIFF_BYTES) {
    const { value, done } = await reader.read()
    if (done) break
    chunks.push(value)
    length += value.byteLength
  }
  const start = Buffer.concat(chunks)
  const rest = new ReadableStream<Uint8Array>({
    start: controller => controller.enqueue(start),
    async pull(controller) {
      const { value, done } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: reason => reader.cancel(reason),
  })
  return { start: start.subarray(0, SNIFF_BYTES), rest }
}

const keep = (response: Response, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap(name => {
      const value = response.headers.get(name)
      return value ? [[name, value]] : []
    }),
  )

const unreachable = (status: number, message: string) =>
  new Problem('media-unreachable', message, { status: String(status) })

function refuse(error: unknown): never {
  if (!(error instanceof OutboundError)) throw error
  if (error.code === 'timeout')
    throw new Problem('upstream-timeout', 'The host of the episode does not answer', { host: error.host })
  throw new Problem('media-unreachable', 'The host of the episode cannot be reached', { status: '' })
}
