import { fitGuid } from '../../feeds/parse/values'
import { safeNotes } from '../../feeds/parse/notes'
import type { EpisodeFacts } from '../../store/episodes'
import { isFolderAddress } from '../../store/feeds'
import type { EpisodeRef } from '../item'
import { findEpisode, noteChange, taken, writesLibrary, type Batch, type Found } from './batch'

/** Notes are sanitised within the transaction, and sources give no more. */
const MAX_NOTES = 20_000

/**
 * Finds the episode that a source means, or makes it of the source's own row: the feed has dropped it, and it exists
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

/** Everybody sees the episode: a plain account makes one only in podcasts that it has added itself. */
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

/** The source's guid, or one made of the address where there is none or another episode has it. */
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
  // No reading of a feed has this digest: one that lists the episode again describes it anew.
  digest: '',
})

/** Only a folder that was read here has such addresses. */
const folderAddress = ({ move }: Batch, address: string | null): string | null =>
  move.source === 'folder' && isFolderAddress(address ?? '') ? address : null

function webAddress(given: string | null): string | null {
  const url = URL.parse(given ?? '')
  const isWeb = url !== null && (url.protocol === 'http:' || url.protocol === 'https:')
  return isWeb && url.href.length <= 4096 ? url.href : null
}
