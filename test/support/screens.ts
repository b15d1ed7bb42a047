import type { Page } from 'playwright-core'
import { yourLists } from '../../src/shared/choices'
import { routes } from '../../src/ui/routes'

/** Places in a planted library: the ids that addresses contain, and a feed. */
export type Places = {
  podcast: string
  episode: string
  playlist: string
  invite: string
  /** A podcast without episodes. */
  empty?: string
  /** A podcast whose feed fails. */
  failing?: string
  /** A request of a podcast app for access. */
  grant?: string
  /** The address of a feed that nobody has added. */
  feed?: string
}

/** A visitor: somebody signed in, somebody before the sign-in, or an admin of a server without podcasts. */
export type Visitor = 'member' | 'stranger' | 'newcomer'

/** A screen to visit: its path below `/ui`, and what to do there until it shows what it is about. */
export type Screen = {
  name: string
  path: string
  visitor?: Visitor
  /** Exists only where people sign in. */
  needsAccounts?: boolean
  /** Widths at which it exists, in pixels. */
  from?: number
  below?: number
  open?: (page: Page, places: Partial<Places>) => Promise<unknown>
}

/** Narrower than this, the interface is a phone's. */
export const PHONE = 768

const [podcast, episode, playlist, invite, empty, failing, grant] = [
  ':podcast',
  ':episode',
  ':playlist',
  ':invite',
  ':empty',
  ':failing',
  ':grant',
]

/** Every page by its address. */
export const pages: readonly Screen[] = [
  { name: 'home', path: routes.home },
  { name: 'podcasts', path: routes.podcasts },
  { name: 'favorites', path: routes.favorites },
  { name: 'episodes', path: routes.episodes(podcast) },
  { name: 'episode', path: routes.episodes(podcast, episode) },
  { name: 'podcast-empty', path: routes.episodes(empty) },
  { name: 'podcast-failing', path: routes.episodes(failing) },
  { name: 'timeline', path: routes.timeline },
  ...yourLists.map((kind): Screen => ({ name: `yours-${kind}`, path: routes.yours(kind) })),
  { name: 'tags', path: routes.tags },
  { name: 'playlists', path: routes.playlists },
  { name: 'playlist', path: routes.playlist(playlist) },
  { name: 'search', path: routes.search },
  { name: 'info', path: routes.info },
  { name: 'downloads', path: routes.downloads },
  { name: 'device', path: routes.device },
  { name: 'statistics', path: routes.statistics },
  { name: 'settings-playback', path: routes.settingsOf('playback') },
  { name: 'settings-new-episodes', path: routes.settingsOf('new-episodes') },
  { name: 'settings-retention', path: routes.settingsOf('retention') },
  { name: 'settings-move-in', path: routes.settingsOf('move-in') },
  { name: 'settings-opml', path: routes.settingsOf('opml') },
  { name: 'settings-naming', path: routes.settingsOf('naming') },
  { name: 'settings-podcasts', path: routes.settingsOf('podcasts') },
  { name: 'settings-notifications', path: routes.settingsOf('notifications') },
  { name: 'settings-apps', path: routes.settingsOf('apps') },
  { name: 'settings-gpodder', path: routes.settingsOf('gpodder'), needsAccounts: true },
  { name: 'settings-backups', path: routes.settingsOf('backups') },
  { name: 'users', path: routes.users, needsAccounts: true },
  { name: 'invites', path: routes.invites, needsAccounts: true },
  { name: 'activity', path: routes.activity, needsAccounts: true },
  { name: 'profile', path: routes.profile, needsAccounts: true },
  { name: 'grant', path: routes.grant(grant), needsAccounts: true },
  { name: 'not-found', path: '/nowhere' },
  { name: 'login', path: routes.login, visitor: 'stranger', needsAccounts: true },
  { name: 'invite', path: routes.invite(invite), visitor: 'stranger', needsAccounts: true },
  { name: 'first-run', path: routes.home, visitor: 'newcomer' },
  { name: 'podcasts-none', path: routes.podcasts, visitor: 'newcomer' },
  { name: 'timeline-none', path: routes.timeline, visitor: 'newcomer' },
]

/** The path of a screen with the ids of a library; null if the library has nothing to show there. */
export function pathIn(places: Partial<Places>, { path }: Screen): string | null {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as keyof Places)
  if (names.some(name => places[name] === undefined)) return null
  return path.replace(/:(\w+)/g, (_, name: keyof Places) => places[name]!)
}

export const isAt = ({ from = 0, below = Infinity }: Screen, width: number) => width >= from && width < below
