/** Addresses within the interface, below `/ui`. */
export const routes = {
  login: '/login',
  invite: (id: string) => `/invite/${id}`,
  home: '/home/view',
  playlists: '/home/playlist',
  playlist: (id: string) => `/home/playlist/${id}`,
  podcasts: '/podcasts',
  favorites: '/favorites',
  episodes: (podcastId: string, eid?: string) => `/podcasts/${podcastId}/episodes${eid ? `/${eid}` : ''}`,
  timeline: '/timeline',
  tags: '/tags',
  info: '/info',
  downloads: '/info/downloads',
  settings: '/settings',
  users: '/administration/users',
  invites: '/administration/invites',
  profile: '/profile',
} as const
