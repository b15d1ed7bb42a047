import type { Database } from 'bun:sqlite'
import type { PodcastColumns } from './podcasts'

/** A podcast with everything that the name of its folder may contain. */
type NamedPodcast = Pick<
  PodcastColumns,
  'id' | 'title' | 'folder' | 'summary' | 'language' | 'explicit' | 'keywords' | 'built_at' | 'added_at'
>

/** Folders of podcasts within the media folder; no two differ only in case. */
export const podcastFolders = (db: Database) => ({
  allWithFolders: () =>
    db
      .query<NamedPodcast, []>(
        `SELECT id, title, folder, summary, language, explicit, keywords, built_at, added_at FROM podcast ORDER BY id`,
      )
      .all(),
  setFolders(folders: readonly { podcastId: number; folder: string }[]) {
    // Podcasts may swap folders: first all of them give up theirs.
    for (const { podcastId } of folders) db.query('UPDATE podcast SET folder = uuid WHERE id = ?').run(podcastId)
    for (const { podcastId, folder } of folders)
      db.query('UPDATE podcast SET folder = ? WHERE id = ?').run(folder, podcastId)
  },
  isFolderTaken: (folder: string) =>
    db.query<{ id: number }, [string]>('SELECT id FROM podcast WHERE folder = ? COLLATE NOCASE').get(folder) !== null,
})
