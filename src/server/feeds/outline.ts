import type { FeedEpisode } from './digest'

type OutlineEpisode = { title: string; announcedAt: number | null; duration: number }

/** The few facts about the episodes of a feed that a person sees before adding it. */
export type FeedOutline = {
  /** The newest of all episodes, and the newest that is not explicit. */
  newest: { any: OutlineEpisode | null; clean: OutlineEpisode | null }
  /** Bytes of the newest 5, the newest 25 and all episodes; null where the feed says too little. */
  sizes: { newest5: number | null; newest25: number | null; all: number | null }
}

/** The share of episodes whose size must be known for an estimate of the rest. */
const KNOWN_SHARE = 0.9

/** Outlines the episodes of a feed. Those without a date count as the newest, in the feed's order. */
export function outlineOf(episodes: readonly FeedEpisode[]): FeedOutline {
  const newestFirst = episodes
    .map(({ facts }) => facts)
    .sort((one, other) => (other.announced_at ?? Infinity) - (one.announced_at ?? Infinity) || 0)
  const describe = (facts: FeedEpisode['facts'] | undefined): OutlineEpisode | null =>
    facts ? { title: facts.title, announcedAt: facts.announced_at, duration: facts.duration } : null
  const sizes = newestFirst.map(facts => facts.enclosure_size)
  return {
    newest: { any: describe(newestFirst[0]), clean: describe(newestFirst.find(({ explicit }) => explicit === 0)) },
    sizes: { newest5: sizeOf(sizes.slice(0, 5)), newest25: sizeOf(sizes.slice(0, 25)), all: sizeOf(sizes) },
  }
}

function sizeOf(sizes: readonly (number | null)[]): number | null {
  const known = sizes.filter(size => size !== null)
  if (known.length === 0 || known.length < KNOWN_SHARE * sizes.length) return null
  const mean = known.reduce((sum, size) => sum + size, 0) / known.length
  return Math.round(mean * sizes.length)
}
