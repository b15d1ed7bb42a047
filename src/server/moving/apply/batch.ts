import { keepSmall } from '../../platform/compiling'
import type { OldPassword } from '../../accounts/old-password'
import type { MoveChangeRow, MoveRow } from '../../store/moves'
import type { UserRow } from '../../store/users'
import type { EpisodeFinder } from '../find-episode'
import type { EpisodeRef, Kind, Reason, UserItem } from '../item'
import { leftText, movedTables, rowKeyOf } from '../moved-tables'
import type { MovingNeeds } from '../needs'

/** The outcome of an item. */
export type Outcome = { is: 'taken' } | { is: 'present' } | { is: 'left-out'; reason: Reason }

export const taken: Outcome = { is: 'taken' }
export const present: Outcome = { is: 'present' }
export const leftOut = (reason: Reason): Outcome => ({ is: 'left-out', reason })

/** News of a move, to be published once it is committed. */
export type News = {
  /** Accounts that were made. */
  users: UserRow[]
  /** Ids of episodes by user and podcast, whose positions are new. */
  positions: Map<string, { userId: number; podcastId: number; episodeIds: number[] }>
  finished: Map<number, number[]>
  favoured: { userId: number; podcastId: number }[]
  queues: Map<number, number>
  /** Ids of episodes with new texts. */
  texts: number[]
}

export const noNews = (): News => ({
  users: [],
  positions: new Map(),
  finished: new Map(),
  favoured: [],
  queues: new Map(),
  texts: [],
})

export type Passwords = ReadonlyMap<UserItem, OldPassword>

/** One transaction of a move: some items of the source, and what they need. */
export type Batch = Pick<MovingNeeds, 'store' | 'playback' | 'now' | 'names'> & {
  move: MoveRow
  finder: EpisodeFinder
  /** The podcast of a feed as the source spells it; null = left out. */
  podcastOf: (feed: string) => number | null
  /** Whether this is a dry run, and the podcast is new: nobody knows what its feed lists. */
  isUnknown: (feed: string) => boolean
  /** The account of a name in the source; null = there is none. */
  userOf: (name: string | null) => UserRow | null
  /** Passwords of people who may get an account, ready to be stored. */
  passwords: Passwords
  news: News
  /** The item that is being applied, counted from 0. */
  item: number
  count: (kind: Kind, feed: string | null, outcome: Outcome) => void
}

/** Whether a move may write what belongs to everybody: rules, marks of podcasts, episodes that no feed lists. */
export const writesLibrary = ({ move }: Batch) => move.authority !== 'self'

/** Notes what an item made or changed, and how it left that, for taking the whole move back. */
export function noteChange(batch: Batch, kind: string, change: Partial<Omit<MoveChangeRow, 'item' | 'kind'>>) {
  const { moves } = batch.store
  const nothing = { user_id: null, podcast_id: null, episode_id: null, other_id: null, before: null }
  const noted = { item: batch.item, kind, ...nothing, ...change }
  const table = movedTables[kind]
  const after = table ? leftText(kind, moves.rowText(table, rowKeyOf(noted))) : null
  moves.noteChange(batch.move.id, { after, ...noted })
}

/** An episode of the library, or why there is none. */
export type Found = { podcastId: number; episodeId: number } | { reason: Reason }

/** Finds the episode that a source means. */
export function findEpisode({ podcastOf, finder }: Batch, ref: EpisodeRef): Found {
  const podcastId = podcastOf(ref.feed)
  if (podcastId === null) return { reason: 'podcast-left-out' }
  const episodeId = finder.find(podcastId, ref)
  return episodeId === null ? { reason: 'not-in-the-feed' } : { podcastId, episodeId }
}

keepSmall(noteChange)
