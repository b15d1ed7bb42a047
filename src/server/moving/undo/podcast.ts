import { describeError } from '../../platform/log'
import { Problem } from '../../platform/problem'
import type { MoveRow, PlacedChange } from '../../store/moves'
import type { PodcastRow } from '../../store/podcasts'
import { addressKey } from '../../sync/addresses'
import { isFolderAddress } from '../../store/feeds'
import { allInherited } from '../../store/podcast-settings'
import { type AddedPodcast, settingsOfFolder } from '../add-podcasts'
import type { MovingNeeds } from '../needs'
import { type KeptReason, secondOf, settleApart, type UndoApart, type Undone } from './batch'

/** SQLite reads a negative limit as none. */
const ALL = -1

/**
 * Removes a podcast that the move added, with its files, unless somebody uses it by now. The outcome is stored in the
 * transaction that removes it.
 */
export const undoPodcast: UndoApart = async (needs, move, change) => {
  const { store, log } = needs
  const podcast = store.podcasts.find(change.podcast_id!)
  const settle = (outcome: Undone) => settlePodcast(needs, move, change, podcast, outcome)
  const keep = (reason: KeptReason) => store.inTransaction(() => settle(reason))
  if (!podcast) return store.inTransaction(() => settle('gone'))
  const use = useOf(needs, move, change, podcast)
  if (use !== null) return keep(use)
  // Files that were here before the podcast stay, and are described for the next time that it is added.
  const withFiles = podcast.file_count > 0 && !store.moves.hasFoundFiles(podcast.id)
  try {
    // In pieces, since there may be many; few more are reported before the removal.
    await store.inPieces(most => needs.sync.actions.forgetReportsOfPodcast(podcast.id, most))
    const confirm = () => {
      const usedNow = useOf(needs, move, change, podcast)
      if (usedNow === null) endSync(needs, move, podcast)
      settle(usedNow ?? 'undone')
      return usedNow === null
    }
    await needs.removePodcast(podcast, withFiles, { confirm, source: 'import' })
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'media-folder-absent') throw error
    log.warn('A podcast of an import could not be removed', { podcast: podcast.title, error: describeError(error) })
    keep('media-folder-absent')
  }
}

/** Finds the use that keeps a podcast, now that everything else of the move is undone; null = it can go. */
function useOf(needs: MovingNeeds, move: MoveRow, change: PlacedChange, podcast: PodcastRow): KeptReason | null {
  const { store, sync } = needs
  const { id, added_by: owner } = podcast
  const { title, active } = addedOf(change, podcast)
  const now = store.podcasts.find(id)!
  const isRenamed = now.renamed === 1 && now.title !== title
  if (isRenamed || now.active !== active) return 'changed'
  if (isFavourite(needs, move, id)) return 'favourite'
  if (owner !== null && sync.subscriptions.onDevicesSince(owner, secondOf(move)).has(id)) return 'on-a-device'
  const own = isFolderAddress(now.feed_url) ? settingsOfFolder : allInherited
  if (!Bun.deepEquals(store.podcastSettings.of(id), own)) return 'set-up'
  const use = store.moves.useOfPodcast(id, move.started_at)
  if (use !== null || now.file_count === 0) return use
  // A file that was moved here may be the only one there is, and without a feed no other podcast finds it again.
  const isTheirPlace = isFolderAddress(now.feed_url) || store.moves.hasKeptFiles(move.id, now.feed_url)
  return isTheirPlace ? 'files-stay' : null
}

const addedOf = ({ after }: PlacedChange, { title, active }: PodcastRow): AddedPodcast =>
  after === null ? { title, feedTitle: title, active } : (JSON.parse(after) as AddedPodcast)

/** Whether anybody favours it. Those whose apps were subscribed before the move favour it automatically. */
function isFavourite({ store }: MovingNeeds, move: MoveRow, podcastId: number): boolean {
  const users = store.moves.favouringUsers(podcastId)
  if (users.length === 0) return false
  const keys = store.sync.feedsOf(podcastId).map(addressKey)
  const before = store.sync.subscribersOf(keys, secondOf(move))
  return users.some(user => !before.includes(user))
}

/** Notifies phones that the podcast is gone, and nobody any more what the library knew of it. */
function endSync({ store, sync }: MovingNeeds, move: MoveRow, { id, added_by: owner }: PodcastRow) {
  if (owner !== null) sync.subscriptions.unfollow(owner, new Set([id]), secondOf(move))
  sync.actions.forgetReportsOfPodcast(id, ALL)
  store.notifications.removeOfPodcast(id)
}

/** Counts the outcome, and puts title and checks of a podcast back that stays. */
function settlePodcast(
  { store, now }: MovingNeeds,
  move: MoveRow,
  change: PlacedChange,
  podcast: PodcastRow | null,
  outcome: Undone,
) {
  settleApart(store, move, change, { name: 'podcasts', feed: podcast?.feed_url ?? '', outcome })
  if (!podcast || outcome === 'undone') return
  const { title, feedTitle, active } = addedOf(change, podcast)
  const present = store.podcasts.find(podcast.id)!
  if (present.renamed && present.title === title) store.moves.unname(podcast.id, feedTitle)
  const isPaused = active === 0 && present.active === 0
  if (isPaused && !isFolderAddress(present.feed_url)) store.podcasts.setActive(podcast.id, true, now())
}
