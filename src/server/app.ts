import { join } from 'node:path'
import type { Context } from './context'
import { appPasswords, appSessions, devices } from './http/api/access'
import { audit, backups, setAside } from './http/api/administration'
import { bookmarks, clips, skipMarks } from './http/api/marks'
import { directory } from './http/api/directory'
import { downloads } from './http/api/downloads'
import { episodeBatch, episodes, yourEpisodes } from './http/api/episodes'
import { everything, invitation, invites, users } from './http/api/users'
import { jobs, opmlExport, opmlImport } from './http/api/opml'
import { metrics } from './http/api/metrics'
import { moves } from './http/api/moves'
import { destinations, notifications } from './http/api/notifications'
import { passkeys, passkeySignIn, secondFactor } from './http/api/second-factors'
import { people, search } from './http/api/search'
import { playback, statistics } from './http/api/playback'
import { playlists } from './http/api/playlists'
import { podcastEpisodes, podcastFiles } from './http/api/podcast-episodes'
import { podcastPreview, podcasts } from './http/api/podcasts'
import { queue } from './http/api/queue'
import { openId, session, sessionList, signInRoutes } from './http/api/sessions'
import { naming, podcastSettings, settings } from './http/api/settings'
import { socket } from './http/api/socket'
import { health, info, publicSystem } from './http/api/system'
import { tags } from './http/api/tags'
import { textFiles, texts, transcriptions } from './http/api/texts'
import { timeline } from './http/api/timeline'
import { assistants } from './http/apps/assistants'
import { audiobookshelf, acceptsTokensAlone } from './http/apps/audiobookshelf'
import type { SocketLimits } from './http/apps/audiobookshelf/socket/wire'
import { gpodder } from './http/apps/gpodder'
import { rss } from './http/apps/rss'
import { userInterface } from './http/core/interface'
import { createLists } from './http/core/lists'
import { createOpenRoutes } from './http/core/open-routes'
import { forSignedIn } from './http/core/signed-in'
import { apiDocs, help } from './http/docs'
import { builtInCoverIn, covers } from './http/media/covers'
import { publicClips } from './http/media/public-clip'
import { stream } from './http/media/stream'

// Why: docs/internals/decisions/0007

export type App = Awaited<ReturnType<typeof createApp>>

/** The route table: first the routes that are open to strangers, then those that need a signed-in user. */
export async function createApp(context: Context, uiFolder: string, socketLimits: Partial<SocketLimits> = {}) {
  const lists = createLists(context)
  const open = createOpenRoutes(context, { lists, acceptsTokensAlone: acceptsTokensAlone(context) })
  health(open, context)
  publicSystem(open, context)
  openId(open, context)
  signInRoutes(open, context)
  passkeySignIn(open, context)
  invitation(open, context)
  await userInterface(open, context, uiFolder)
  gpodder(open, context)
  audiobookshelf(open, context, builtInCoverIn(uiFolder), socketLimits)
  assistants(open, context)
  publicClips(open, context)
  apiDocs(open, context)
  help(open, join(uiFolder, '../help'))

  const routes = forSignedIn(open, context, lists)
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
