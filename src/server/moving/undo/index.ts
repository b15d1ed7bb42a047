import { DAY } from '../../platform/clock'
import { describeError } from '../../platform/log'
import { notFound, Problem } from '../../platform/problem'
import type { MoveRow, PlacedChange } from '../../store/moves'
import type { UserRow } from '../../store/users'
import { isBusy } from '../../store/writing'
import { noFailure, noteAdded } from '../add-podcasts'
import { leftText } from '../moved-tables'
import { type MovingNeeds, noteProgress } from '../needs'
import { countOf, type KeptReason, secondOf, settleApart, type UndoApart, type UndoBatch, type Undone } from './batch'
import { undoFile } from './file'
import { undoing, undoPodcast } from './kinds'

const UNDOABLE_MS = DAY

/** The time until which a move that has ended can be undone; null = it can't be, or need not be. */
export function undoableUntil({ now }: Pick<MovingNeeds, 'now'>, move: MoveRow): number | null {
  const hasEnded = move.begun && (move.state === 'done' || move.state === 'failed')
  if (!hasEnded || move.finished_at === null) return null
  const until = move.finished_at + UNDOABLE_MS
  return until > now() ? until : null
}

/** A move that a person may undo now. Throws `move-not-found`, `move-state`, `move-too-old` and `move-undone`. */
export function requireUndoable(
  { store, now }: Pick<MovingNeeds, 'store' | 'now'>,
  user: UserRow,
  id: number,
): MoveRow {
  const move = store.moves.find(id)
  if (!move || (move.user_id !== user.id && user.role !== 'admin')) throw notFound('move')
  if (!move.begun) throw new Problem('move-state', 'This import has not begun')
  if (move.state === 'undone') throw new Problem('move-undone', 'This import was undone already')
  if (move.state !== 'undoing' && move.finished_at !== null && now() - move.finished_at > UNDOABLE_MS)
    throw new Problem('move-too-old', 'An import can be undone for 24 hours')
  return move
}

/** Undoes a move as far as possible; if it fails, it can be continued from where it stopped. */
export async function takeBack(needs: MovingNeeds, move: MoveRow, mayContinue: () => boolean) {
  const { store, log } = needs
  try {
    await undoMove(needs, move, mayContinue)
  } catch (error) {
    // Another process was writing: the caller tries again, from where this stopped.
    if (isBusy(error)) throw error
    log.error('Undoing an import failed', { source: move.source, error: describeError(error) })
    await store.whenWritable()
    store.moves.giveUpUndo(move.id, 'Internal error; the log has the details. Undo it again.')
  }
}

// Why: docs/internals/decisions/0030

/** Changes of one transaction: others write in between. */
const UNDONE_AT_ONCE = 50

/**
 * Undoes what a move made or changed, from the last change to the first, as far as people have not changed it since.
 * Each transaction also stores its progress. `mayContinue` says whether the next one may begin.
 */
async function undoMove(needs: MovingNeeds, move: MoveRow, mayContinue: () => boolean) {
  const { store } = needs
  await store.whenWritable()
  store.inTransaction(() => noteUnsettled(needs, move))
  // A process that was killed may have imported a file that is not recorded.
  if (move.files !== null) await needs.disk.forgotten.recover()
  let place = move.undo_place
  while (mayContinue()) {
    await store.whenWritable()
    const changes = store.moves.changesBefore(move.id, place, UNDONE_AT_ONCE)
    const [last] = changes
    noteProgress(needs, move)
    if (!last) return void store.moves.endUndo(move.id, needs.now())
    const undoApart = apart[last.kind]
    if (undoApart) {
      await undoApart(needs, move, last)
      await Bun.sleep(0)
      place = last.place
      continue
    }
    const next = changes.findIndex(({ kind }) => kind in apart)
    const some = next === -1 ? changes : changes.slice(0, next)
    const { queues, texts, positions } = await store.inTurn(() => undoAll(needs, move, some))
    for (const [userId, episodeIds] of positions) needs.publish({ type: 'positionsRestored', userId, episodeIds })
    for (const [userId, version] of queues) needs.publish({ type: 'queueChanged', userId, version })
    for (const episodeId of texts) needs.publish({ type: 'textsStored', episodeId })
    place = some.at(-1)!.place
  }
}

/** Notes podcasts that a cancelled move had added and not yet noted: a process that was killed leaves them so. */
function noteUnsettled({ store, addresses }: MovingNeeds, move: MoveRow) {
  const waiting = store.moves.podcastsOf(move.id).filter(({ state }) => state === 'waiting')
  if (waiting.length === 0) return
  const find = addresses.finder()
  for (const { place, feed_url } of waiting) {
    const podcast = store.podcasts.find(find(feed_url)?.podcastId ?? 0)
    const isAdded =
      podcast !== null &&
      podcast.id > move.last_podcast &&
      podcast.added_by === move.user_id &&
      podcast.added_at <= move.finished_at!
    const state = isAdded ? 'added' : 'refused'
    const outcome = { state, podcast_id: podcast?.id ?? null, ...noFailure } as const
    store.moves.settlePodcast(move.id, place, outcome)
    if (isAdded) noteAdded(store, move.id, podcast.id, { title: null, feedTitle: podcast.title, active: 1 })
  }
}

