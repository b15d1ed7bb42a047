import type { Database } from 'bun:sqlite'
import type { ReplacementStrategy, SettingsEdit, SettingsValues } from '../../shared/api/settings'

/** The one row of the table. */
type SettingsRow = {
  uuid: string
  auto_cleanup: number
  auto_cleanup_days: number
  auto_update: number
  auto_download: number
  podcast_prefill: number
  downloads_paused: number
  was_open: number
  keep_last: number | null
  delete_after_listened: number
  episode_numbering: number
  use_existing_filename: number
  replace_invalid_characters: number
  direct_paths: number
  replacement_strategy: ReplacementStrategy
  episode_format: string
  podcast_format: string
  parallel_downloads: number | null
  sidecars: number
  write_tags: number
}

/** Settings of the server. */
export function settingsStore(db: Database) {
  db.query('INSERT OR IGNORE INTO settings (id, uuid) VALUES (1, ?)').run(crypto.randomUUID())
  const read = () => db.query<SettingsRow, []>('SELECT * FROM settings').get()!

  return {
    current: () => valuesOf(read()),
    edit(edit: SettingsEdit): SettingsValues {
      write(db, { ...valuesOf(read()), ...edit })
      return valuesOf(read())
    },
    /** Whether the server ran in open mode when it was last started. */
    wasOpen: () => read().was_open === 1,
    setWasOpen(isOpen: boolean) {
      db.query('UPDATE settings SET was_open = ?').run(Number(isOpen))
    },
    downloadsPaused: () => read().downloads_paused === 1,
    pauseDownloads(paused: boolean) {
      db.query('UPDATE settings SET downloads_paused = ?').run(Number(paused))
    },
  }
}

const valuesOf = (row: SettingsRow): SettingsValues => ({
  id: row.uuid,
  autoCleanup: row.auto_cleanup === 1,
  autoCleanupDays: row.auto_cleanup_days,
  autoUpdate: row.auto_update === 1,
  autoDownload: row.auto_download === 1,
  podcastPrefill: row.podcast_prefill,
  keepLast: row.keep_last,
  deleteAfterListened: row.delete_after_listened === 1,
  episodeNumbering: row.episode_numbering === 1,
  useExistingFilename: row.use_existing_filename === 1,
  replaceInvalidCharacters: row.replace_invalid_characters === 1,
  directPaths: row.direct_paths === 1,
  replacementStrategy: row.replacement_strategy,
  episodeFormat: row.episode_format,
  podcastFormat: row.podcast_format,
  parallelDownloads: row.parallel_downloads,
  sidecars: row.sidecars === 1,
  writeTags: row.write_tags === 1,
})

function write(db: Database, values: SettingsValues) {
  db.query<null, Record<string, string | number | null>>(
    `UPDATE settings
          SET auto_cleanup = $cleanup, auto_cleanup_days = $days, auto_update = $update,
              auto_download = $download, podcast_prefill = $prefill, keep_last = $keepLast,
              delete_after_listened = $afterListened, episode_numbering = $numbering,
              use_existing_filename = $existing, replace_invalid_characters = $replaceInvalid,
              direct_paths = $direct, replacement_strategy = $strategy, episode_format = $episodeFormat,
              podcast_format = $podcastFormat, parallel_downloads = $parallel, sidecars = $sidecars,
              write_tags = $writeTags`,
  ).run({
    cleanup: Number(values.autoCleanup),
    days: values.autoCleanupDays,
    update: Number(values.autoUpdate),
    download: Number(values.autoDownload),
    prefill: values.podcastPrefill,
    keepLast: values.keepLast,
    afterListened: Number(values.deleteAfterListened),
    numbering: Number(values.episodeNumbering),
    existing: Number(values.useExistingFilename),
    replaceInvalid: Number(values.replaceInvalidCharacters),
    direct: Number(values.directPaths),
    strategy: values.replacementStrategy,
    episodeFormat: values.episodeFormat,
    podcastFormat: values.podcastFormat,
    parallel: values.parallelDownloads,
    sidecars: Number(values.sidecars),
    writeTags: Number(values.writeTags),
  })
}
