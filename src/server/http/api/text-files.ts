import type { Context } from '../../context'
import type { UserRow } from '../../store/users'
import { inert } from '../core/inert'
import type { Links } from '../core/links'
import type { SignedInRoutes } from '../core/signed-in'
import { findChapters, requireTranscript, serveTranscript } from './stored-texts'
import { presentChapterFile } from './texts.present'

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
