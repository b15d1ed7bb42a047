/** Second parts of the addresses below `/api/` that the apps know; `v1` and the digits are ours. */
const areas = [
  'authorize',
  'me',
  'libraries',
  'items',
  'podcasts',
  'session',
  'sessions',
  'playlists',
  'collections',
  'series',
  'authors',
  'search',
  'tags',
  'genres',
  'tasks',
  'feeds',
  'users',
  'backups',
  'notifications',
  'settings',
  'logger-data',
  'stats',
  'filesystem',
  'emails',
  'upload',
]

/** The paths of Audiobookshelf that apps call. */
export const appPaths: readonly string[] = [
  '/status',
  '/ping',
  '/healthcheck',
  '/login',
  '/logout',
  '/auth/*',
  '/public/*',
  '/hls/*',
  ...areas.flatMap(area => [`/api/${area}`, `/api/${area}/*`]),
]

export const SOCKET_PATH = '/socket.io/'

/**
 * The path that an app means: people paste the address of the interface, or one that ends with a slash, and the app
 * appends its own paths to that.
 */
export const meantBy = (path: string) => path.replace(/^\/+ui(?=\/)/, '').replace(/^\/{2,}/, '/')

/**
 * Whether an address that does not begin as it should is meant as a call of an app. The interface's own addresses take
 * precedence.
 */
export function isMisplaced(method: string, path: string): boolean {
  const meant = meantBy(path)
  if (meant === path || !isForApps(meant)) return false
  const isPage = method === 'GET' && (meant === '/login' || meant === '/logout')
  return !isPage && (!meant.startsWith('/public/') || meant.startsWith('/public/session/'))
}

/** Whether these apps call a path below our prefix. */
export const isForApps = (path: string) =>
  path.startsWith(SOCKET_PATH) ||
  appPaths.some(known => (known.endsWith('*') ? path.startsWith(known.slice(0, -1)) : path === known))
