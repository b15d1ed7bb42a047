import { t } from 'elysia'
import { Chapter } from '../../../shared/api/chapter'
import { Transcript, TranscriptHits, TranscriptWithSegments } from '../../../shared/api/transcript'
import type { Context } from '../../context'
import { formatOf, type TranscriptFormat } from '../../feeds/transcripts'
import { notFound } from '../../platform/problem'
import { searchTranscripts } from '../../search/find'
import type { DocumentRow } from '../../store/documents'
import type { UserRow } from '../../store/users'
import { inert } from '../core/inert'
import type { Links } from '../core/links'
import { presentChapterFile, presentChapters, presentSegments, presentTranscript } from './texts.present'
import { presentEpisode } from './episodes.present'
import type { SignedInRoutes } from '../core/signed-in'

const EPISODES_A_PAGE = 20

/** Chapters and transcripts of episodes. */
export function texts(routes: SignedInRoutes, app: Context) {
  const { store } = app
  const requireEpisode = (user: UserRow, uuid: string) => {
    const episode = store.episodes.findVisible(user, uuid)
    if (!episode) throw notFound('episode')
    return episode
  }
  const chaptersOf = async (user: UserRow, uuid: string, links: Links) => {
    const episode = requireEpisode(user, uuid)
    return presentChapters(await app.texts.chaptersOf(episode), episode.duration, links)
  }

  /** A transcript that this user may see, fetched now if it was not needed before. */
  async function requireTranscript(user: UserRow, uuid: string): Promise<DocumentRow> {
    const found = store.documents.find(uuid)
    const episode = found?.kind === 'transcript' ? store.episodes.find(found.episode_id) : null
    if (!found || !episode || !store.episodes.findVisible(user, episode.uuid)) throw notFound('transcript')
    const row = await app.texts.ensure(found)
    if (row.state !== 'parsed') throw notFound('transcript')
    return row
  }

  function archived(row: DocumentRow, request: Request): Response {
    const etag = `"${row.uuid}-${row.fetched_at?.toString(36)}"`
    const headers = {
      ETag: etag,
      'Last-Modified': new Date(row.fetched_at ?? 0).toUTCString(),
      'Cache-Control': 'private, no-cache',
      ...inert,
      'Content-Type': `${servedTypes[formatOf(row.type, row.url) ?? 'text']}; charset=utf-8`,
    }
    if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers })
    return new Response(store.documents.bodyOf(row.id) as BodyInit | null, { headers })
  }

  async function chapterAnswer(user: UserRow, file: string, links: Links): Promise<Response> {
    const chapters = await chaptersOf(user, file.replace(/\.json$/, ''), { ...links, key: links.feedKey })
    return Response.json(presentChapterFile(chapters), {
      headers: { ...inert, 'Content-Type': 'application/json+chapters', 'Cache-Control': 'private, no-cache' },
    })
  }

  routes
    .get('/api/v1/podcasts/episodes/:id/chapters', ({ user, links, params }) => chaptersOf(user, params.id, links), {
      response: t.Array(Chapter),
    })
    .get(
      '/api/v1/podcasts/episodes/:id/transcripts',
      ({ user, params }) =>
        store.documents.of(requireEpisode(user, params.id).id, 'transcript').map(row => presentTranscript(row)),
      { response: t.Array(Transcript) },
    )
    .get(
      '/api/v1/podcasts/episodes/:id/transcript',
      async ({ user, params }) => {
        const row = await app.texts.transcriptOf(requireEpisode(user, params.id))
        if (!row) throw notFound('transcript')
        return { ...presentTranscript(row), segments: presentSegments(store.documents.segmentsOf(row.id)) }
      },
      { response: TranscriptWithSegments },
    )
    .get('/api/v1/podcasts/episodes/:id/transcripts/:tid/file', async ({ user, params, request }) => {
      const episode = requireEpisode(user, params.id)
      const row = await requireTranscript(user, params.tid)
      if (row.episode_id !== episode.id) throw notFound('transcript')
      return archived(row, request)
    })
    .get(
      '/api/v1/transcripts/search',
      ({ user, links, query }) => {
        const podcast = query.podcastId === undefined ? null : store.podcasts.findVisible(user, query.podcastId)
        if (query.podcastId !== undefined && !podcast) throw notFound('podcast')
        const from = query.page * EPISODES_A_PAGE
        return searchTranscripts(store, user, query.q, podcast?.id, from, EPISODES_A_PAGE).map(
          ({ row, hits }, index) => ({
            episodeId: row.uuid,
            episode: presentEpisode(row, links),
            hits: hits.map(hit => ({ ...hit, rank: from + index + 1 })),
          }),
        )
      },
      {
        query: t.Object({
          q: t.String({ minLength: 1, maxLength: 200 }),
          podcastId: t.Optional(t.String({ maxLength: 100 })),
          page: t.Integer({ minimum: 0, maximum: 100, default: 0 }),
        }),
        response: t.Array(TranscriptHits),
      },
    )
    // For podcast apps, by the addresses in our feeds.
    .get('/media/chapters/:file', ({ user, links, params }) => chapterAnswer(user, params.file, links))
    .head('/media/chapters/:file', ({ user, links, params }) => chapterAnswer(user, params.file, links))
    .get('/media/transcripts/:file', async ({ user, params, request }) =>
      archived(await requireTranscript(user, params.file.replace(/\.\w{1,5}$/, '')), request),
    )
    .head('/media/transcripts/:file', async ({ user, params, request }) =>
      archived(await requireTranscript(user, params.file.replace(/\.\w{1,5}$/, '')), request),
    )
}

/** A feed's HTML is never a document of ours. */
const servedTypes: Record<TranscriptFormat, string> = {
  vtt: 'text/vtt',
  srt: 'application/x-subrip',
  json: 'application/json',
  html: 'text/plain',
  text: 'text/plain',
}
