import { t } from 'elysia'
import type { Context } from '../../context'
import type { UserRow } from '../../store/users'
import type { IncomingRequest } from '../core/incoming'
import type { SignedInRoutes } from '../core/signed-in'
import { sendBucketFile } from './bucket-file'
import { headOf, restoreLength } from './head'
import { findLocalFile, sendable, sendFile } from './local-file'
import { relay } from './relay'
import { createRememberedFiles, type RememberedFiles } from './remembered-files'

/**
 * Serves the media of an episode under one address: the downloaded file, otherwise a relay of its enclosure. A player
 * does not notice when a download ends while it plays.
 */
export function stream(routes: SignedInRoutes, context: Context) {
  const remembered = createRememberedFiles(context)
  const app = { ...context, remembered }
  // In front of the router, which takes as long as the rest.
  routes.wrap(handle => (request: Request) => {
    const { server } = routes
    if (request.method === 'HEAD') return answerHead(handle(request))
    const response = remembered.answer({ request, server })
    if (response === null) return handle(request)
    waitForReader(server, request)
    return response
  })
  routes
    .get('/media/:file', async ({ user, params, query, request, server, links }) => {
      waitForReader(server, request)
      const response = await serveMedia(app, user, params.file, request, {
        isSaved: query.download === '1',
        base: links.base,
      })
      return request.method === 'HEAD' ? headOf(response) : response
    })
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

const answerHead = async (response: unknown) => restoreLength((await response) as Response)

/** A paused player reads nothing for as long as its listener likes. */
const waitForReader = (server: IncomingRequest['server'], request: Request) => server?.timeout(request, 0)

const mediaPath = (base: string, { episodeId, apiKey }: { episodeId: string; apiKey?: string | undefined }) =>
  `${base}media/${encodeURIComponent(episodeId)}${apiKey ? `?apiKey=${encodeURIComponent(apiKey)}` : ''}`

/**
 * Whether our own page asks. Its amplifier hears only what this server sends, and so do the copies that it keeps; pages
 * that came without TLS send no `Sec-Fetch-Site`.
 */
function isOfOwnPage({ headers }: Request, base: string): boolean {
  if (headers.get('sec-fetch-site') === 'same-origin') return true
  return headers.get('referer')?.startsWith(base) === true
}

async function serveMedia(
  app: Context & { remembered: RememberedFiles },
  user: UserRow,
  name: string,
  request: Request,
  { isSaved: asDownload, base }: { isSaved: boolean; base: string },
): Promise<Response> {
  const media = app.store.episodes.requireMedia(user, name.replace(/\.\w{1,5}$/, ''))
  const isInBucket = media.file_path !== null && media.file_storage === 's3'
  const found = media.file_path !== null && !isInBucket ? await findLocalFile(app, media) : null
  const fromHost = () => relay(app, app.store.episodes.find(media.id)!, request, asDownload)
  if (isInBucket) {
    const mayRedirect = request.method === 'GET' && (asDownload || !isOfOwnPage(request, base))
    return (await sendBucketFile(app, { episode: media, request, asDownload, mayRedirect })) ?? fromHost()
  }
  if (!found) return fromHost()
  const file = sendable(found, media, asDownload)
  const fromDisk = () => sendFile(file, request)
  if (found.isWhole) {
    app.remembered.remember(request, file)
    return fromDisk()
  }
  // The host has the whole file; if it cannot be reached, the part on the disk is better than nothing.
  return fromHost().catch(fromDisk)
}
