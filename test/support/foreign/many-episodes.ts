import { rss } from '../builders'
import type { FeedHost } from '../feed-host'
import { writeGpodder } from './gpodder'
import { changeForeign } from './write'

const PODCASTS = 6
const EPISODES = 150

/** A gPodder desktop of many episodes, and their feeds, which have dropped every third of them. */
export function writeManyEpisodes(path: string, host: FeedHost) {
  writeGpodder(path, host.origin)
  changeForeign(path, 'DELETE FROM podcast; DELETE FROM episode')
  for (let podcast = 1; podcast <= PODCASTS; podcast++) {
    const names = Array.from({ length: EPISODES }, (_, number) => `p${podcast}-${number}`)
    const items = names.filter((_, number) => number % 3 !== 0).map(name => ({ guid: name, title: name }))
    host.feed(`/p${podcast}.xml`, rss({ title: `Podcast ${podcast}`, items }))
    const rows = names.map(
      (name, number) =>
        `(${podcast}, '${name}', '${name}', 'https://cdn.example/${name}.mp3', ${1_700_000_000 + number * 86_400},
          ${60 + number}, 1800, ${1_760_000_000 + number}, ${number % 7 === 0 ? 1 : 0})`,
    )
    changeForeign(
      path,
      `INSERT INTO podcast (id, title, url, section) VALUES (${podcast}, 'P', '${host.origin}/p${podcast}.xml', 'Tag ${podcast % 2}');
       INSERT INTO episode (podcast_id, title, guid, url, published, current_position, total_time, last_playback, archive)
       VALUES ${rows.join(', ')}`,
    )
  }
  return path
}
