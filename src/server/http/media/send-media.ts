import { MAIN_FORM } from '../../../shared/forms'
import type { Context } from '../../context'
import { describeError, logFailure } from '../../platform/log'
import type { MediaBucket, ObjectFacts } from '../../storage/s3'
import type { MediaRow } from '../../store/episodes'
import type { IncomingRequest } from '../core/links'
import {
  answerFor,
  describeFile,
  type DescribedFile,
  etagOf,
  findLocalFile,
  mediaHeaders,
  type SendableFile,
  sendFile,
} from './local-file'
import { relayForm } from './relay'

type Sending = {
  request: Request
  /** The browser saves it under its title. */
  asDownload: boolean
  /** The form of the episode that is asked for; absent = the file, else the main one. */
  form?: string | undefined
  /** The client follows a redirect to the bucket. */
  mayRedirect: boolean
  /** Called with the downloaded file that is sent; not called for a relay. */
  onFile?: (file: SendableFile) => void
}

/**
 * Sends the media of an episode, whole or the range that is asked for: the downloaded file from the folder or the
 * bucket, otherwise a relay of its enclosure. Throws what `relay` throws.
 */
export async function sendMedia(app: Context, media: MediaRow, sending: Sending): Promise<Response> {
  const { request, asDownload, onFile } = sending
  const formOfFile = media.file_path === null ? null : (media.file_form ?? MAIN_FORM)
  const form = sending.form ?? formOfFile ?? MAIN_FORM
  const isDownloaded = form === formOfFile
  const isInBucket = isDownloaded && media.file_storage === 's3'
  const found = isDownloaded && !isInBucket ? await findLocalFile(app, media) : null
  const fromHost = () => relayForm(app, app.store.episodes.find(media.id)!, form, request, asDownload)
  const sent = isInBucket ? await sendBucketFile(app, { ...sending, episode: media }) : null
  if (sent) return sent
  if (!found) {
    if (media.file_path !== null)
      void app.fileCheck.check(media).catch(logFailure(app.log, 'Missing file was not noted'))
    return fromHost()
  }
  const { path, facts } = found
  const described = describeFile({ ...facts, etag: etagOf(facts) }, media, asDownload)
  const file = Bun.file(path)
  const send = (asked: Request) => sendFile(file, described, asked)
  if (found.isWhole) {
    onFile?.({ isCurrent: () => app.files.folder.areCurrent(path, facts), send })
    return send(request)
  }
  // The host has the whole file; if it cannot be reached, the part on the disk is better than nothing.
  return fromHost().catch(() => send(request))
}

/** Lifts the idle timeout of a request: a paused player may read nothing for hours. */
export const waitForReader = (server: IncomingRequest['server'], request: Request) => server?.timeout(request, 0)

const REDIRECT_SECONDS = 3600

type FromBucket = Sending & { episode: MediaRow }

/**
 * Sends an episode's file from the bucket, through this server or by a redirect to the bucket itself. Null if the
 * bucket is away or does not have the whole file; then its host may still have it.
 */
async function sendBucketFile(app: Context, sending: FromBucket): Promise<Response | null> {
  const { bucket } = app.files
  const { episode } = sending
  if (!bucket || bucket.isAway() || !hasFile(app, episode)) return null
  try {
    return sending.mayRedirect && bucket.settings.redirect
      ? await redirectToBucket(bucket, sending)
      : await relayFromBucket(app, bucket, sending)
  } catch (error) {
    sending.request.signal.throwIfAborted()
    app.log.warn('Media file cannot be read from the bucket: relaying it instead', {
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

/** Sends the listener to the bucket for an hour; the address gives access to this file only. */
async function redirectToBucket(bucket: MediaBucket, { episode, asDownload }: FromBucket): Promise<Response> {
  const { 'Content-Disposition': disposition } = mediaHeaders(episode, asDownload)
  const location = await bucket.presign(episode.file_path!, REDIRECT_SECONDS, {
    'response-content-type': typeOf(episode),
    'response-content-disposition': disposition!,
  })
  return new Response(null, { status: 302, headers: { Location: location, 'Cache-Control': 'private, no-store' } })
}

async function relayFromBucket(app: Context, bucket: MediaBucket, sending: FromBucket): Promise<Response | null> {
  const { episode, request, asDownload, onFile } = sending
  const path = episode.file_path!
  const facts = await bucket.factsOf(path)
  if (facts === null || facts.size < (episode.file_size ?? 0)) {
    app.log.warn('Media file is incomplete in the bucket: relaying it instead', { episode: episode.title, path })
    return null
  }
  const described = describeFile(facts, episode, asDownload)
  const answer = answerFor(described, request)
  if (answer instanceof Response) return answer
  const { span, ...init } = answer
  if (request.method === 'HEAD') return new Response(null, init)
  const body = await bucket.openRange(path, span, facts, request.signal).catch(error => {
    bucket.forget(path)
    throw error
  })
  onFile?.(inMemory(bucket, path, facts, described))
  return new Response(body, init)
}

/** A file of a bucket, of which ranges that are in memory are sent at once. */
function inMemory(bucket: MediaBucket, path: string, facts: ObjectFacts, described: DescribedFile): SendableFile {
  return {
    isCurrent: bucket.currency(path, facts),
    send(request) {
      const answer = answerFor(described, request)
      if (answer instanceof Response) return answer
      const { span, ...init } = answer
      const bytes = bucket.findRange(path, span, facts)
      return bytes && new Response(bytes as Uint8Array<ArrayBuffer>, init)
    },
  }
}

const typeOf = ({ file_type }: MediaRow) => file_type ?? 'audio/mpeg'

/** Carries the length of a body past the router, which reads whole bodies to count them for HEAD, and sets its own. */
const LENGTH = 'x-castellan-length'

/** Answers HEAD with the headers of a response to GET, without reading its body. */
export function headOf(response: Response): Response {
  void response.body?.cancel()
  const headers = new Headers(response.headers)
  const length = headers.get('content-length') ?? lengthOfRange(headers.get('content-range'))
  if (length !== null) headers.set(LENGTH, length)
  return new Response(null, { status: response.status, headers })
}

function lengthOfRange(range: string | null): string | null {
  const [, from, to] = /^bytes (\d+)-(\d+)\//.exec(range ?? '') ?? []
  return from === undefined ? null : String(Number(to) - Number(from) + 1)
}

/** Gives a response to HEAD the length that it was made with. */
export function restoreLength(response: Response): Response {
  const length = response.headers.get(LENGTH)
  if (length === null) return response
  const headers = new Headers(response.headers)
  headers.delete(LENGTH)
  headers.set('content-length', length)
  return new Response(null, { status: response.status, headers })
}
