import type { Chapter } from '../../../shared/api/chapter'
import type { Context } from '../../context'
import { notFound } from '../../platform/problem'
import type { DocumentRow } from '../../store/documents'
import type { UserRow } from '../../store/users'
import { formatIn } from '../../texts/select'
import type { TranscriptFormat } from '../../texts/transcripts/format'
import { writeVtt } from '../../texts/write-vtt'
import { inert } from '../core/inert'
import type { Links } from '../core/links'
import { presentChapters } from './texts.present'

/** The chapters of an episode, fetched or read from its file if nobody asked for them before. */
export async function findChapters(app: Context, user: UserRow, uuid: string, links: Links): Promise<Chapter[]> {
  const episode = app.store.episodes.require(user, uuid)
  return presentChapters(await app.texts.chaptersOf(episode), episode.duration, links)
}

/** A transcript of one episode. Throws `transcript-not-found`. */
export async function requireTranscriptOf(app: Context, user: UserRow, uuid: string, episodeId: number) {
  const row = await requireTranscript(app, user, uuid)
  if (row.episode_id !== episodeId) throw notFound('transcript')
  return row
}

/** A transcript that this user may see, fetched now if it was never needed before. Throws `transcript-not-found`. */
export async function requireTranscript(app: Context, user: UserRow, uuid: string): Promise<DocumentRow> {
  const row = await app.texts.ensure(app.store.documents.requireTranscript(user, uuid))
  if (row.state !== 'parsed') throw notFound('transcript')
  return row
}

/** A transcript as its host published it, in UTF-8, or as WebVTT. */
export function serveTranscript({ store }: Context, row: DocumentRow, request: Request, asVtt = false): Response {
  const isWritten = asVtt && formatIn(row) !== 'vtt'
  const etag = `"${row.uuid}-${row.fetched_at?.toString(36)}${isWritten ? '-vtt' : ''}"`
  const headers = {
    ETag: etag,
    'Last-Modified': new Date(row.fetched_at ?? 0).toUTCString(),
    'Cache-Control': 'private, no-cache',
    ...inert,
    'Content-Type': `${servedTypes[isWritten ? 'vtt' : (formatIn(row) ?? 'text')]}; charset=utf-8`,
  }
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers })
  if (isWritten) return new Response(writeVtt(store.documents.segmentsOf(row.id)), { headers })
  return new Response(store.documents.bodyOf(row.id) as BodyInit | null, { headers })
}

/** The type under which each format is served. HTML of a feed must not become a page of this server. */
const servedTypes: Record<TranscriptFormat, string> = {
  vtt: 'text/vtt',
  srt: 'application/x-subrip',
  ttml: 'text/plain',
  lrc: 'text/plain',
  json: 'application/json',
  html: 'text/plain',
  text: 'text/plain',
}
