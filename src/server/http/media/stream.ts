import { t } from 'elysia'
import type { Context } from '../../context'
import type { UserRow } from '../../store/users'
import type { SignedInRoutes } from '../core/signed-in'
import { findLocalFile, serveLocalFile } from './local-file'
import { relay } from './relay'

/**
 * Serves the media of an episode under one address: the downloaded file, otherwise a relay of its enclosure. A player
 * does not notice when a download ends while it plays.
 */
export function stream(routes: SignedInRoutes, app: Context) {
  routes
    .get('/media/:file', ({ user, params, query, request, server }) => {
      // A paused player reads nothing for as long as its listener likes.
      server?.timeout(request, 0)
      return serveMedia(app, user, params.file, request, query.download === '1')
    })
    .head('/media/:file', ({ user, params, query, request }) =>
      serveMedia(app, user, params.file, request, query.download === '1'),
    )
    // Clients of PodFetch still ask here. The key of their address goes into the new one.
    .get('/proxy/podcast', ({ query, links, redirect }) => redirect(mediaPath(links.base, query), 308), {
      query: t.Object({ episodeId: t.String({ maxLength: 100 }), apiKey: t.Optional(t.String()) }),
    })
    .get(
      '/proxy/podcast/apiKey/:key',
      ({ query, params, links, redirect }) =>
        redirect(mediaPath(links.base, { episodeId: query.episodeId, apiKey: params.key }), 308),
      { query: t.Object({ episodeId: t.String({ maxLength: 100 }) }) },
    )
}

const mediaPath = (base: string, { episodeId, apiKey }: { episodeId: string; apiKey?: string | undefined }) =>
  `${base}media/${encodeURIComponent(episodeId)}${apiKey ? `?apiKey=${encodeURIComponent(apiKey)}` : ''}`

async function serveMedia(
  app: Context,
  user: UserRow,
  file: string,
  request: Request,
  asDownload: boolean,
): Promise<Response> {
  const media = app.store.episodes.requireMedia(user, file.replace(/\.\w{1,5}$/, ''))
  const found = media.file_path ? await findLocalFile(app, media) : null
  const fromHost = () => relay(app, app.store.episodes.find(media.id)!, request, asDownload)
  if (!found) return fromHost()
  const fromDisk = () => serveLocalFile(found, media, request, asDownload)
  if (found.isWhole) return fromDisk()
  // The host has the whole file; if it cannot be reached, the part on the disk is better than nothing.
  return fromHost().catch(fromDisk)
}
