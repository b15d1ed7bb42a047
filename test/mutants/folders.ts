const server = (...names: string[]) => names.map(name => `test/server/${name}`)

const components = 'test/ui/components'

/**
 * The tests that guard a folder of the source: those that mirror it, and those that reach it from outside. `folder/*`
 * is the files of a folder without those below it. Every file of the source needs a line.
 */
export const testsOf: Record<string, readonly string[]> = {
  'src/server/*': server('start.test.ts', 'data-folder.test.ts', 'faults.test.ts', 'thread'),
  'src/server/config': server('config.test.ts', 'accounts/configured.test.ts', 'security/oidc.test.ts'),
  'src/server/storage': server('storage'),
  'src/server/clips': server('clips'),
  'src/server/cli': server('cli', 'accounts/command-line.test.ts', 'upkeep', 'storage/move.test.ts'),
  'src/server/http/docs': server('http/api-docs.test.ts', 'http/contract.test.ts', 'http/specification'),
  'src/server/platform': server('security/logs.test.ts', 'data-folder.test.ts', 'config.test.ts', 'notify'),
  'src/server/store': server('store', 'library', 'playback', 'search', 'downloads/kept.test.ts', 'http/lists.test.ts'),
  'src/server/outbound': server('outbound', 'security/outbound.test.ts', 'feeds/cut-body.test.ts'),
  'src/server/thread': server('thread'),
  'src/server/accounts': server(
    'accounts',
    'security/sign-in.test.ts',
    'security/permissions.test.ts',
    'security/oidc.test.ts',
  ),
  'src/server/audit': server('audit'),
  'src/server/feeds': server('feeds', 'texts'),
  'src/server/media': server('media', 'downloads/media.test.ts'),
  'src/server/downloads': server('downloads', 'security/files.test.ts'),
  'src/server/covers': server('covers', 'http/media.test.ts', 'http/apps/rss.test.ts'),
  'src/server/texts': server('texts'),
  'src/server/transcription': server('transcription'),
  'src/server/search': server('search', 'texts'),
  'src/server/setup': server('setup.test.ts'),
  'src/server/http/setup': server('setup.test.ts'),
  'src/server/demo': server('demo.test.ts'),
  'src/server/sidecars': server('sidecars'),
  'src/server/upkeep': server('upkeep', 'faults.test.ts'),
  'src/server/playback': server('playback', 'http/playback.test.ts', 'sync'),
  'src/server/library': server('library', 'sync', 'http/lists.test.ts'),
  'src/server/sync': server('sync'),
  'src/server/opml': server('opml'),
  'src/server/moving': server('moving', 'cli/import.test.ts', 'cli/import-files.test.ts', 'cli/adopt.test.ts'),
  'src/server/notify': server('notify'),
  'src/server/statistics': server('statistics'),
  'src/server/directory': server('directory'),
  'src/server/jobs': server('jobs'),
  'src/server/http/core': server(
    'http',
    'security/content.test.ts',
    'security/limits.test.ts',
    'security/socket.test.ts',
  ),
  'src/server/http/api': server('http', 'library', 'downloads/download.test.ts', 'feeds/refresh.test.ts'),
  'src/server/http/media': server('http/media.test.ts', 'security/files.test.ts', 'security/content.test.ts'),
  'src/server/http/apps': server('http/apps', 'sync'),
  'src/shared': ['test/ui', 'test/server/library', 'test/server/playback', 'test/server/http/contract.test.ts'],
  'src/ui/*': ['test/ui', components],
  'src/ui/api': ['test/ui', 'test/server/http', 'test/server/library'],
  'src/ui/components': [components],
  'src/ui/device': ['test/ui', components],
  'src/ui/library': ['test/ui', components],
  'src/ui/pages': ['test/ui', components],
  'src/ui/playback': ['test/ui', components],
  'src/ui/player': ['test/ui', components],
  'src/ui/shell': ['test/ui', components],
  'src/ui/state': ['test/ui', components],
}

/** The line that a file of the source belongs to; undefined when there is none. */
export const folderOf = (file: string): string | undefined =>
  Object.keys(testsOf).find(folder =>
    folder.endsWith('/*')
      ? file.slice(0, file.lastIndexOf('/')) === folder.slice(0, -2)
      : file.startsWith(`${folder}/`),
  )
