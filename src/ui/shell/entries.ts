import {
  ChartColumn,
  Clock,
  Download,
  Heart,
  House,
  LayoutGrid,
  ListChecks,
  ListVideo,
  Search,
  Tags,
} from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { routes } from '../routes'

export type Entry = { to: string; under: string; key: string; icon: LucideIcon }

/** The main entries, in the specified order. */
export const mainEntries: readonly Entry[] = [
  { to: routes.home, under: '/home', key: 'home', icon: House },
  { to: routes.podcasts, under: '/podcasts', key: 'all-subscriptions', icon: LayoutGrid },
  { to: routes.favorites, under: '/favorites', key: 'favorites', icon: Heart },
  { to: routes.timeline, under: '/timeline', key: 'timeline', icon: Clock },
  { to: routes.tags, under: '/tags', key: 'tags', icon: Tags },
]

export const searchEntry: Entry = { to: routes.search, under: routes.search, key: 'episode-search', icon: Search }

/** The places of what people own. */
export const libraryEntries: readonly Entry[] = [
  { to: routes.yours('liked'), under: '/episodes', key: 'your-episodes', icon: ListChecks },
  { to: routes.playlists, under: routes.playlists, key: 'playlists', icon: ListVideo },
  { to: routes.downloads, under: routes.downloads, key: 'downloads', icon: Download },
]

export const statisticsEntry: Entry = {
  to: routes.statistics,
  under: routes.statistics,
  key: 'statistics',
  icon: ChartColumn,
}

/** Returns whether a page belongs to an entry. Some addresses are below those of other entries. */
export function isWithin(location: string, { under }: Entry): boolean {
  if (location === under) return true
  const isElsewhere = location === routes.search || location.startsWith(routes.playlists)
  return location.startsWith(`${under}/`) && (!isElsewhere || under === routes.playlists)
}
