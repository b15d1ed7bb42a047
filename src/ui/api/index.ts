import type { Client } from './client'
import { appPasswordsApi } from './app-passwords'
import { devicesApi } from './devices'
import { directoryApi } from './directory'
import { downloadsApi } from './downloads'
import { episodesApi } from './episodes'
import { infoApi } from './info'
import { invitesApi } from './invites'
import { notificationsApi } from './notifications'
import { opmlApi } from './opml'
import { playbackApi } from './playback'
import { playlistsApi } from './playlists'
import { podcastsApi } from './podcasts'
import { queueApi } from './queue'
import { searchApi } from './search'
import { sessionApi } from './session'
import { systemApi } from './system'
import { tagsApi } from './tags'
import { backupsApi } from './backups'
import { bookmarksApi } from './bookmarks'
import { timelineApi } from './timeline'
import { usersApi } from './users'

export type Api = ReturnType<typeof createApi>

/** Every part of the API. */
export const createApi = (client: Client) => ({
  podcasts: podcastsApi(client),
  episodes: episodesApi(client),
  playback: playbackApi(client),
  timeline: timelineApi(client),
  downloads: downloadsApi(client),
  search: searchApi(client),
  tags: tagsApi(client),
  appPasswords: appPasswordsApi(client),
  backups: backupsApi(client),
  bookmarks: bookmarksApi(client),
  devices: devicesApi(client),
  playlists: playlistsApi(client),
  queue: queueApi(client),
  opml: opmlApi(client),
  directory: directoryApi(client),
  info: infoApi(client),
  notifications: notificationsApi(client),
  system: systemApi(client),
  session: sessionApi(client),
  users: usersApi(client),
  invites: invitesApi(client),
})
