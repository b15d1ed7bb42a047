import { collectGarbage } from '../platform/engine'
import type { MoveRow } from '../store/moves'
import { nameKey, type UserRow } from '../store/users'
import { addressKey } from '../sync/addresses'
import { join } from 'node:path'
import { applyItem, preparePasswords } from './apply'
import { type Batch, type News, noNews, type Outcome, type Passwords } from './apply/batch'
import { filesOf, loginOf } from './other-server'
import { createEpisodeFinder } from './find-episode'
import type { Item, Kind } from './item'
import { applyFile, type Bringing, finishLastFile, type Transact } from './files/apply-file'
import { createFileFinder, type FileFinder } from './files/find-file'
import { type MovingNeeds, noteProgress } from './needs'
import type { Store } from '../store'

/** Items per transaction: others write in between. */
export const BATCH = 50
/** Changes that one item can make: an episode, a playlist, its place in it. */
const CHANGES_OF_AN_ITEM = 4
/** Garbage, in bytes, that an item leaves, a segment of a transcript, and an item with a file. */
const LEFT_BEHIND = 16_000
const LEFT_BEHIND_BY_SEGMENT = 1000
const LEFT_BEHIND_BY_FILE = 200_000

/**
 * Applies the items of a source from where the move stopped. Each transaction also stores its progress, so that an item
 * is applied exactly once, whenever the process ends. `mayContinue` says whether the next one may begin.
 */
export async function applyItems(
  needs: MovingNeeds,
  move: MoveRow,
  items: AsyncIterable<Item>,
  mayContinue: () => boolean,
  signal: AbortSignal,
) {
  const { store } = needs
  const accounts = createAccounts(store, move)
  const begin = createBatches(needs, move, accounts)
  publishNews(needs, move, newsOfLastBatch(needs, move))
  const bringFile = await createBringing(needs, move, begin, signal)
  if (bringFile && needs.readsFeeds) await finishLastFile(needs, move)
  let pending: Item[] = []
  let seen = 0
  for await (const item of items) {
    accounts.note(item)
    if (seen++ < move.applied) continue
    const isBrought = bringFile !== null && item.is === 'file'
    if (!isBrought) pending.push(item)
    // A transcript is as long as the rest of a transaction together.
    if (pending.length < BATCH && !isBrought && item.is !== 'transcript') continue
    if (!mayContinue()) return
    if (pending.length > 0) await applyAll(seen - pending.length - Number(isBrought))
    if (!isBrought) continue
    await applyFile(bringFile(seen - 1), item)
    noteProgress(needs, move)
    collectGarbage(LEFT_BEHIND_BY_FILE)
  }
  if (mayContinue() && pending.length > 0) await applyAll(seen - pending.length)

  async function applyAll(first: number) {
    const passwords = await preparePasswords(store, move, pending)
    const news = await store.inTurn(() => {
      const { batch, storeCounts } = begin(first, passwords)
      for (const item of pending) {
        applyItem(batch, item)
        batch.item++
      }
      storeCounts()
      store.moves.setApplied(move.id, first + pending.length)
      return batch.news
    })
    const garbage = pending.reduce((sum, item) => sum + leftBehindBy(item), 0)
    pending = []
    publishNews(needs, move, news)
    noteProgress(needs, move)
    collectGarbage(garbage)
  }
}

const leftBehindBy = (item: Item) =>
  LEFT_BEHIND + (item.is === 'transcript' ? item.segments.length * LEFT_BEHIND_BY_SEGMENT : 0)

type Batches = ReturnType<typeof createBatches>

/** Returns the parts needed to import the file of an item; null for a move without files. */
async function createBringing(
  needs: MovingNeeds,
  move: MoveRow,
  begin: Batches,
  signal: AbortSignal,
): Promise<((item: number) => Bringing) | null> {
  const options = filesOf(move)
  if (options === null) return null
  const { folders, way } = options
  const finder = (way === 'fetched' && (await openFetched(needs, move, signal))) || createFileFinder(folders)
  return item => {
    const transact: Transact = work =>
      needs.store.inTurn(() => {
        const { batch, storeCounts } = begin(item, new Map())
        const result = work(batch)
        storeCounts()
        return result
      })
    return { needs, finder, way, transact }
  }
}

/** A rehearsal expects of another Castellan what it promises. */
async function openFetched(needs: MovingNeeds, move: MoveRow, signal: AbortSignal): Promise<FileFinder | null> {
  const { promisedFiles, openFetcher } = await import('./servers')
  if (!needs.readsFeeds) return promisedFiles
  const login = loginOf(needs, move)
  const { reserveBytes } = needs.disk
  return (
    login &&
    openFetcher(needs.outbound, login, { folder: join(needs.folder, move.uuid, 'files'), reserveBytes, signal })
  )
}

