import type { Client } from './client'
import { downloadsApi } from './downloads'
import { episodesApi } from './episodes'
import { invitesApi } from './invites'
import { playbackApi } from './playback'
import { podcastsApi } from './podcasts'
import { sessionApi } from './session'
import { systemApi } from './system'
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
  system: systemApi(client),
  session: sessionApi(client),
  users: usersApi(client),
  invites: invitesApi(client),
})
