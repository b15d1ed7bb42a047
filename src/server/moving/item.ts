import type { PreferredForm } from '../../shared/api/playables'
import type { ContinueWith } from '../../shared/api/queue'
import type { Preferences } from '../../shared/api/settings'
import type { TagColor } from '../../shared/api/podcast'
import type { SkipLengths } from '../../shared/api/user'
import type { NextKey, Role } from '../../shared/choices'
import type { ForeignPassword } from '../accounts/password'
import { Problem } from '../platform/problem'
import type { Skipped } from '../store/listened'
import type { PodcastSettingsRow } from '../store/podcast-settings'
import type { PortableRules } from './portable-rules'

export type { ForeignPassword }

/** Every kind of thing that a move counts. */
export const kinds = [
  'users',
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
  'skip-marks',
  'removed',
  'listened',
  'transcripts',
  'episodes',
  'files',
] as const
export type Kind = (typeof kinds)[number]

/** Why something was left out. */
export type Reason =
  | 'not-on-the-web'
  | 'not-subscribed'
  | 'not-in-the-feed'
  | 'not-in-the-list'
  | 'podcast-left-out'
  | 'no-account'
  | 'not-allowed'
  | 'no-media'
  | 'nothing-played'
  | 'finished'
  | 'too-many'
  | 'hidden'
  | 'several-episodes'
  | 'no-folder'
  | 'not-sent'
  | 'no-file'
  | 'outside-folder'
  | 'several-files'
  | 'incomplete'
  | 'not-media'
  | 'unreadable'
  | 'changed-file'
  | 'of-another-episode'
  | 'deleted-here'
  | 'disk-full'
  | 'unusable-name'
  | 'only-named'
  | 'not-by-an-admin'
  | 'empty'
  | 'no-time'
  | 'no-podcast'

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
  author?: string | null
  link?: string | null
  type?: string | null
  number?: number | null
}

/** The owner: a name in the source; null = the person who moves. */
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

/**
 * A file that the source has of an episode: its path there, its bytes if known, and its id on another Castellan. A name
 * that begins with `*.` stands for every name that ends like it.
 */
export type FileItem = {
  is: 'file'
  episode: EpisodeRef
  path: string
  size: number | null
  at: number | null
  remote?: string | null
}

/** A person of the source. Without a role only the name is known, of someone who did something there. */
export type UserItem = {
  is: 'user'
  name: string
  role?: Role
  /** Whether they see explicit content. */
  explicit?: boolean
  /** Null = none, or none that signs them in there. */
  password?: ForeignPassword | null
}

/** Settings of a podcast beyond its rules; null = as the server has it. Values out of bounds are not applied. */
export type MoreRules = {
  autoUpdate: boolean | null
  autoCleanup: boolean | null
  autoCleanupDays: number | null
  /** Newest episodes that are downloaded at the start. */
  podcastPrefill: number | null
  episodeNumbering: boolean | null
  useExistingFilename: boolean | null
  replaceInvalidCharacters: boolean | null
  replacementStrategy: string | null
  directPaths: boolean | null
  episodeFormat: string | null
  podcastFormat: string | null
}

type OtherItem =
  /** `at`: since when, in milliseconds. */
  | (Owned & { is: 'subscription'; feed: string; at?: number | null })
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
      /** Absent = as the device has it. */
      skipSilence?: boolean
      skipMarked?: boolean
      form?: PreferredForm | null
      /** Absent = as the account has it. */
      notify?: boolean
      inTimeline?: boolean
      /** The rule by which new episodes enter the queue automatically; absent = they do not. */
      queue?: Pick<Preferences, 'queueNew' | 'queueMost'>
    })
  /** Rules of the whole library about a podcast; null = as the server has it. */
  | {
      is: 'rules'
      feed: string
      autoDownload: boolean | null
      include: string | null
      exclude: string | null
      more?: MoreRules
      /** Settings of another library of ours, and checked: anyone who adds podcasts may set them. */
      own?: Partial<PodcastSettingsRow>
    }
  /** Settings for all podcasts of the source: they are shown in the report, and never applied. */
  | { is: 'server-settings'; settings: MoreRules & { autoDownload: boolean | null } }
  | PositionItem
  | (Owned & { is: 'like'; episode: EpisodeRef; at: number | null })
  | (Owned & { is: 'queued'; episode: EpisodeRef })
  /** An episode of a playlist, and what the playlist is about. */
  | (Owned & { is: 'listed'; list: string; about?: string | null; episode: EpisodeRef })
  /** A playlist that fills itself, in another library of ours. */
  | (Owned & { is: 'smart'; list: string; about: string | null; rules: PortableRules })
  /** The name of the queue in use, null = the main queue, and what follows it. */
  | (Owned & { is: 'queue-choice'; name: string | null; continueWith: ContinueWith })
  /** The buttons and keys of the player; null = not said. */
  | (Owned & { is: 'player-choice'; choice: PlayerChoice })
  /** An episode of a queue that is kept since `at` (ms); its name, null = the main queue. */
  | (Owned & { is: 'kept'; queue: string | null; at: number | null; episode: EpisodeRef })
  | (Owned & { is: 'bookmark'; episode: EpisodeRef; time: number; note: string | null; at: number | null })
  /** A part of an episode; seconds. */
  | (Owned & { is: 'skip-mark'; episode: EpisodeRef; start: number; end: number; skip: boolean; at: number | null })
  /** An episode that its feed has dropped, with everything of which it can be made. */
  | { is: 'episode'; episode: EpisodeRef }
  /**
   * Seconds that somebody listened to an episode, in the hour that `at` (ms) is in. One item holds all of that hour: of
   * several the longest counts, since the same listening may come twice. `skipped`: those of them that took no time.
   */
  | (Owned & { is: 'listened'; episode: EpisodeRef; seconds: number; skipped?: Skipped; at: number })
  /** A transcript that a program made itself. Times in seconds. */
  | {
      is: 'transcript'
      episode: EpisodeRef
      language: string | null
      segments: { start: number; end: number | null; text: string; speaker: string | null }[]
    }
  /** A person deleted the file: no rule may fetch it again. */
  | { is: 'removed'; episode: EpisodeRef }
  | FileItem
  /** Something of the source that has no place here. */
  | { is: 'left-out'; kind: Kind; reason: Reason; feed: string | null }

/** The item of one kind. */
export type ItemOf<Is extends OtherItem['is']> = Extract<OtherItem, { is: Is }>

/**
 * One thing of a source, in our own words. A source yields its people first, then its podcasts, then everything else,
 * and the same file always in the same order: a move that was interrupted skips what it has applied.
 */
export type Item = UserItem | PodcastItem | OtherItem

/** Seconds that the buttons of the player skip, and how its keys and pauses behave; null = unknown. */
export type PlayerChoice = {
  back: SkipLengths['back'] | null
  forward: SkipLengths['forward'] | null
  nextKey: NextKey | null
  rewind: boolean | null
  levelVolume: boolean | null
}

/** A refusal of a file or server; an argument `detail` is shown as it is, in no language. */
export class MoveRefused extends Problem {
  override name = 'MoveRefused'
}

export const tooLarge = (message: string, limit: number) =>
  new MoveRefused('too-large', message, { limit: String(limit) })

export const tooMany = (message: string, limit: number) =>
  new MoveRefused('move-too-many', message, { limit: String(limit) })
