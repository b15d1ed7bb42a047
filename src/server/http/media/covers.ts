import { join } from 'node:path'
import { t } from 'elysia'
import type { Person } from '../../../shared/api/podcast-tags'
import type { Context } from '../../context'
import { type CoverFile, type CoverSize, coverSizes } from '../../covers/sizes'
import { invalidField, noSuchPath } from '../../platform/problem'
import type { UserRow } from '../../store/users'
import { inert } from '../core/answers'
import type { SignedInRoutes } from '../core/signed-in'

const YEAR = 'private, max-age=31536000, immutable'

const options = { query: t.Object({ size: t.Optional(t.String()), v: t.Optional(t.String()) }) }
type Portrait = { id: string; place: string }

/**
 * Serves pictures of podcasts, episodes, chapters and people. A chapter without a picture gets its episode's, an
 * episode its podcast's, and a podcast the built-in one; a person without one is 404.
 */
export function covers(routes: SignedInRoutes, app: Context, builtIn: string) {
  const findCover = createFindCover(app, builtIn)
  routes
    .get(
      '/covers/artwork',
      async ({ request }) => answer(await findCover.artwork(), undefined, request, builtIn),
      options,
    )
    .get(
      '/covers/podcasts/:id',
      async ({ user, params, query, request }) =>
        answer(await findCover.ofPodcast(user, params.id, readSize(query.size)), query.v, request, builtIn),
      options,
    )
    .get(
      '/covers/episodes/:id',
      async ({ user, params, query, request }) =>
        answer(await findCover.ofEpisode(user, params.id, readSize(query.size)), query.v, request, builtIn),
      options,
    )
    .get(
      '/covers/podcasts/:id/persons/:place',
      async ({ user, params, query, request }) =>
        answer(await findCover.ofHost(user, params, readSize(query.size)), query.v, request, builtIn),
      options,
    )
    .get(
      '/covers/episodes/:id/persons/:place',
      async ({ user, params, query, request }) =>
        answer(await findCover.ofGuest(user, params, readSize(query.size)), query.v, request, builtIn),
      options,
    )
    .get(
      '/covers/chapters/:id',
      async ({ user, params, query, request }) =>
        answer(await findCover.ofChapter(user, params.id, readSize(query.size)), query.v, request, builtIn),
      options,
    )
}

/** The path of the built-in cover, next to the interface. */
export const builtInCoverIn = (uiFolder: string) => join(uiFolder, 'cover.png')

/** Finds covers; null stands for the built-in one. They throw `podcast-not-found` and `episode-not-found`. */
function createFindCover({ store, covers }: Context, builtIn: string) {
  const artwork = () => covers.artworkOf(builtIn, 'image/png')

  async function ofPodcast(viewer: UserRow, uuid: string, size: CoverSize | null): Promise<CoverFile | null> {
    const podcast = store.podcasts.require(viewer, uuid)
    const own = podcast.image_url ? await covers.find(podcast.id, podcast.image_url, size) : null
    return own ?? (size === 'artwork' ? artwork() : null)
  }
  async function ofEpisode(viewer: UserRow, uuid: string, size: CoverSize | null): Promise<CoverFile | null> {
    const episode = store.episodes.require(viewer, uuid)
    const own = episode.image_url ? await covers.find(episode.podcast_id, episode.image_url, size) : null
    return own ?? ofPodcast(viewer, episode.podcast_uuid, size)
  }
  async function ofChapter(viewer: UserRow, uuid: string, size: CoverSize | null): Promise<CoverFile | null> {
    const chapter = store.chapters.require(viewer, uuid)
    const episode = store.episodes.find(chapter.episode_id)!
    const own = chapter.image_url ? await covers.find(episode.podcast_id, chapter.image_url, size) : null
    return own ?? ofEpisode(viewer, episode.uuid, size)
  }
  async function ofHost(viewer: UserRow, { id, place }: Portrait, size: CoverSize | null): Promise<CoverFile> {
    const podcast = store.podcasts.require(viewer, id)
    const img = portraitIn(podcast.extras, place)
    return required(img && (await covers.find(podcast.id, img, size)))
  }
  async function ofGuest(viewer: UserRow, { id, place }: Portrait, size: CoverSize | null): Promise<CoverFile> {
    const episode = store.episodes.require(viewer, id)
    const img = portraitIn(episode.extras, place)
    return required(img && (await covers.find(episode.podcast_id, img, size)))
  }
  return { artwork, ofPodcast, ofEpisode, ofChapter, ofHost, ofGuest }
}

/** The cover; throws `not-found` without one: the built-in cover is no person's. */
function required(cover: CoverFile | null | ''): CoverFile {
  if (!cover) throw noSuchPath()
  return cover
}

const portraitIn = (extras: string | null, place: string): string | null =>
  (JSON.parse(extras ?? '{}') as { persons?: Person[] }).persons?.[Number(place)]?.img ?? null

function readSize(text: string | undefined): CoverSize | null {
  if (text === undefined) return null
  if (text === 'artwork') return text
  const size = coverSizes.find(candidate => String(candidate) === text)
  if (!size) throw invalidField('size', `${coverSizes.join(', ')}, artwork`)
  return size
}

/** A cover under its digest. A request that names the digest as its `version` may be cached for ever. */
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
