/** The paths that podcast apps call. Some apps leave out the first part of Nextcloud's path, or double its slash. */
export const appPaths = [
  '/api/2/*',
  '/subscriptions/*',
  '/index.php/*',
  '/apps/gpoddersync/*',
  '//index.php/*',
  '/search.json',
  '/search.opml',
  '/search.txt',
  '/toplist.json',
  '/toplist.opml',
  '/toplist.txt',
  '/toplist/*',
  '/suggestions/*',
  '/clientconfig.json',
] as const

/** Removes the interface's `/ui` from a path: people paste its address into an app. */
export const withoutInterface = (path: string) => path.replace(/^\/ui\/?(?=\/)/, '')

/** Whether podcast apps call this path below `prefix`. */
export const isForApps = (path: string, prefix: string) =>
  appPaths.some(known =>
    known.endsWith('*') ? path.startsWith(`${prefix}${known.slice(0, -1)}`) : path === `${prefix}${known}`,
  )
