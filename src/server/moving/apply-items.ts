import { collectGarbage } from '../platform/garbage'
import type { MoveRow } from '../store/moves'
import type { UserRow } from '../store/users'
import { addressKey } from '../sync/addresses'
import { applyItem } from './apply'
import { noNews, type Batch, type News, type Outcome } from './apply/batch'
import { createEpisodeFinder } from './find-episode'
import type { Item, Kind } from './item'
import type { MovingNeeds } from './needs'

/** Items of one transaction: others write in between. */
export const BATCH = 50
/** Changes that one item can make: an episode, a playlist, its place in it. */
const CHANGES_OF_AN_ITEM = 4
/** Garbage that an item leaves behind, in bytes. */
const LEFT_BEHIND = 8000

/**
 * Applies the items of a source from where the move stands. Each transaction also stores how far it came, so that an
 * item is applied exactly once, whenever the process ends. `mayContinue` says whether the next one may begin.
 */
export async function applyItems(
  needs: MovingNeeds,
  move: MoveRow,
  items: AsyncIterable<Item>,
  mayContinue: () => boolean,
) {
  const { store } = needs
  const begin = createBatches(needs, move)
  publishNews(needs, newsOfLastBatch(needs, move))
  let pending: Item[] = []
  let seen = 0
  for await (const item of items) {
    if (seen++ < move.applied) continue
    pending.push(item)
    if (pending.length < BATCH) continue
    if (!mayContinue()) return
    await applyAll(seen - pending.length)
  }
  if (mayContinue()) await applyAll(seen - pending.length)

  async function applyAll(first: number) {
    const news = await store.inTurn(() => {
      const { batch, storeCounts } = begin(first)
      for (const item of pending) {
        applyItem(batch, item)
        batch.item++
      }
      storeCounts()
      store.moves.setApplied(move.id, first + pending.length)
      return batch.news
    })
    pending = []
    publishNews(needs, news)
    collectGarbage(BATCH * LEFT_BEHIND)
  }
}

/** Returns what begins a transaction at an item of the source. */
function createBatches({ store, playback, now, readsFeeds }: MovingNeeds, move: MoveRow) {
  const finder = createEpisodeFinder(store)
  const podcasts = new Map(store.moves.podcastsOf(move.id).map(row => [addressKey(row.feed_url), row]))
  return (item: number) => {
    finder.begin()
    const counts = new Map<string, { feed: string; kind: Kind; outcome: Outcome; total: number }>()
    const users = new Map<string | null, UserRow | null>()
    const batch: Batch = {
      store,
      playback,
      now,
      move,
      finder,
      item,
      news: noNews(),
      podcastOf: feed => podcasts.get(addressKey(feed))?.podcast_id ?? null,
      isUnknown: feed => !readsFeeds && podcasts.get(addressKey(feed))?.state === 'unread',
      userOf: name => users.getOrInsertComputed(name, () => findUser(store, move, name)),
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

function findUser(store: MovingNeeds['store'], move: MoveRow, name: string | null): UserRow | null {
  return name === null || name === move.own_name ? store.users.find(move.user_id) : store.users.findByName(name)
}

/** Publishes what was committed. */
function publishNews({ publish }: MovingNeeds, { positions, finished, favoured, queues }: News) {
  for (const { userId, podcastId } of favoured)
    publish({ type: 'podcastFavoured', userId, podcastId, favoured: true, source: 'import' })
  for (const one of positions.values()) publish({ type: 'episodesMarked', ...one, source: 'import' })
  for (const [userId, episodeIds] of finished)
    publish({ type: 'episodesFinished', userId, episodeIds, source: 'import' })
  for (const [userId, version] of queues) publish({ type: 'queueChanged', userId, version })
}

/** Finds the news of the last transaction, which was not published if the process ended right after it. */
function newsOfLastBatch({ store }: MovingNeeds, { id, applied }: MoveRow): News {
  const news = noNews()
  for (const change of store.moves.changesSince(id, applied - BATCH, BATCH * CHANGES_OF_AN_ITEM)) {
    const { kind, user_id: userId, podcast_id: podcastId, episode_id: episodeId } = change
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
