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

/** Whether these apps call a path below our prefix. */
export const isForApps = (path: string) =>
  path.startsWith(SOCKET_PATH) ||
  appPaths.some(known => (known.endsWith('*') ? path.startsWith(known.slice(0, -1)) : path === known))
