import { describeError } from '../platform/log'
import type { MoveRow, PlacedChange } from '../store/moves'
import { noteAdded } from './add-podcasts'
import { noteProgress, type MovingNeeds } from './needs'
import { secondOf, type Undone, type UndoBatch } from './undo/batch'
import { countOf, type UndoApart } from './undo/apart'
import { undoCover } from './undo/cover'
import { undoFile } from './undo/file'
import { undoing } from './undo/kinds'
import { undoPodcast } from './undo/podcast'
import { undoUser } from './undo/user'

// Why: docs/internals/decisions/0030

/** Changes of one transaction: others write in between. */
const UNDONE_AT_ONCE = 50

/** Kinds that are taken back one by one: they have files, or end what an account has open. */
const apart: Record<string, UndoApart> = { podcast: undoPodcast, file: undoFile, cover: undoCover, user: undoUser }

/**
 * Takes back what a move made or changed, from the last change to the first, as far as people have not changed it
 * since. Each transaction also stores how far it came. `mayContinue` says whether the next one may begin.
 */
export async function undoMove(needs: MovingNeeds, move: MoveRow, mayContinue: () => boolean) {
  const { store } = needs
  await store.whenWritable()
  store.inTransaction(() => noteUnsettled(needs, move))
  // A process that was killed may have brought a file that nothing names.
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
    const { queues, texts } = await store.inTurn(() => undoAll(needs, move, some))
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
    const outcome = { state, podcast_id: podcast?.id ?? null, error_code: null, message: null } as const
    store.moves.settlePodcast(move.id, place, outcome)
    if (isAdded) noteAdded(store, move.id, podcast.id, { title: null, feedTitle: podcast.title, active: 1 })
  }
}

/** Takes some changes back, within one transaction. */
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

/** Takes one change back, or nothing of it: what fails stays, and the rest continues. */
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
