import { t } from 'elysia'
import { Chapter } from '../../../shared/api/chapter'
import { ChapterFile, Transcript, TranscriptHits, TranscriptWithSegments } from '../../../shared/api/transcript'
import type { Context } from '../../context'
import { notFound } from '../../platform/problem'
import { searchTranscripts } from '../../search/transcripts'
import type { UserRow } from '../../store/users'
import type { Links } from '../core/links'
import type { SignedInRoutes } from '../core/signed-in'
import { presentEpisode } from './episodes.present'
import { findChapters, requireTranscriptOf, serveTranscript } from './stored-texts'
import { presentChapterFiles, presentSegments, presentTranscript } from './texts.present'

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
