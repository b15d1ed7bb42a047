/** Addresses within the interface, below `/ui`. */
export const routes = {
  home: '/home/view',
  podcasts: '/podcasts',
  favorites: '/favorites',
  episodes: (podcastId: string, eid?: string) => `/podcasts/${podcastId}/episodes${eid ? `/${eid}` : ''}`,
  timeline: '/timeline',
  downloads: '/info/downloads',
} as const
