import type { Digest, FeedEpisode } from './digest'
import { fitGuid } from './marks'
import { copyOf } from './packed'

/** Joins the pages of a feed that is not in the library yet, newest page first, each episode once. */
export function joinPages(first: Digest, older: readonly Digest[]): Digest {
  if (older.length === 0) return first
  const seen = new Set<string>()
  const guids = new Set<string>()
  const lengths = new Map<string, number | null>()
  const added: FeedEpisode[] = []
  for (const page of [first, ...older]) {
    for (const episode of page.added) {
      const { facts } = episode
      const identity = JSON.stringify([facts.feed_guid ?? facts.enclosure_url, facts.title, facts.announced_at])
      // An item moves to the next page when a new one is published between two requests.
      if (seen.has(identity)) continue
      seen.add(identity)
      const newer = lengths.get(facts.enclosure_url)
      const isSuperseded = newer !== undefined && (newer === null || newer !== facts.enclosure_size)
      const guid = guids.has(facts.guid) ? fitGuid(`${facts.guid}#${Bun.hash(identity).toString(36)}`) : facts.guid
      guids.add(guid)
      added.push(copyOf(episode, { facts: copyOf(facts, { guid }), superseded: episode.superseded || isSuperseded }))
    }
    for (const { facts } of page.added) lengths.set(facts.enclosure_url, facts.enclosure_size)
  }
  return { ...first, added }
}
