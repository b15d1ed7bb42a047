import type { Context } from './context'
import { apiDocs } from './http/docs'
import { appPasswords } from './http/api/app-passwords'
import { backups } from './http/api/backups'
import { builtInCoverIn, covers } from './http/media/covers'
import { devices } from './http/api/devices'
import { directory } from './http/api/directory'
import { downloads } from './http/api/downloads'
import { episodes } from './http/api/episodes'
import { gpodder } from './http/apps/gpodder'
import { health } from './http/api/health'
import { metrics } from './http/api/metrics'
import { info } from './http/api/info'
import { userInterface } from './http/core/interface'
import { invitation, invites } from './http/api/invites'
import { createOpenRoutes } from './http/core/open-routes'
import { notifications } from './http/api/notifications'
import { jobs } from './http/api/jobs'
import { naming } from './http/api/naming'
import { opmlExport, opmlImport } from './http/api/opml'
import { playback } from './http/api/playback'
import { playlists } from './http/api/playlists'
import { podcastEpisodes } from './http/api/podcast-episodes'
import { podcastFiles } from './http/api/podcast-files'
import { podcasts } from './http/api/podcasts'
import { queue } from './http/api/queue'
import { rss } from './http/apps/rss'
import { search } from './http/api/search'
import { podcastSettings } from './http/api/podcast-settings'
import { session, signInRoutes } from './http/api/session'
import { settings } from './http/api/settings'
import { forSignedIn } from './http/core/signed-in'
import { socket } from './http/api/socket'
import { stream } from './http/media/stream'
import { publicSystem } from './http/api/system'
import { tags } from './http/api/tags'
import { bookmarks } from './http/api/bookmarks'
import { statistics } from './http/api/statistics'
import { textFiles } from './http/api/text-files'
import { texts } from './http/api/texts'
import { timeline } from './http/api/timeline'
import { users } from './http/api/users'

export type App = Awaited<ReturnType<typeof createApp>>

/** The route table: what strangers may ask comes first, what needs somebody signed in comes after. */
export async function createApp(context: Context, uiFolder: string) {
  const open = createOpenRoutes(context)
  health(open, context)
  publicSystem(open, context)
  signInRoutes(open, context)
  invitation(open, context)
  await userInterface(open, context, uiFolder)
  gpodder(open, context)
  apiDocs(open, context)

  const routes = forSignedIn(open, context)
  session(routes, context)
  settings(routes, context)
  naming(routes, context)
  info(routes, context)
  statistics(routes, context)
  metrics(routes, context)
  users(routes, context)
  invites(routes, context)
  timeline(routes, context)
  playback(routes, context)
  episodes(routes, context)
  opmlImport(routes, context)
  jobs(routes, context)
  opmlExport(routes, context)
  directory(routes, context)
  podcastSettings(routes, context)
  podcasts(routes, context)
  podcastEpisodes(routes, context)
  podcastFiles(routes, context)
  downloads(routes, context)
  tags(routes, context)
  bookmarks(routes, context)
  devices(routes, context)
  appPasswords(routes, context)
  backups(routes, context)
  playlists(routes, context)
  search(routes, context)
  notifications(routes, context)
  queue(routes, context)
  rss(routes, context)
  texts(routes, context)
  textFiles(routes, context)
  stream(routes, context)
  covers(routes, context, builtInCoverIn(uiFolder))
  socket(routes, context)
  return open
}
