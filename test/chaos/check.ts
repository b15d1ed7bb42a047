import { Database } from 'bun:sqlite'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { checkBackup } from '../../src/server/store/backup'
import { newestSchema } from '../../src/server/store/open'
import type { Hosts } from './hosts'
import type { Ledger } from './ledger'
import { createMediaCheck, type DownloadRow, type EpisodeRow } from './media-check'
import type { MediaBucket } from './places'
import type { Server } from './server'

const list = (path: string) => (existsSync(path) ? readdirSync(path, { encoding: 'utf8' }) : [])

/** Reads everything that the ledger names from the server. */
export async function stateOf(server: Server, disk: Disk) {
  const state = new Map<string, unknown>()
  for (const { rssfeed, favorites } of await server.podcasts.list()) {
    state.set(`podcast ${rssfeed}`, true)
    if (favorites) state.set(`favourite ${rssfeed}`, true)
  }
  for (const { id } of await server.playlists.list()) {
    const { name, items } = await server.playlists.find(id)
    state.set(`playlist ${id}`, { name, items: items.map(({ podcastEpisode }) => podcastEpisode.id) })
  }
  state.set(
    'queue',
    (await server.queue.find()).items.map(({ podcastEpisode }) => podcastEpisode.id),
  )
  const { autoCleanupDays, episodeFormat } = await server.system.settings()
  state.set('autoCleanupDays', autoCleanupDays).set('episodeFormat', episodeFormat)
  for (const { id, time } of await server.bookmarks.list()) state.set(`bookmark ${id}`, time)
  for (const { podcastEpisode, episode } of await server.playback.lastWatched(200))
    state.set(`position ${podcastEpisode.episode_id}`, episode.position)
  for (const feed of await server.subscriptions('phone')) state.set(`subscription ${feed}`, true)
  for (const { device, episode, at } of disk.actions())
    state.set(`action ${device} ${episode} ${new Date(at * 1000).toISOString().slice(0, 19)}`, true)
  for (const { name } of await server.backups.list()) state.set(`backup ${name}`, true)
  for (const { username } of await server.users.list()) state.set(`account ${username}`, true)
  for (const { id } of await server.moves.list()) state.set(`move ${id}`, true)
  for (const { id } of await server.opml.jobs()) state.set(`import ${id}`, true)
  for (const { eid, file_path } of disk.episodes()) if (file_path !== null) state.set(`file ${eid}`, true)
  for (const { eid } of [...disk.downloads(), ...disk.episodes().filter(row => row.file_path !== null)])
    state.set(`download ${eid}`, true)
  return state
}

export type Disk = ReturnType<typeof createDisk>

/** The data folder and the media, looked at beside the server that uses them. */
export function createDisk(folder: string, hosts: Hosts, places: { media: string; bucket: MediaBucket | null }) {
  /** Backups that were read already. */
  const seen = new Set<string>()

  function query<T>(sql: string): T[] {
    const db = new Database(join(folder, 'castellan.db'), { readonly: true })
    try {
      return db.query<T, []>(sql).all()
    } finally {
      db.close()
    }
  }
  const episodes = () =>
    query<EpisodeRow>(
      'SELECT eid, feed_url, enclosure_url, file_path, file_size, file_storage FROM episode JOIN podcast ON podcast.id = podcast_id',
    )
  const downloads = () =>
    query<DownloadRow>('SELECT e.eid, d.state, d.target_path FROM download d JOIN episode e ON e.id = d.episode_id')

  /** Lists all reports of apps. Apps are answered only the latest of each episode, but no report may get lost. */
  const actions = () =>
    query<{ device: string; episode: string; at: number }>(
      'SELECT device, media_url AS episode, at FROM episode_action',
    )

  const media = createMediaCheck({ ...places, hosts, query, episodes, downloads })

  /** Checks that every backup can be read, and that nothing half-made lies in the data folder. */
  function dataFolder(ledger: Ledger): string[] {
    const wrong: string[] = []
    for (const key of ledger.keys('backup ')) {
      const path = join(folder, 'backups', key.slice('backup '.length))
      if (ledger.get(key) !== true || seen.has(path)) continue
      try {
        checkBackup(path, newestSchema)
        seen.add(path)
      } catch (error) {
        wrong.push((error as Error).message)
      }
    }
    for (const name of list(join(folder, 'backups')))
      if (!name.endsWith('.db')) wrong.push(`${name} was left half-made`)
    for (const name of list(join(folder, 'covers/unfinished')))
      if (seen.has(name)) wrong.push(`the cover ${name} was left half-made`)
      else seen.add(name)
    return wrong
  }

  return {
    actions,
    episodes,
    downloads,
    parts: media.parts,
    /** The number of removals that are not finished. */
    removals: () => query('SELECT 1 FROM removal').length,
    files: media.wrong,
    /** The data folder is new: what was looked at in the old one does not count. */
    forget: () => seen.clear(),
    unfinished: media.unfinished,
    removeLost: media.removeLost,
    dataFolder,
    figures: () => ({
      checkedBytes: media.checkedBytes(),
      backups: [...seen].filter(path => path.endsWith('.db')).length,
      ...query<{ podcasts: number; episodes: number; files: number }>(
        'SELECT (SELECT count(*) FROM podcast) AS podcasts, count(*) AS episodes, count(file_path) AS files FROM episode',
      )[0]!,
    }),
  }
}
