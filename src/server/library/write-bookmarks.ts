import { formatDuration } from '../../shared/duration'
import { markdownText } from '../platform/markdown'
import type { BookmarkRow } from '../store/bookmarks'

/** Writes bookmarks as Markdown: podcasts by title, their newest episode first, its bookmarks by time, with links. */
export function writeBookmarks(rows: readonly BookmarkRow[], base: string): string {
  const { compare } = new Intl.Collator('en', { sensitivity: 'base', numeric: true })
  const byPodcast = Map.groupBy(
    rows.toSorted(
      (a, b) =>
        compare(a.podcast_title, b.podcast_title) ||
        b.published_at - a.published_at ||
        compare(a.episode_title, b.episode_title) ||
        a.time - b.time,
    ),
    row => row.podcast_uuid,
  )
  return [...byPodcast.values()]
    .map(ofPodcast => {
      const episodes = [...Map.groupBy(ofPodcast, row => row.episode_uuid).values()]
      return `# ${markdownText(ofPodcast[0]!.podcast_title)}\n\n${episodes.map(rows => writeEpisode(rows, base)).join('')}`
    })
    .join('')
}

function writeEpisode(rows: readonly BookmarkRow[], base: string): string {
  const { episode_title, episode_uuid, podcast_uuid, published_at } = rows[0]!
  const page = `${base}ui/podcasts/${podcast_uuid}/episodes/${episode_uuid}`
  const date = published_at > 0 ? `${new Date(published_at).toISOString().slice(0, 10)}\n\n` : ''
  const lines = rows.map(
    ({ time, note }) => `- [${formatDuration(time)}](${page}?t=${time})${note ? ` ${markdownText(note)}` : ''}\n`,
  )
  return `## ${markdownText(episode_title)}\n\n${date}${lines.join('')}\n`
}
