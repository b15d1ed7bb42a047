import type { TagColor } from '../../shared/api/tag'

/** Every kind of thing that a move counts. */
export const kinds = [
  'podcasts',
  'subscriptions',
  'tags',
  'preferences',
  'rules',
  'positions',
  'likes',
  'queue',
  'playlists',
  'bookmarks',
  'removed',
  'episodes',
] as const
export type Kind = (typeof kinds)[number]

/** Why something was left out. */
export type Reason =
  | 'not-on-the-web'
  | 'not-subscribed'
  | 'not-in-the-feed'
  | 'podcast-left-out'
  | 'no-account'
  | 'no-media'
  | 'nothing-played'
  | 'finished'
  | 'too-many'
  | 'hidden'
  | 'several-episodes'

/**
 * An episode as the source names it: by the address of its feed as the podcast's item gave it, and everything by which
 * it can be found or, if the feed has dropped it, made. Dates in milliseconds, null = unknown.
 */
export type EpisodeRef = {
  feed: string
  guid: string | null
  address: string | null
  title: string | null
  publishedAt: number | null
  /** Seconds. */
  duration: number | null
  notes?: string | null
  link?: string | null
  type?: string | null
}

/** Whose it is: a name in the source; null = the person who moves. */
type Owned = { user: string | null }

/** A podcast with everything that adding it takes. */
export type PodcastItem = {
  is: 'podcast'
  feed: string
  /** The feed's own title, for a feed that does not answer. */
  title: string | null
  /** The title that a person gave it. */
  ownTitle?: string | null
  guid?: string | null
  credentials?: { user: string; password: string } | null
  /** Whether its feed is checked from now on. */
  active: boolean
}

/** Seconds, and for `at` milliseconds by the source's own clock; null = unknown. */
export type PositionItem = Owned & {
  is: 'position'
  episode: EpisodeRef
  position: number
  total: number | null
  finished: boolean
  at: number | null
}

export type OtherItem =
  | (Owned & { is: 'subscription'; feed: string })
  | (Owned & { is: 'tag'; feed: string; name: string; color?: TagColor | null; description?: string | null })
  | (Owned & {
      is: 'preference'
      feed: string
      speed: number | null
      /** Percent. */
      volume: number | null
      /** Seconds. */
      skipIntro: number
      skipOutro: number
    })
  /** Rules of the whole library about a podcast; null = as the server has it. */
  | { is: 'rules'; feed: string; autoDownload: boolean | null; include: string | null; exclude: string | null }
  | PositionItem
  | (Owned & { is: 'like'; episode: EpisodeRef; at: number | null })
  | (Owned & { is: 'queued'; episode: EpisodeRef })
  | (Owned & { is: 'listed'; list: string; episode: EpisodeRef })
  | (Owned & { is: 'bookmark'; episode: EpisodeRef; time: number; note: string | null; at: number | null })
  /** A person deleted the file: no rule may fetch it again. */
  | { is: 'removed'; episode: EpisodeRef }
  /** Something of the source that has no place here. */
  | { is: 'left-out'; kind: Kind; reason: Reason; feed: string | null }

/**
 * One thing of a source, in our own words. A source yields its people first, then its podcasts, then everything else,
 * and the same file always in the same order: a move that was interrupted skips what it has applied.
 */
export type Item = { is: 'user'; name: string } | PodcastItem | OtherItem
