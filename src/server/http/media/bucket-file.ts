import type { Context } from '../../context'
import { describeError } from '../../platform/log'
import type { MediaBucket } from '../../storage/s3'
import type { MediaRow } from '../../store/episodes'
import { rangeNotSatisfiable } from './local-file'
import { mediaHeaders } from './media-headers'
import { rangeOf } from './range'

const REDIRECT_SECONDS = 3600

type Sending = { episode: MediaRow; request: Request; asDownload: boolean; mayRedirect: boolean }

/**
 * Sends an episode's file from the bucket, through this server or by a redirect to the bucket itself. Null if the
 * bucket is away or does not have the whole file; then its host may still have it.
 */
export async function sendBucketFile(app: Context, sending: Sending): Promise<Response | null> {
  const { bucket } = app.files
  const { episode } = sending
  if (!bucket || bucket.isAway() || !hasFile(app, episode)) return null
  try {
    return sending.mayRedirect && bucket.settings.redirect
      ? await redirectToBucket(bucket, sending)
      : await relayFromBucket(app, bucket, sending)
  } catch (error) {
    sending.request.signal.throwIfAborted()
    app.log.warn('media file cannot be read from the bucket, relaying instead', {
      episode: episode.title,
      path: episode.file_path,
      reason: describeError(error),
    })
    return null
  }
}

/** Whether the file is neither deleted nor being moved: it would be gone before it is opened. */
const hasFile = ({ store, rename }: Context, { id, file_path }: MediaRow) =>
  file_path !== null && store.episodes.hasFile(id, file_path) && !rename.isMoving(id)

/** Sends the listener to the bucket for an hour; the address opens nothing but this file. */
async function redirectToBucket(bucket: MediaBucket, { episode, asDownload }: Sending): Promise<Response> {
  const { 'Content-Disposition': disposition } = mediaHeaders(episode, asDownload)
  const location = await bucket.presign(episode.file_path!, REDIRECT_SECONDS, {
    'response-content-type': typeOf(episode),
    'response-content-disposition': disposition!,
  })
  return new Response(null, { status: 302, headers: { Location: location, 'Cache-Control': 'private, no-store' } })
}

async function relayFromBucket(app: Context, bucket: MediaBucket, sending: Sending): Promise<Response | null> {
  const { episode, request, asDownload } = sending
  const facts = await bucket.factsOf(episode.file_path!)
  if (facts === null || facts.size < (episode.file_size ?? 0)) {
    app.log.warn('media file is not whole in the bucket, relaying instead', {
      episode: episode.title,
      path: episode.file_path,
    })
    return null
  }
  const { size, etag } = facts
  const lastModified = new Date(facts.mtimeMs).toUTCString()
  const headers = new Headers({
    ...mediaHeaders(episode, asDownload),
    'Content-Type': typeOf(episode),
    ETag: etag,
    'Last-Modified': lastModified,
  })
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers })
  const range = rangeOf(request, size, { etag, lastModified })
  if (range.kind === 'unsatisfiable') return rangeNotSatisfiable({ 'Content-Range': `bytes */${size}` })
  const isPart = range.kind === 'part'
  const span = isPart ? { from: range.from, to: range.to + 1 } : { from: 0, to: size }
  headers.set('Content-Length', String(span.to - span.from))
  if (isPart) headers.set('Content-Range', `bytes ${range.from}-${range.to}/${size}`)
  const status = isPart ? 206 : 200
  if (request.method === 'HEAD') return new Response(null, { status, headers })
  const object = await bucket.open(episode.file_path!, { span, etag, signal: request.signal }).catch(error => {
    bucket.forget(episode.file_path!)
    throw error
  })
  return new Response(object.body, { status, headers })
}

const typeOf = ({ file_type }: MediaRow) => file_type ?? 'audio/mpeg'
