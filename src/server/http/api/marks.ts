import { t } from 'elysia'
import { Bookmark, BookmarkEdit, Clip, NewBookmark, NewClip, NewSkipMark, SkipMark } from '../../../shared/api/marks'
import { formatDuration } from '../../../shared/duration'
import type { Context } from '../../context'
import { markdownText } from '../../platform/markup'
import type { BookmarkRow, SkipMarkRow } from '../../store/marks'
import { inert } from '../core/answers'
import { writeInstant } from '../core/instants'
import type { SignedInRoutes } from '../core/signed-in'
import type { ClipOfEpisode } from '../../store/clips'
import { streamOf } from '../../platform/stream-of'
import type { Links } from '../core/links'

const OfEpisode = t.Object({ episode: t.Optional(t.String({ maxLength: 100 })) })

export function bookmarks(routes: SignedInRoutes, { bookmarks }: Context) {
  routes
    .get('/api/v1/bookmarks', ({ user, query }) => bookmarks.list(user, query.episode).map(presentBookmark), {
      query: OfEpisode,
      response: t.Array(Bookmark),
    })
    .get(
      '/api/v1/bookmarks/markdown',
      ({ user, links, query }) =>
        new Response(writeBookmarks(bookmarks.list(user, query.episode), links.base), {
          headers: {
            ...inert,
            'Content-Type': 'text/markdown; charset=utf-8',
            'Content-Disposition': 'attachment; filename="bookmarks.md"',
          },
        }),
      { query: OfEpisode },
    )
    .post('/api/v1/bookmarks', ({ user, body }) => presentBookmark(bookmarks.add(user, body)), {
      body: NewBookmark,
      response: Bookmark,
    })
    .put('/api/v1/bookmarks/:id', ({ user, params, body }) => presentBookmark(bookmarks.edit(user, params.id, body)), {
      body: BookmarkEdit,
      response: Bookmark,
    })
    .delete('/api/v1/bookmarks/:id', ({ user, params, set }) => {
      bookmarks.remove(user, params.id)
      set.status = 204
    })
}

const presentBookmark = ({ uuid, episode_uuid, time, note, created_at }: BookmarkRow): Bookmark => ({
  id: uuid,
  episode: episode_uuid,
  time,
  note,
  createdAt: writeInstant(created_at),
})

export function skipMarks(routes: SignedInRoutes, { skipMarks }: Context) {
  routes
    .get('/api/v1/skip-marks', ({ user, query }) => skipMarks.list(user, query.episode).map(presentSkipMark), {
      query: t.Object({ episode: t.String({ maxLength: 100 }) }),
      response: t.Array(SkipMark),
    })
    .post('/api/v1/skip-marks', ({ user, body }) => presentSkipMark(skipMarks.add(user, body)), {
      body: NewSkipMark,
      response: SkipMark,
    })
    .delete('/api/v1/skip-marks/:id', ({ user, params, set }) => {
      skipMarks.remove(user, params.id)
      set.status = 204
    })
}

const presentSkipMark = ({ uuid, episode_uuid, start_ms, end_ms, skip }: SkipMarkRow): SkipMark => ({
  id: uuid,
  episode: episode_uuid,
  start: start_ms / 1000,
  end: end_ms / 1000,
  skip: skip === 1,
})

/** Writes bookmarks as Markdown: podcasts by title, their newest episode first, its bookmarks by time, with links. */
function writeBookmarks(rows: readonly BookmarkRow[], base: string): string {
  const { compare } = new Intl.Collator('en', { sensitivity: 'base', numeric: true })
  const byPodcast = Map.groupBy(
    rows.toSorted(
      (a, b) =>
        compare(a.podcast_title, b.podcast_title) ||
        b.published_at - a.published_at ||
        compare(a.episode_title, b.episode_title) ||
        a.time - b.time,
    ),
    row => row.podcast_uuid,
  )
  return [...byPodcast.values()]
    .map(ofPodcast => {
      const episodes = [...Map.groupBy(ofPodcast, row => row.episode_uuid).values()]
      return `# ${markdownText(ofPodcast[0]!.podcast_title)}\n\n${episodes.map(rows => writeEpisode(rows, base)).join('')}`
    })
    .join('')
}

function writeEpisode(rows: readonly BookmarkRow[], base: string): string {
  const { episode_title, episode_uuid, podcast_uuid, published_at } = rows[0]!
  const page = `${base}ui/podcasts/${podcast_uuid}/episodes/${episode_uuid}`
  const date = published_at > 0 ? `${new Date(published_at).toISOString().slice(0, 10)}\n\n` : ''
  const lines = rows.map(
    ({ time, note }) => `- [${formatDuration(time)}](${page}?t=${time})${note ? ` ${markdownText(note)}` : ''}\n`,
  )
  return `## ${markdownText(episode_title)}\n\n${date}${lines.join('')}\n`
}

const Moment = t.Numeric({ minimum: 0, maximum: 1e6 })

/** Passages of episodes: as a file for oneself, and shown to strangers. */
export function clips(routes: SignedInRoutes, { clips }: Context) {
  routes
    .get(
      '/api/v1/podcasts/episodes/:id/clip',
      async ({ user, params, query, request: { signal } }) => {
        const { type, size, chunks } = await clips.cut(user, params.id, query, signal)
        // A client notices by the length that the clip was cut off.
        return new Response(streamOf(chunks(signal)), {
          headers: { ...inert, 'Content-Type': type, 'Content-Length': String(size), 'Cache-Control': 'no-store' },
        })
      },
      { query: t.Object({ start: Moment, end: Moment }) },
    )
    .get('/api/v1/clips', ({ user, links }) => clips.list(user).map(row => presentClip(row, links)), {
      response: t.Array(Clip),
    })
    .post(
      '/api/v1/clips',
      async ({ user, links, body, request }) => presentClip(await clips.share(user, body, request.signal), links),
      {
        body: NewClip,
        response: Clip,
      },
    )
    .delete('/api/v1/clips/:id', async ({ user, params, set }) => {
      await clips.end(user.id, params.id)
      set.status = 204
    })
}

const presentClip = (row: ClipOfEpisode, { base }: Links): Clip => ({
  id: row.uuid,
  url: `${base}clip/${row.code}`,
  episode: row.episode_uuid,
  podcastId: row.podcast_uuid,
  title: row.title,
  episodeName: row.episode_title,
  podcastName: row.podcast_title,
  quote: row.quote,
  start: row.start_ms / 1000,
  end: row.end_ms / 1000,
  createdAt: writeInstant(row.created_at),
  endsAt: writeInstant(row.ends_at),
})
