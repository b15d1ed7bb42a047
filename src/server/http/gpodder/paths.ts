/** Where podcast apps call. Some leave the first part of Nextcloud's address out, or double the slash before it. */
export const appPaths = [
  '/api/2/*',
  '/subscriptions/*',
  '/index.php/*',
  '/apps/gpoddersync/*',
  '//index.php/*',
] as const

const starts = appPaths.map(path => path.slice(0, -1))

/** Whether a path below `prefix` is one of theirs. */
export const isForApps = (path: string, prefix: string) => starts.some(start => path.startsWith(`${prefix}${start}`))
