import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../app'
import { rss, silentMp3 } from '../builders'
import type { FeedHost } from '../feed-host'
import { writePodfetch } from './podfetch'
import { changeForeign } from './write'

export const FILES = 40

/** Writes a PodFetch with one podcast and files, half of which the feed has dropped. */
export function writeWithFiles(host: FeedHost) {
  const root = temporaryFolder()
  const path = writePodfetch(join(root, 'podcast.db'), host.origin, 'C')
  const names = Array.from({ length: FILES }, (_, number) => `f${String(number).padStart(2, '0')}`)
  const items = names.slice(FILES / 2).map(name => ({ guid: name, title: name }))
  host.feed('/files.xml', rss({ title: 'Files', items }))
  changeForeign(path, 'DELETE FROM podcast_episodes; DELETE FROM podcasts; DELETE FROM episodes')
  changeForeign(
    path,
    `INSERT INTO podcasts (id, name, rssfeed) VALUES ('p', 'Files', '${host.origin}/files.xml');
     INSERT INTO podcast_episodes (id, podcast_id, episode_id, name, url, guid, date_of_recording, file_episode_path,
       download_location) VALUES ${names
         .map(
           name => `('${name}', 'p', '${name}', '${name}', 'https://cdn.example/${name}.mp3', '${name}',
             '2026-01-03T00:00:00+00:00', './podcasts/Files/${name}/podcast.mp3', 'Local')`,
         )
         .join(', ')}`,
  )
  for (const [number, name] of names.entries()) {
    mkdirSync(join(root, 'podcasts/Files', name), { recursive: true })
    writeFileSync(join(root, 'podcasts/Files', name, 'podcast.mp3'), silentMp3(1 + (number % 3)))
  }
  return { path, media: join(root, 'podcasts') }
}
