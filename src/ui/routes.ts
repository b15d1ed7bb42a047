/** Addresses within the interface, below `/ui`. */
export const routes = {
  login: '/login',
  invite: (id: string) => `/invite/${id}`,
  /** A podcast app asks for access. */
  grant: (id: string) => `/grant/${id}`,
  home: '/home/view',
  playlists: '/home/playlist',
  playlist: (id: string) => `/home/playlist/${id}`,
  podcasts: '/podcasts',
  search: '/podcasts/search',
  favorites: '/favorites',
  /** `at`: a moment of the episode, in seconds. */
  episodes: (podcastId: string, eid?: string, at?: number) =>
    `/podcasts/${podcastId}/episodes${eid ? `/${eid}` : ''}${at === undefined ? '' : `?t=${Math.floor(at)}`}`,
  favoriteEpisodes: (podcastId: string) => `/favorites/${podcastId}/episodes`,
  timeline: '/timeline',
  tags: '/tags',
  info: '/info',
  downloads: '/info/downloads',
  device: '/info/device',
  statistics: '/info/statistics',
  settings: '/settings',
  settingsOf: (tab: SettingsTab) => `/settings/${tab}`,
  users: '/administration/users',
  invites: '/administration/invites',
  profile: '/profile',
} as const

export const settingsTabs = ['retention', 'opml', 'naming', 'podcasts', 'gpodder', 'backups'] as const
export type SettingsTab = (typeof settingsTabs)[number]
