import { t } from 'elysia'
import { Clip, NewClip } from '../../../shared/api/clip'
import type { Context } from '../../context'
import type { ClipOfEpisode } from '../../store/clips'
import { streamOf } from '../../platform/stream-of'
import { inert } from '../core/headers'
import { writeInstant } from '../core/instants'
import type { Links } from '../core/links'
import type { SignedInRoutes } from '../core/signed-in'

const Seconds = t.Numeric({ minimum: 0, maximum: 1e6 })

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
      { query: t.Object({ start: Seconds, end: Seconds }) },
    )
    .get('/api/v1/clips', ({ user, links }) => clips.list(user).map(row => present(row, links)), {
      response: t.Array(Clip),
    })
    .post(
      '/api/v1/clips',
      async ({ user, links, body, request }) => present(await clips.share(user, body, request.signal), links),
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

const present = (row: ClipOfEpisode, { base }: Links): Clip => ({
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
