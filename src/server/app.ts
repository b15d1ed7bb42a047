import type { Context } from './context'
import { appPasswords } from './http/api/app-passwords'
import { appSessions } from './http/api/app-sessions'
import { audit } from './http/api/audit'
import { backups } from './http/api/backups'
import { bookmarks } from './http/api/bookmarks'
import { clips } from './http/api/clips'
import { destinations } from './http/api/destinations'
import { devices } from './http/api/devices'
import { directory } from './http/api/directory'
import { downloads } from './http/api/downloads'
import { episodeBatch } from './http/api/episode-batch'
import { episodes } from './http/api/episodes'
import { everything } from './http/api/everything'
import { health } from './http/api/health'
import { info } from './http/api/info'
import { invitation, invites } from './http/api/invites'
import { jobs } from './http/api/jobs'
import { moves } from './http/api/moves'
import { metrics } from './http/api/metrics'
import { naming } from './http/api/naming'
import { notifications } from './http/api/notifications'
import { opmlExport, opmlImport } from './http/api/opml'
import { people } from './http/api/people'
import { playback } from './http/api/playback'
import { playlists } from './http/api/playlists'
import { podcastEpisodes } from './http/api/podcast-episodes'
import { podcastFiles } from './http/api/podcast-files'
import { passkeys, passkeySignIn } from './http/api/passkeys'
import { podcastSettings } from './http/api/podcast-settings'
import { podcastPreview } from './http/api/podcast-preview'
import { podcasts } from './http/api/podcasts'
import { queue } from './http/api/queue'
import { search } from './http/api/search'
import { secondFactor } from './http/api/second-factor'
import { session, signInRoutes } from './http/api/session'
import { sessionList } from './http/api/sessions'
import { setAside } from './http/api/set-aside'
import { settings } from './http/api/settings'
import { skipMarks } from './http/api/skip-marks'
import { socket } from './http/api/socket'
import { statistics } from './http/api/statistics'
import { publicSystem } from './http/api/system'
import { tags } from './http/api/tags'
import { textFiles } from './http/api/text-files'
import { texts } from './http/api/texts'
import { timeline } from './http/api/timeline'
import { transcriptions } from './http/api/transcriptions'
import { users } from './http/api/users'
import { yourEpisodes } from './http/api/your-episodes'
import { audiobookshelf, acceptsTokensAlone } from './http/apps/audiobookshelf'
import type { SocketLimits } from './http/apps/audiobookshelf/socket/limits'
import { assistants } from './http/apps/assistants'
import { gpodder } from './http/apps/gpodder'
import { rss } from './http/apps/rss'
import { userInterface } from './http/core/interface'
import { createOpenRoutes } from './http/core/open-routes'
import { forSignedIn } from './http/core/signed-in'
import { apiDocs } from './http/docs'
import { builtInCoverIn, covers } from './http/media/covers'
import { publicClips } from './http/media/public-clip'
import { stream } from './http/media/stream'

// Why: docs/internals/decisions/0007

export type App = Awaited<ReturnType<typeof createApp>>

/** The route table: first the routes that are open to strangers, then those that need a signed-in user. */
export async function createApp(context: Context, uiFolder: string, socketLimits: Partial<SocketLimits> = {}) {
  const open = createOpenRoutes(context, { acceptsTokensAlone: acceptsTokensAlone(context) })
  health(open, context)
  publicSystem(open, context)
  signInRoutes(open, context)
  passkeySignIn(open, context)
  invitation(open, context)
  await userInterface(open, context, uiFolder)
  gpodder(open, context)
  audiobookshelf(open, context, builtInCoverIn(uiFolder), socketLimits)
  assistants(open, context)
  publicClips(open, context)
  apiDocs(open, context)

  const routes = forSignedIn(open, context)
  session(routes, context)
  settings(routes, context)
  naming(routes, context)
  info(routes, context)
  statistics(routes, context)
  metrics(routes, context)
  users(routes, context)
  everything(routes, context)
  invites(routes, context)
  audit(routes, context)
  timeline(routes, context)
  playback(routes, context)
  yourEpisodes(routes, context)
  people(routes, context)
  episodes(routes, context)
  opmlImport(routes, context)
  jobs(routes, context)
  moves(routes, context)
  opmlExport(routes, context)
  directory(routes, context)
  podcastSettings(routes, context)
  podcastPreview(routes, context)
  podcasts(routes, context)
  podcastEpisodes(routes, context)
  podcastFiles(routes, context)
  episodeBatch(routes, context)
  downloads(routes, context)
  tags(routes, context)
  bookmarks(routes, context)
  skipMarks(routes, context)
  clips(routes, context)
  devices(routes, context)
  appPasswords(routes, context)
  appSessions(routes, context)
  sessionList(routes, context)
  secondFactor(routes, context)
  passkeys(routes, context)
  backups(routes, context)
  setAside(routes, context)
  playlists(routes, context)
  search(routes, context)
  notifications(routes, context)
  destinations(routes, context)
  queue(routes, context)
  rss(routes, context)
  texts(routes, context)
  textFiles(routes, context)
  transcriptions(routes, context)
  stream(routes, context)
  covers(routes, context, builtInCoverIn(uiFolder))
  socket(routes, context)
  return open
}
