import type { SignedInRoutes } from '../core/signed-in'
import { join } from 'node:path'
import { t } from 'elysia'
import type { Context } from '../../context'
import { coverSizes, type CoverFile, type CoverSize } from '../../covers/sizes'
import { invalidField, notFound } from '../../platform/problem'
import type { UserRow } from '../../store/users'
import { inert } from '../core/inert'

const YEAR = 'private, max-age=31536000, immutable'

/** Pictures of podcasts and episodes. An episode without its own gets its podcast's, a podcast without one the built-in. */
export function covers(routes: SignedInRoutes, app: Context, builtIn: string) {
  const { store } = app
  const options = { query: t.Object({ size: t.Optional(t.String()), v: t.Optional(t.String()) }) }

  const ownArtwork = () => app.covers.artworkOf(builtIn, 'image/png')

  async function ofPodcast(viewer: UserRow, uuid: string, size: CoverSize | null) {
    const podcast = store.podcasts.findVisible(viewer, uuid)
    if (!podcast) throw notFound('podcast')
    const own = podcast.image_url ? await app.covers.find(podcast.id, podcast.image_url, size) : null
    return own ?? (size === 'artwork' ? ownArtwork() : null)
  }
  async function ofEpisode(viewer: UserRow, uuid: string, size: CoverSize | null) {
    const episode = store.episodes.findVisible(viewer, uuid)
    if (!episode) throw notFound('episode')
    const own = episode.image_url ? await app.covers.find(episode.podcast_id, episode.image_url, size) : null
    return own ?? ofPodcast(viewer, episode.podcast_uuid, size)
  }

  async function ofChapter(viewer: UserRow, uuid: string, size: CoverSize | null) {
    const chapter = store.chapters.find(uuid)
    const episode = chapter && store.episodes.find(chapter.episode_id)
    if (!chapter || !episode || !store.episodes.findVisible(viewer, episode.uuid)) throw notFound('episode')
    const own = chapter.image_url ? await app.covers.find(episode.podcast_id, chapter.image_url, size) : null
    return own ?? ofEpisode(viewer, episode.uuid, size)
  }

  routes
    .get('/covers/artwork', async ({ request }) => answer(await ownArtwork(), undefined, request, builtIn), options)
    .get(
      '/covers/podcasts/:id',
      async ({ user, params, query, request }) =>
        answer(await ofPodcast(user, params.id, readSize(query.size)), query.v, request, builtIn),
      options,
    )
    .get(
      '/covers/episodes/:id',
      async ({ user, params, query, request }) =>
        answer(await ofEpisode(user, params.id, readSize(query.size)), query.v, request, builtIn),
      options,
    )
    .get(
      '/covers/chapters/:id',
      async ({ user, params, query, request }) =>
        answer(await ofChapter(user, params.id, readSize(query.size)), query.v, request, builtIn),
      options,
    )
}

/** Where the built-in cover lies, beside the interface. */
export const builtInCoverIn = (uiFolder: string) => join(uiFolder, 'cover.png')

function readSize(text: string | undefined): CoverSize | null {
  if (text === undefined) return null
  if (text === 'artwork') return text
  const size = coverSizes.find(candidate => String(candidate) === text)
  if (!size) throw invalidField('size', `${coverSizes.join(', ')}, artwork`)
  return size
}

function answer(cover: CoverFile | null, version: string | undefined, request: Request, builtIn: string): Response {
  const etag = cover ? `"${cover.digest}"` : '"built-in"'
  const headers = {
    ETag: etag,
    'Content-Type': cover?.type ?? 'image/png',
    ...inert,
    'Cache-Control': cover && version && cover.digest.startsWith(version) ? YEAR : 'private, no-cache',
  }
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers })
  return new Response(Bun.file(cover?.path ?? builtIn), { headers })
}
