import { MAIN_FORM } from '../../../shared/forms'
import type { Context } from '../../context'
import { logFailure } from '../../platform/log'
import type { MediaRow } from '../../store/episodes'
import type { IncomingRequest } from '../core/incoming'
import { sendBucketFile } from './bucket-file'
import { findLocalFile, sendable, sendFile, type SendableFile } from './local-file'
import { relayForm } from './relay'

type Sending = {
  request: Request
  /** To be saved under its title. */
  asDownload: boolean
  /** The form of the episode that is asked for; absent = the file, else the main one. */
  form?: string | undefined
  /** The client follows a redirect to the bucket. */
  mayRedirect: boolean
  /** Gets the file in the folder that is sent, if it is one. */
  onFile?: (file: SendableFile) => void
}

/**
 * Sends the media of an episode, whole or the range that is asked for: the downloaded file from the folder or the
 * bucket, otherwise a relay of its enclosure. Throws what `relay` throws.
 */
export async function sendMedia(app: Context, media: MediaRow, sending: Sending): Promise<Response> {
  const { request, asDownload, mayRedirect, onFile } = sending
  const formOfFile = media.file_path === null ? null : (media.file_form ?? MAIN_FORM)
  const form = sending.form ?? formOfFile ?? MAIN_FORM
  const hasFile = form === formOfFile
  const isInBucket = hasFile && media.file_storage === 's3'
  const found = hasFile && !isInBucket ? await findLocalFile(app, media) : null
  const fromHost = () => relayForm(app, app.store.episodes.find(media.id)!, form, request, asDownload)
  if (isInBucket) return (await sendBucketFile(app, { episode: media, request, asDownload, mayRedirect })) ?? fromHost()
  if (!found) {
    if (media.file_path !== null)
      void app.fileCheck.look(media).catch(logFailure(app.log, 'Missing file was not noted'))
    return fromHost()
  }
  const file = sendable(found, media, asDownload)
  const fromDisk = () => sendFile(file, request)
  if (found.isWhole) {
    onFile?.(file)
    return fromDisk()
  }
  // The host has the whole file; if it cannot be reached, the part on the disk is better than nothing.
  return fromHost().catch(fromDisk)
}

/** A paused player reads nothing for as long as its listener likes. */
export const waitForReader = (server: IncomingRequest['server'], request: Request) => server?.timeout(request, 0)