/** Returns the function that begins a transaction at an item of the source. */
function createBatches(
  { store, playback, now, names, readsFeeds }: MovingNeeds,
  move: MoveRow,
  accounts: Pick<Accounts, 'find'>,
) {
  const finder = createEpisodeFinder(store)
  const podcasts = new Map(store.moves.podcastsOf(move.id).map(row => [addressKey(row.feed_url), row]))
  return (item: number, passwords: Passwords) => {
    finder.begin()
    const counts = new Map<string, { feed: string; kind: Kind; outcome: Outcome; total: number }>()
    const users = new Map<string | null, UserRow>()
    const batch: Batch = {
      store,
      playback,
      now,
      names,
      passwords,
      move,
      finder,
      item,
      news: noNews(),
      podcastOf: feed => podcasts.get(addressKey(feed))?.podcast_id ?? null,
      isUnknown: feed => !readsFeeds && podcasts.get(addressKey(feed))?.state === 'unread',
      userOf(name) {
        const found = users.get(name) ?? accounts.find(name)
        if (found) users.set(name, found)
        return found
      },
      count(kind, feed, outcome) {
        const key = `${kind} ${outcome.is} ${'reason' in outcome ? outcome.reason : ''} ${feed ?? ''}`
        counts.getOrInsertComputed(key, () => ({ feed: feed ?? '', kind, outcome, total: 0 })).total++
      },
    }
    function storeCounts() {
      for (const { feed, kind, outcome, total } of counts.values()) {
        const reason = 'reason' in outcome ? outcome.reason : ''
        store.moves.count(move.id, { feed_url: feed, kind, outcome: outcome.is, reason, total })
      }
    }
    return { batch, storeCounts }
  }
}

/** Publishes what was committed. */
function publishNews({ publish, store }: MovingNeeds, { user_id }: MoveRow, news: News) {
  const { users, positions, finished, favoured, queues, texts } = news
  const actor = users.length > 0 ? store.users.find(user_id) : null
  for (const about of users)
    publish({ type: 'recorded', kind: 'user-added', ...(actor && { actor }), about, via: 'import', detail: about.role })
  for (const { userId, podcastId } of favoured)
    publish({ type: 'podcastFavoured', userId, podcastId, favoured: true, source: 'import' })
  for (const one of positions.values()) publish({ type: 'episodesMarked', ...one, source: 'import' })
  for (const [userId, episodeIds] of finished)
    publish({ type: 'episodesFinished', userId, episodeIds, source: 'import' })
  for (const [userId, version] of queues) publish({ type: 'queueChanged', userId, version })
  for (const episodeId of texts) publish({ type: 'textsStored', episodeId })
}

/** Finds the news of the last transaction, which was not published if the process ended right after it. */
function newsOfLastBatch({ store }: MovingNeeds, { id, applied }: MoveRow): News {
  const news = noNews()
  for (const change of store.moves.changesSince(id, applied - BATCH, BATCH * CHANGES_OF_AN_ITEM)) {
    const { kind, user_id: userId, podcast_id: podcastId, episode_id: episodeId } = change
    if (kind === 'transcript' && episodeId !== null) news.texts.push(episodeId)
    if (userId === null) continue
    if (kind === 'subscription' && podcastId !== null) news.favoured.push({ userId, podcastId })
    const episode = kind === 'position' && episodeId !== null ? store.episodes.find(episodeId) : null
    if (!episode) continue
    const key = `${userId} ${episode.podcast_id}`
    const known = news.positions.getOrInsertComputed(key, () => ({
      userId,
      podcastId: episode.podcast_id,
      episodeIds: [],
    }))
    known.episodeIds.push(episode.id)
    if (store.playback.find(userId, episode.id)?.finished)
      news.finished.getOrInsertComputed(userId, () => []).push(episode.id)
  }
  return news
}

type Accounts = ReturnType<typeof createAccounts>

/**
 * Finds the accounts of the people of a source, all of whom are noted first. Bob and bob may be two people there and
 * one account here: it belongs to the one with the same spelling, and the other has none.
 */
function createAccounts({ users }: Store, { own_name, user_id, authority }: MoveRow) {
  const spellings = new Map<string, Set<string>>()
  return {
    note(item: Item) {
      if (item.is === 'user') spellings.getOrInsertComputed(nameKey(item.name), () => new Set()).add(item.name)
    },
    /**
     * Null = nobody by name, which means the person who imports. Accounts of others are found only for a move that may
     * write into them.
     */
    find(name: string | null): UserRow | null {
      if (name === null || name === own_name) return users.find(user_id)
      const found = users.findByName(name)
      const isOneOfSeveral = (spellings.get(nameKey(name))?.size ?? 0) > 1
      if (isOneOfSeveral && found?.username !== name) return null
      return authority === 'everybody' || found?.id === user_id ? found : null
    },
  }
}
