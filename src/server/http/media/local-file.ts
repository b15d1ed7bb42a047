import type { Context } from '../../context'
import type { FileFacts } from '../../downloads/files'
import { Problem } from '../../platform/problem'
import type { MediaRow } from '../../store/episodes'
import { respond } from '../core/problems'
import { mediaHeaders } from './media-headers'
import { rangeOf } from './range'

type LocalFile = { path: string; facts: FileFacts; isWhole: boolean }

/** Finds the downloaded file of an episode; null if it is not where the database says. */
export async function findLocalFile(
  { files, log, store, rename }: Context,
  episode: MediaRow,
): Promise<LocalFile | null> {
  const path = files.pathOf(episode.file_path!)
  const facts = await files.factsOf(path)
  // Deleted or moved meanwhile: it would be gone before it is opened.
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

/** Serves a file, or the range of it that the request asks for. */
export function serveLocalFile(
  { path, facts }: LocalFile,
  episode: MediaRow,
  request: Request,
  asDownload: boolean,
): Response {
  const etag = `"${facts.size.toString(36)}-${Math.floor(facts.mtimeMs).toString(36)}"`
  const lastModified = new Date(facts.mtimeMs).toUTCString()
  const headers = {
    ...mediaHeaders(episode, asDownload),
    'Content-Type': episode.file_type ?? 'audio/mpeg',
    ETag: etag,
    'Last-Modified': lastModified,
  }
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers })

  const range = rangeOf(request, facts.size, { etag, lastModified })
  if (range.kind === 'unsatisfiable') return rangeNotSatisfiable({ 'Content-Range': `bytes */${facts.size}` })
  const file = Bun.file(path)
  if (range.kind === 'none')
    return new Response(file, { headers: { ...headers, 'Content-Length': String(facts.size) } })
  return new Response(file.slice(range.from, range.to + 1), {
    status: 206,
    headers: {
      ...headers,
      'Content-Range': `bytes ${range.from}-${range.to}/${facts.size}`,
      'Content-Length': String(range.to - range.from + 1),
    },
  })
}

export const rangeNotSatisfiable = (headers: Record<string, string>): Response =>
  respond(new Problem('range-not-satisfiable', 'The range lies beyond the end of the file'), headers)
