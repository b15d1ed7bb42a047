import type { Context } from '../../context'
import type { FileFacts } from '../../storage/folder'
import { Problem } from '../../platform/problem'
import type { MediaRow } from '../../store/episodes'
import { commonHeaders } from '../core/common-headers'
import { respond } from '../core/problems'
import { mediaHeaders } from './media-headers'
import { rangeOf, type Validators } from './range'

export type LocalFile = { path: string; facts: FileFacts; isWhole: boolean }

/** A file with everything that can be said of it before a range is asked for. */
export type SendableFile = {
  path: string
  file: Bun.BunFile
  facts: FileFacts
  validators: Validators
  headers: Headers
}

/** Finds the downloaded file of an episode; null if it is not where the database says. */
export async function findLocalFile(
  { files, log, store, rename }: Context,
  episode: MediaRow,
): Promise<LocalFile | null> {
  const path = files.folder.pathOf(episode.file_path!)
  const facts = await files.folder.factsOf(path)
  // Deleted or moved in the meantime: it would be gone before it is opened.
  if (!store.episodes.hasFile(episode.id, episode.file_path!) || rename.isMoving(episode.id)) return null
  const isWhole = facts !== null && facts.size >= (episode.file_size ?? 0)
  if (!isWhole)
    log.warn(
      facts ? 'media file is shorter than recorded, relaying instead' : 'media file is missing, relaying instead',
      {
        episode: episode.title,
        path: episode.file_path,
      },
    )
  return facts && { path, facts, isWhole }
}

/** Prepares the headers of a file. They are all that it is sent with: nothing is added to them on the way out. */
export function sendable({ path, facts }: LocalFile, episode: MediaRow, asDownload: boolean): SendableFile {
  const etag = `"${facts.size.toString(36)}-${Math.floor(facts.mtimeMs).toString(36)}"`
  const lastModified = new Date(facts.mtimeMs).toUTCString()
  const headers = new Headers(commonHeaders)
  const own = {
    ...mediaHeaders(episode, asDownload),
    'Content-Type': episode.file_type ?? 'audio/mpeg',
    ETag: etag,
    'Last-Modified': lastModified,
  }
  for (const [name, value] of Object.entries(own)) headers.set(name, value)
  return { path, file: Bun.file(path), facts, validators: { etag, lastModified }, headers }
}

/** Sends a file, or the range of it that the request asks for. */
export function sendFile(
  { file, facts: { size }, validators, headers: known }: SendableFile,
  request: Request,
): Response {
  const headers = new Headers(known)
  if (request.headers.get('if-none-match') === validators.etag) return new Response(null, { status: 304, headers })

  const range = rangeOf(request, size, validators)
  if (range.kind === 'unsatisfiable') return rangeNotSatisfiable({ 'Content-Range': `bytes */${size}` })
  if (range.kind === 'none') {
    headers.set('Content-Length', String(size))
    return new Response(file, { headers })
  }
  headers.set('Content-Range', `bytes ${range.from}-${range.to}/${size}`)
  // The server counts the bytes of a part itself.
  return new Response(file.slice(range.from, range.to + 1), { status: 206, headers })
}

export const rangeNotSatisfiable = (headers: Record<string, string>): Response =>
  respond(new Problem('range-not-satisfiable', 'The range lies beyond the end of the file'), headers)
