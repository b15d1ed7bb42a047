import type { Client } from './client'
import { bookmarksApi } from './bookmarks'
import { directoryApi } from './directory'
import { downloadsApi } from './downloads'
import { episodesApi } from './episodes'
import { invitesApi } from './invites'
import { notificationsApi } from './notifications'
import { opmlApi } from './opml'
import { playbackApi } from './playback'
import { playlistsApi } from './playlists'
import { podcastsApi } from './podcasts'
import { queueApi } from './queue'
import { searchApi } from './search'
import { sessionApi } from './session'
import { skipMarksApi } from './skip-marks'
import { systemApi } from './system'
import { tagsApi } from './tags'
import { timelineApi } from './timeline'
import { usersApi } from './users'
import { yourEpisodesApi } from './your-episodes'

export type Api = ReturnType<typeof createApi>

/** The calls of the server's API. Those that only single pages need are in `administration.ts`, loaded with them. */
export const createApi = (client: Client) => ({
  podcasts: podcastsApi(client),
  episodes: episodesApi(client),
  playback: playbackApi(client),
  timeline: timelineApi(client),
  yourEpisodes: yourEpisodesApi(client),
  downloads: downloadsApi(client),
  search: searchApi(client),
  tags: tagsApi(client),
  bookmarks: bookmarksApi(client),
  skipMarks: skipMarksApi(client),
  playlists: playlistsApi(client),
  queue: queueApi(client),
  opml: opmlApi(client),
  directory: directoryApi(client),
  notifications: notificationsApi(client),
  system: systemApi(client),
  session: sessionApi(client),
  users: usersApi(client),
  invites: invitesApi(client),
})
