import type { YourList } from '../shared/choices'

/** The addresses of the pages, below `/ui`. */
export const routes = {
  login: '/login',
  invite: (id: string) => `/invite/${id}`,
  /** The page where a podcast app gets access. */
  grant: (id: string) => `/grant/${id}`,
  home: '/home/view',
  playlists: '/home/playlist',
  playlist: (id: string) => `/home/playlist/${id}`,
  podcasts: '/podcasts',
  category: (name: string) => `/podcasts?${new URLSearchParams({ category: name })}`,
  search: '/podcasts/search',
  favorites: '/favorites',
  /** The page of a podcast, or of one of its episodes. `at`: a position in the episode, in seconds. */
  episodes: (podcastId: string, eid?: string, at?: number) =>
    `/podcasts/${podcastId}/episodes${eid ? `/${eid}` : ''}${at === undefined ? '' : `?t=${Math.floor(at)}`}`,
  favoriteEpisodes: (podcastId: string) => `/favorites/${podcastId}/episodes`,
  /** A user's own episodes. */
  yours: (kind: YourList) => `/episodes/${kind}`,
  people: '/people',
  person: (name: string) => `/people?${new URLSearchParams({ name })}`,
  timeline: '/timeline',
  tags: '/tags',
  info: '/info',
  downloads: '/info/downloads',
  device: '/episodes/downloaded?device',
  statistics: '/info/statistics',
  settings: '/settings',
  settingsOf: (tab: SettingsTab) => `/settings/${tab}`,
  users: '/administration/users',
  invites: '/administration/invites',
  activity: '/administration/activity',
  profile: '/profile',
} as const

export const administrationTabs = ['users', 'invites', 'activity'] as const

const ownTabs = ['playback', 'new-episodes', 'notifications', 'apps', 'move-in'] as const
const serverTabs = ['retention', 'opml', 'naming', 'podcasts', 'gpodder', 'backups'] as const
export const settingsTabs = [...ownTabs, ...serverTabs]
export type SettingsTab = (typeof settingsTabs)[number]

/** Groups the settings: a user's own, and those of the server, which only admins have. */
export const settingsGroups = (isAdmin: boolean, mayUpload: boolean) => ({
  yours: [
    ...ownTabs,
    ...(isAdmin ? [] : (['opml', 'gpodder'] as const)),
    ...(mayUpload && !isAdmin ? (['podcasts'] as const) : []),
  ] as readonly SettingsTab[],
  server: (isAdmin ? serverTabs : []) as readonly SettingsTab[],
})

/** Whether this address is one that the provider sent the browser back to. */
export function isCallback({ search, hash }: Pick<Location, 'search' | 'hash'>): boolean {
  return [search, hash.replace(/^#/, '?')].some(part => {
    const given = new URLSearchParams(part)
    return given.has('state') && (given.has('code') || given.has('error'))
  })
}
