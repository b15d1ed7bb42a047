import type { OldPassword } from '../../accounts/password'
import { fitGuid } from '../../feeds/parse/values'
import { safeNotes } from '../../feeds/parse/notes'
import { keepSmall } from '../../platform/engine'
import type { EpisodeFacts } from '../../store/episodes'
import { isFolderAddress } from '../../store/feeds'
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
  /** Whether this is a dry run and the podcast is new, so that nobody knows what its feed lists. */
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

/** Whether a move may write what everybody shares: rules, marks of podcasts, episodes that no feed lists. */
export const writesLibrary = ({ move }: Batch) => move.authority !== 'self'

/** Notes what an item made or changed, and the resulting state, so that the whole move can be undone. */
export function noteChange(batch: Batch, kind: string, change: Partial<Omit<MoveChangeRow, 'item' | 'kind'>>) {
  const { moves } = batch.store
  const nothing = { user_id: null, podcast_id: null, episode_id: null, other_id: null, before: null }
  const noted = { item: batch.item, kind, ...nothing, ...change }
  const table = movedTables[kind]
  const after = table ? leftText(kind, moves.rowText(table, rowKeyOf(noted))) : null
  moves.noteChange(batch.move.id, { after, ...noted })
}

/** An episode of the library, or why there is none. */
type Found = { podcastId: number; episodeId: number } | { reason: Reason }

/** Finds the episode that a source means. */
export function findEpisode({ podcastOf, finder }: Batch, ref: EpisodeRef): Found {
  const podcastId = podcastOf(ref.feed)
  if (podcastId === null) return { reason: 'podcast-left-out' }
  const episodeId = finder.find(podcastId, ref)
  return episodeId === null ? { reason: 'not-in-the-feed' } : { podcastId, episodeId }
}

keepSmall(noteChange)

/** Notes are sanitised within the transaction, and sources give no more. */
const MAX_NOTES = 20_000

/**
 * Finds the episode that a source means, or makes it from the source's row: the feed has dropped it, and it exists
 * nowhere else.
 */
export function findOrMake(batch: Batch, ref: EpisodeRef): Found {
  const found = findEpisode(batch, ref)
  if (!('reason' in found) || found.reason !== 'not-in-the-feed') return found
  const podcastId = batch.podcastOf(ref.feed)!
  if (!mayMakeIn(batch, podcastId)) return { reason: 'not-allowed' }
  const address = webAddress(ref.address) ?? folderAddress(batch, ref.address)
  if (address === null) return { reason: 'no-media' }
  return { podcastId, episodeId: make(batch, podcastId, ref, address) }
}

/** Everybody sees the episode, so a plain account makes one only in podcasts that it has added itself. */
const mayMakeIn = (batch: Batch, podcastId: number) =>
  writesLibrary(batch) || batch.store.podcasts.find(podcastId)?.added_by === batch.move.user_id

function make(batch: Batch, podcastId: number, ref: EpisodeRef, address: string): number {
  const { store, finder, now, count } = batch
  const facts = factsOf(ref, address, guidFor(batch, podcastId, ref, address))
  const id = store.episodes.add(podcastId, facts, Math.min(ref.publishedAt ?? now(), now()), now())
  store.episodes.markInFeed([id], false)
  finder.add(podcastId, { id, ...facts })
  noteChange(batch, 'episode', { podcast_id: podcastId, episode_id: id })
  count('episodes', ref.feed, taken)
  return id
}

/** The source's guid, or one made from the address if there is none or another episode has it. */
function guidFor({ finder }: Batch, podcastId: number, { guid, title }: EpisodeRef, address: string): string {
  const place = address.replace(/^https?:\/\//i, '')
  const first = fitGuid(guid ?? place)
  const others = [`${first}#${place}`, `${first}#${Bun.hash(`${address} ${title ?? ''}`).toString(36)}`].map(fitGuid)
  const free = [first, ...others].find(candidate => !finder.hasGuid(podcastId, candidate))
  return free ?? `${first.slice(0, 1900)}#${crypto.randomUUID()}`
}

const factsOf = (ref: EpisodeRef, address: string, guid: string): EpisodeFacts => ({
  guid,
  feed_guid: ref.guid === null ? null : fitGuid(ref.guid),
  title: ref.title ?? address.split(/[/?#]/).findLast(part => part !== '') ?? address,
  notes: safeNotes((ref.notes ?? '').slice(0, MAX_NOTES), ref.feed),
  link: webAddress(ref.link ?? null),
  author: ref.author ?? null,
  enclosure_url: address,
  enclosure_type: /^(audio|video)\/[\w.+-]{1,60}$/i.test(ref.type ?? '') ? ref.type! : null,
  enclosure_size: null,
  image_url: null,
  announced_at: ref.publishedAt,
  duration: ref.duration ?? 0,
  season: null,
  number: ref.number ?? null,
  type: 'full',
  explicit: 0,
  chapters_url: null,
  transcripts: null,
  extras: null,
  aside: 0,
  // No feed gives this digest, so the next reading that lists the episode updates its description.
  digest: '',
})

/** Only a folder that was imported here has such addresses. */
const folderAddress = ({ move }: Batch, address: string | null): string | null =>
  move.source === 'folder' && isFolderAddress(address ?? '') ? address : null

function webAddress(given: string | null): string | null {
  const url = URL.parse(given ?? '')
  const isWeb = url !== null && (url.protocol === 'http:' || url.protocol === 'https:')
  return isWeb && url.href.length <= 4096 ? url.href : null
}
