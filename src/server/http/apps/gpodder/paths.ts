/** Where podcast apps call. Some leave the first part of Nextcloud's address out, or double the slash before it. */
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

/** A path as if the address of the interface was none of it: that is what people paste. */
export const withoutInterface = (path: string) => path.replace(/^\/ui\/?(?=\/)/, '')

/** Whether a path below `prefix` is one of theirs. */
export const isForApps = (path: string, prefix: string) =>
  appPaths.some(known =>
    known.endsWith('*') ? path.startsWith(`${prefix}${known.slice(0, -1)}`) : path === `${prefix}${known}`,
  )