/** Undoes some changes, within one transaction. */
function undoAll(needs: MovingNeeds, move: MoveRow, changes: readonly PlacedChange[]): UndoBatch {
  const { store, sync } = needs
  const onDevices = new Map<number, ReadonlySet<number | null>>()
  const batch: UndoBatch = {
    store,
    move,
    sync,
    now: needs.now(),
    onDevicesOf: userId =>
      onDevices.getOrInsertComputed(userId, () => sync.subscriptions.onDevicesSince(userId, secondOf(move))),
    positions: new Map(),
    unfavoured: new Map(),
    texts: [],
    queues: new Map(),
  }
  const feedOf = createFeedOf(needs)
  for (const change of changes) {
    const { name, isPart = false } = undoing[change.kind] ?? { name: change.kind }
    const feed = feedOf(change)
    const undone = undoOne(needs, batch, change)
    const count = countOf(name, feed, undone)
    if (!isPart || count.outcome === 'kept') store.moves.countUndo(move.id, count)
  }
  passOn(batch)
  store.moves.setUndoPlace(move.id, changes.at(-1)!.place)
  return batch
}

/** Undoes one change completely or not at all: one that fails stays, and the rest continues. */
function undoOne({ store, log }: MovingNeeds, batch: UndoBatch, change: PlacedChange): Undone {
  const undo = undoing[change.kind]?.undo
  if (!undo) return 'unknown-kind'
  try {
    return store.inTransaction(() => undo(batch, change))
  } catch (error) {
    log.error('A change of an import could not be undone', { kind: change.kind, error: describeError(error) })
    return 'unexpected'
  }
}

/** Notifies podcast apps, in the same transaction: a process that is killed right after it has notified them. */
function passOn({ store, sync, move, positions, unfavoured }: UndoBatch) {
  for (const [userId, podcastIds] of unfavoured) sync.subscriptions.unfollow(userId, podcastIds, secondOf(move))
  for (const [userId, episodeIds] of positions)
    if (store.sync.hasBegun(userId)) sync.actions.takeBackPositions(userId, episodeIds)
}

function createFeedOf({ store }: MovingNeeds) {
  const feeds = new Map<number, string>()
  return ({ podcast_id, episode_id }: PlacedChange): string => {
    const id = podcast_id ?? (episode_id === null ? null : (store.sync.findKnown(episode_id)?.podcast_id ?? null))
    return id === null ? '' : feeds.getOrInsertComputed(id, () => store.podcasts.find(id)?.feed_url ?? '')
  }
}

/**
 * Removes a cover that the move imported from a folder, if it is still in use. It belongs to a file, which is counted.
 */
const undoCover: UndoApart = async ({ store, disk }, move, change) => {
  const { podcast_id: id, after: address } = change
  const digest = store.covers.find(id!, address!)?.digest
  store.inTransaction(() => {
    if (store.podcasts.find(id!)?.image_url === address) {
      store.podcasts.setImage(id!, null)
      store.covers.forget(id!, address!)
    }
    store.moves.setUndoPlace(move.id, change.place)
  })
  if (digest) await disk.dropCovers([digest])
}

/**
 * Removes an account that the move made, unless it was used or changed since. It is handled after everything that it
 * got.
 */
const undoUser: UndoApart = async (needs, move, change) => {
  const { store } = needs
  const id = change.user_id!
  const settle = (outcome: Undone) => settleApart(store, move, change, { name: 'users', feed: '', outcome })
  const user = store.users.find(id)
  if (!user) return store.inTransaction(() => settle('gone'))
  try {
    needs.removeUser(user, () => {
      const use = useOf(needs, id, change.after)
      settle(use ?? 'undone')
      return use === null
    })
  } catch (error) {
    const reason = keptReasonOf(error)
    if (reason === null) throw error
    store.inTransaction(() => settle(reason))
  }
}

/** Kinds that are undone one by one: they have files, or end what an account has open. */
const apart: Record<string, UndoApart> = { podcast: undoPodcast, file: undoFile, cover: undoCover, user: undoUser }

/** A password, a role, a key and settings are in its row; a first sign-in replaces the old hash there. */
function useOf({ store }: MovingNeeds, id: number, left: string | null): KeptReason | null {
  if (leftText('user', JSON.stringify(store.users.find(id))) !== left) return 'changed'
  return store.moves.isUserActive(id) ? 'not-empty' : null
}

function keptReasonOf(error: unknown): KeptReason | null {
  if (!(error instanceof Problem)) return null
  if (error.code === 'last-admin') return 'last-admin'
  return error.code === 'account-read-only' ? 'changed' : null
}
