import type { Context } from '../../context'
import { Problem } from '../../platform/problem'
import type { FileFacts } from '../../storage/folder'
import type { MediaRow } from '../../store/episodes'
import { commonHeaders, inert } from '../core/answers'
import { respond } from '../core/problems'

type LocalFile = { path: string; facts: FileFacts; isWhole: boolean }

/** Everything that can be said of a file before a range is asked for. */
export type DescribedFile = { size: number; validators: Validators; headers: Headers }

/** A file that was found and may be sent, so that a player's many ranges are sent without looking again. */
export type SendableFile = {
  /** Whether what is known of it still holds. */
  isCurrent: () => boolean
  /** Null if the request must take the usual way. */
  send: (request: Request) => Response | null
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
      facts ? 'Media file is shorter than recorded: relaying it instead' : 'Media file is missing: relaying it instead',
      {
        episode: episode.title,
        path: episode.file_path,
      },
    )
  return facts && { path, facts, isWhole }
}

/** The validator of a file in the folder. */
export const etagOf = ({ size, mtimeMs }: FileFacts) => `"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}"`

/**
 * Prepares the headers of a downloaded file. They are all that it is sent with: nothing is added to them on the way
 * out.
 */
export function describeFile(
  { size, mtimeMs, etag }: FileFacts & { etag: string },
  episode: MediaRow,
  asDownload: boolean,
): DescribedFile {
  const lastModified = new Date(mtimeMs).toUTCString()
  const headers = new Headers(commonHeaders)
  const own = {
    ...mediaHeaders(episode, asDownload),
    'Content-Type': episode.file_type ?? 'audio/mpeg',
    ETag: etag,
    'Last-Modified': lastModified,
  }
  for (const [name, value] of Object.entries(own)) headers.set(name, value)
  return { size, validators: { etag, lastModified }, headers }
}

/** Sends a file from the disk, or the range of it that the request asks for. */
export function sendFile(file: Bun.BunFile, described: DescribedFile, request: Request): Response {
  const answer = answerFor(described, request)
  if (answer instanceof Response) return answer
  const { status, headers, span } = answer
  if (status === 200) return new Response(file, { headers })
  // The server counts the bytes of a part itself.
  headers.delete('Content-Length')
  return new Response(file.slice(span.from, span.to), { status, headers })
}

/** The answer without its body, which is this span of the file; or all of the answer, if it has none. */
export function answerFor({ size, validators, headers: known }: DescribedFile, request: Request) {
  const headers = new Headers(known)
  if (request.headers.get('if-none-match') === validators.etag) return new Response(null, { status: 304, headers })

  const range = rangeOf(request, size, validators)
  if (range.kind === 'unsatisfiable') return rangeNotSatisfiable({ 'Content-Range': `bytes */${size}` })
  const span = range.kind === 'none' ? { from: 0, to: size } : { from: range.from, to: range.to + 1 }
  headers.set('Content-Length', String(span.to - span.from))
  if (range.kind === 'none') return { status: 200, headers, span }
  headers.set('Content-Range', `bytes ${range.from}-${range.to}/${size}`)
  return { status: 206, headers, span }
}

export const rangeNotSatisfiable = (headers: Record<string, string>): Response =>
  respond(new Problem('range-not-satisfiable', 'The range lies beyond the end of the file'), headers)

/** `none` = send everything, `unsatisfiable` = 416. Both ends are inclusive. */
type RangeRequest = { kind: 'none' } | { kind: 'unsatisfiable' } | { kind: 'part'; from: number; to: number }

/** A file's strong ETag, and its `Last-Modified`. */
type Validators = { etag: string; lastModified: string }

/**
 * The range that a request asks for. A client that has an older version of the file (`If-Range`) gets the whole; a weak
 * validator proves nothing about bytes, so it counts as an older version (RFC 9110, 13.1.5).
 */
export function rangeOf({ headers }: Request, size: number, { etag, lastModified }: Validators): RangeRequest {
  const ifRange = headers.get('if-range')
  const isSameVersion = !ifRange || ifRange === etag || ifRange === lastModified
  return isSameVersion ? parseRange(headers.get('range'), size) : { kind: 'none' }
}

/** Parses a single byte range (RFC 9110, 14). Several ranges, and headers that we cannot read, mean the whole. */
export function parseRange(header: string | null, size: number): RangeRequest {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return { kind: 'none' }
  if (match[1] === '') {
    const length = Math.min(Number(match[2]), size)
    return length === 0 ? { kind: 'unsatisfiable' } : { kind: 'part', from: size - length, to: size - 1 }
  }
  const from = Number(match[1])
  const to = match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1)
  if (match[2] !== '' && Number(match[2]) < from) return { kind: 'none' }
  return from < size ? { kind: 'part', from, to } : { kind: 'unsatisfiable' }
}

type Named = Pick<MediaRow, 'title' | 'file_path' | 'enclosure_url'>

/** Headers of an episode's media, whether it is read from the disk or from its host. */
export function mediaHeaders(episode: Named, asDownload: boolean): Record<string, string> {
  const extension = /\.\w{1,5}$/.exec(episode.file_path ?? URL.parse(episode.enclosure_url)?.pathname ?? '')?.[0] ?? ''
  const name = `${episode.title}${extension}`.replace(/[\r\n"\\/]+/g, ' ')
  return {
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private',
    ...inert,
    'Content-Disposition': asDownload ? `attachment; filename*=UTF-8''${extValue(name)}` : 'inline',
  }
}

/** Encodes a file name by RFC 5987, in which some characters that `encodeURIComponent` keeps have a meaning. */
const extValue = (text: string) =>
  encodeURIComponent(text).replace(/['()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
