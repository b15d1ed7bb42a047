import type { Digest } from '../../src/server/feeds/apply/digest'
import type { KnownEpisode } from '../../src/server/store/episodes'

/** The known episodes of the database after the first reading of a feed was stored. */
export const knownAfter = ({ added }: Digest): KnownEpisode[] =>
  added.map(({ facts, superseded, hash }, index) => ({
    ...facts,
    item_hash: hash,
    announced_duration: facts.duration,
    id: index + 1,
    in_feed: 1,
    superseded: Number(superseded),
  }))
