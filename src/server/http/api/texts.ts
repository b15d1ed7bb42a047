import { t } from 'elysia'
import {
  Chapter,
  ChapterFile,
  EpisodeTranscription,
  Transcript,
  TranscriptHits,
  Transcription,
  TranscriptionList,
  type TranscriptSegment,
  TranscriptWithSegments,
} from '../../../shared/api/texts'
import type { Context } from '../../context'
import { notFound } from '../../platform/problem'
import { searchTranscripts } from '../../search/find'
import type { ChapterRow, DocumentRow, Segment } from '../../store/documents'
import type { EpisodeRow } from '../../store/episodes'
import type { UserRow } from '../../store/users'
import { meansAdvertising } from '../../texts/advertising'
import { formatIn, isCaptions, type TranscriptFormat } from '../../texts/select'
import { writeVtt } from '../../texts/transcripts/cues'
import { inert } from '../core/answers'
import { type Links, mediaLink } from '../core/links'
import type { SignedInRoutes } from '../core/signed-in'
import { presentEpisode, presentEpisodeWork } from './episodes.present'
import type { TranscriptionRow } from '../../store/transcriptions'

const EPISODES_PER_PAGE = 20

const SearchQuery = t.Object({
  q: t.String({ minLength: 1, maxLength: 200 }),
  podcastId: t.Optional(t.String({ maxLength: 100 })),
  page: t.Integer({ minimum: 0, maximum: 100, default: 0 }),
})

/** Chapters and transcripts of episodes. */
export function texts(routes: SignedInRoutes, app: Context) {
  const { store } = app
  routes
    .get(
      '/api/v1/podcasts/episodes/:id/chapters',
      ({ user, links, params }) => findChapters(app, user, params.id, links),
      { response: t.Array(Chapter) },
    )
    .get(
      '/api/v1/podcasts/episodes/:id/chapter-files',
      ({ user, params }) =>
        presentChapterFiles(store.documents.of(store.episodes.require(user, params.id).id, 'chapters')),
      { response: t.Array(ChapterFile) },
    )
    .get(
      '/api/v1/podcasts/episodes/:id/transcripts',
      ({ user, links, params }) => {
        const episode = store.episodes.require(user, params.id)
        return store.documents.of(episode.id, 'transcript').map(row => presentTranscript(row, episode, links))
      },
      { response: t.Array(Transcript) },
    )
    .get(
      '/api/v1/podcasts/episodes/:id/transcript',
      async ({ user, links, params, query }) => {
        const episode = store.episodes.require(user, params.id)
        const row = await app.texts.transcriptOf(episode, query.language)
        if (!row) throw notFound('transcript')
        const segments = presentSegments(store.documents.segmentsOf(row.id))
        return { ...presentTranscript(row, episode, links), segments }
      },
      { query: t.Object({ language: t.Optional(t.String({ maxLength: 35 })) }), response: TranscriptWithSegments },
    )
    .get('/api/v1/podcasts/episodes/:id/transcripts/:tid/file', async ({ user, params, request }) => {
      const episode = store.episodes.require(user, params.id)
      return serveTranscript(app, await requireTranscriptOf(app, user, params.tid, episode.id), request)
    })
    .get('/api/v1/transcripts/search', ({ user, links, query }) => findSpoken(app, user, links, query), {
      query: SearchQuery,
      response: t.Array(TranscriptHits),
    })
}

/** A page of episodes in whose transcripts the words were spoken. */
function findSpoken({ store }: Context, user: UserRow, links: Links, query: (typeof SearchQuery)['static']) {
  const podcastId = query.podcastId === undefined ? undefined : store.podcasts.require(user, query.podcastId).id
  const from = query.page * EPISODES_PER_PAGE
  return searchTranscripts(store, user, query.q, podcastId, from, EPISODES_PER_PAGE).map(({ row, hits }, index) => ({
    episodeId: row.uuid,
    episode: presentEpisode(row, links),
    hits: hits.map(hit => ({ ...hit, rank: from + index + 1 })),
  }))
}

/** The chapters of an episode, fetched or read from its file at the first request. */
async function findChapters(app: Context, user: UserRow, uuid: string, links: Links): Promise<Chapter[]> {
  const episode = app.store.episodes.require(user, uuid)
  return presentChapters(await app.texts.chaptersOf(episode), episode.duration, links)
}

/** A transcript of one episode. Throws `transcript-not-found`. */
async function requireTranscriptOf(app: Context, user: UserRow, uuid: string, episodeId: number) {
  const row = await requireTranscript(app, user, uuid)
  if (row.episode_id !== episodeId) throw notFound('transcript')
  return row
}

/** A transcript that this user may see, fetched now if it was never needed before. Throws `transcript-not-found`. */
async function requireTranscript(app: Context, user: UserRow, uuid: string): Promise<DocumentRow> {
  const row = await app.texts.ensure(app.store.documents.requireTranscript(user, uuid))
  if (row.state !== 'parsed') throw notFound('transcript')
  return row
}

