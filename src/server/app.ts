import type { Context } from './context'
import { apiDocs } from './http/api-docs'
import { appPasswords } from './http/app-passwords'
import { backups } from './http/backups'
import { builtInCoverIn, covers } from './http/covers'
import { devices } from './http/devices'
import { directory } from './http/directory'
import { downloads } from './http/downloads'
import { episodes } from './http/episodes'
import { gpodder } from './http/gpodder'
import { health, metrics } from './http/health'
import { info } from './http/info'
import { userInterface } from './http/interface'
import { invitation, invites } from './http/invites'
import { createOpenRoutes } from './http/open-routes'
import { notifications } from './http/notifications'
import { opml } from './http/opml'
import { playback } from './http/playback'
import { playlists } from './http/playlists'
import { podcasts } from './http/podcasts'
import { queue } from './http/queue'
import { rss } from './http/rss'
import { search } from './http/search'
import { podcastSettings } from './http/podcast-settings'
import { session, signInRoutes } from './http/session'
import { settings } from './http/settings'
import { forSignedIn } from './http/signed-in'
import { socket } from './http/socket'
import { stream } from './http/stream'
import { publicSystem } from './http/system'
import { tags } from './http/tags'
import { bookmarks } from './http/bookmarks'
import { texts } from './http/texts'
import { timeline } from './http/timeline'
import { users } from './http/users'

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
  info(routes, context)
  metrics(routes, context)
  users(routes, context)
  invites(routes, context)
  timeline(routes, context)
  playback(routes, context)
  episodes(routes, context)
  opml(routes, context)
  directory(routes, context)
  podcastSettings(routes, context)
  podcasts(routes, context)
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
  stream(routes, context)
  covers(routes, context, builtInCoverIn(uiFolder))
  socket(routes, context)
  return open
}