/** A transcript as its host published it, in UTF-8, or as WebVTT. */
function serveTranscript({ store }: Context, row: DocumentRow, request: Request, asVtt = false): Response {
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

/** The type under which each format is served. HTML from a feed must not become a page of this server. */
const servedTypes: Record<TranscriptFormat, string> = {
  vtt: 'text/vtt',
  srt: 'application/x-subrip',
  ttml: 'text/plain',
  lrc: 'text/plain',
  json: 'application/json',
  html: 'text/plain',
  text: 'text/plain',
}

/** Chapters and transcripts as files for podcast apps, under the addresses that our private feeds name. */
export function textFiles(routes: SignedInRoutes, app: Context) {
  const transcript = async (user: UserRow, file: string, request: Request) =>
    serveTranscript(
      app,
      await requireTranscript(app, user, file.replace(/\.\w{1,5}$/, '')),
      request,
      file.endsWith('.vtt'),
    )
  routes
    .get('/media/chapters/:file', ({ user, links, params }) => serveChapters(app, user, params.file, links))
    .head('/media/chapters/:file', ({ user, links, params }) => serveChapters(app, user, params.file, links))
    .get('/media/transcripts/:file', ({ user, params, request }) => transcript(user, params.file, request))
    .head('/media/transcripts/:file', ({ user, params, request }) => transcript(user, params.file, request))
}

async function serveChapters(app: Context, user: UserRow, file: string, links: Links): Promise<Response> {
  // Apps load the pictures without a cookie, so their addresses need the key.
  const chapters = await findChapters(app, user, file.replace(/\.json$/, ''), { ...links, key: links.feedKey })
  return Response.json(presentChapterFile(chapters), {
    headers: { ...inert, 'Content-Type': 'application/json+chapters', 'Cache-Control': 'private, no-cache' },
  })
}

/** Chapters in order. The last one ends with the episode: `duration` in seconds, 0 if unknown. */
const presentChapters = (rows: readonly ChapterRow[], duration: number, links: Links): Chapter[] =>
  rows.map((row, index) => ({
    id: row.uuid,
    startTime: row.start_ms / 1000,
    endTime: (row.end_ms ?? rows[index + 1]?.start_ms ?? Math.max(duration * 1000, 0)) / 1000,
    title: row.title,
    advertising: meansAdvertising(row.title),
    href: row.href,
    image: row.image_url === null ? null : mediaLink(links, `covers/chapters/${row.uuid}`),
  }))

/** The JSON chapters file of Podcasting 2.0, version 1.2. */
const presentChapterFile = (chapters: readonly Chapter[]) => ({
  version: '1.2.0',
  chapters: chapters.map(({ startTime, endTime, title, href, image }) => ({
    startTime,
    ...(endTime > startTime && { endTime }),
    title,
    ...(href && { url: href }),
    ...(image && { img: image }),
  })),
})

const presentState = ({ state, error, cause }: DocumentRow): ChapterFile => ({ status: state, error, cause })

const presentChapterFiles = (rows: readonly DocumentRow[]): ChapterFile[] => rows.map(presentState)

const presentTranscript = (row: DocumentRow, episode: EpisodeRow, links: Links): Transcript => ({
  id: row.uuid,
  source: row.generated ? 'generated' : 'feed',
  model: row.model,
  language: row.language,
  mimeType: row.type,
  captions: isCaptions(row, episode) ? mediaLink(links, `media/transcripts/${row.uuid}.vtt`) : null,
  ...presentState(row),
})

const presentSegments = (segments: readonly Segment[]): TranscriptSegment[] =>
  segments.map((segment, idx) => ({ idx, ...segment }))

const MAX_LISTED = 100

/** Files that wait for the speech server or are being sent to it, and the transcripts that it made. */
export function transcriptions(routes: SignedInRoutes, app: Context) {
  const { store } = app
  routes
    .get('/api/v1/transcriptions', ({ user }) => listTranscriptions(app, user), { response: TranscriptionList })
    .post(
      '/api/v1/transcriptions/:id/retry',
      ({ user, params }) =>
        presentTranscription(app, user, app.transcriptions.retry(store.transcriptions.require(user, params.id))),
      { role: 'uploader', response: Transcription },
    )
    .delete(
      '/api/v1/transcriptions/:id',
      ({ user, params, set }) => {
        app.transcriptions.cancel(store.transcriptions.require(user, params.id))
        set.status = 204
      },
      { role: 'uploader' },
    )
    .get(
      '/api/v1/podcasts/episodes/:id/transcription',
      ({ user, params }) => {
        const episode = store.episodes.require(user, params.id)
        const row = store.transcriptions.findOfEpisode(episode.id)
        return {
          obstacle: app.transcriptions.findObstacle(episode),
          current: row && row.state !== 'done' ? presentTranscription(app, user, row) : null,
        }
      },
      { role: 'uploader', response: EpisodeTranscription },
    )
    .post(
      '/api/v1/podcasts/episodes/:id/transcription',
      ({ user, params, set }) => {
        set.status = 202
        return presentTranscription(app, user, app.transcriptions.request(store.episodes.require(user, params.id)))
      },
      { role: 'uploader', response: { 202: Transcription } },
    )
    .delete(
      '/api/v1/podcasts/episodes/:id/transcripts/:tid',
      ({ user, params, set }) => {
        app.transcriptions.removeTranscript(store.episodes.require(user, params.id), params.tid)
        set.status = 204
      },
      { role: 'uploader' },
    )
}

function listTranscriptions(app: Context, user: UserRow): TranscriptionList {
  const { store } = app
  const { queued = 0, running = 0, waiting = 0, failed = 0 } = store.transcriptions.counts(user)
  return {
    model: app.transcriptions.model,
    counts: { queued, running, waiting, failed },
    items: store.transcriptions.list(user, MAX_LISTED).map(row => presentTranscription(app, user, row)),
  }
}

function presentTranscription({ transcriptions }: Context, user: UserRow, row: TranscriptionRow): Transcription {
  const live = transcriptions.live(row)
  return {
    ...presentEpisodeWork(row),
    state: row.state,
    sentBytes: live?.sent ?? null,
    totalBytes: live?.total ?? null,
    // The words of a server that is not meant for everybody.
    message: user.role === 'user' ? null : row.message,
  }
}
