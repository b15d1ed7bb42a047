import type { Move, MoveCount, MoveOptions, MovePodcast } from '../../../shared/api/move'
import type { Context } from '../../context'
import { filesOf } from '../../moving/arrivals'
import { kinds } from '../../moving/item'
import { sources } from '../../moving/sources'
import type { Store } from '../../store'
import type { UndoCountRow } from '../../store/move-undo'
import type { MoveCountRow, MoveRow } from '../../store/moves'
import { writeInstant, writeInstantOrNull } from '../core/instants'

export function presentMove({ store, moves, begun }: Pick<Context, 'store' | 'moves' | 'begun'>, move: MoveRow): Move {
  const { total, waiting } = store.moves.podcastTotals(move.id)
  return {
    id: move.uuid,
    state: move.state,
    source: sources.find(({ name }) => name === move.source)?.title ?? null,
    file: move.file_name,
    bytes: move.bytes,
    received: move.state === 'receiving' ? moves.received(move) : (move.bytes ?? 0),
    startedAt: writeInstant(move.started_at),
    finishedAt: writeInstantOrNull(move.finished_at),
    begun: move.begun === 1,
    setAside: begun.isSetAside('move', move.uuid),
    message: move.message,
    podcasts: { total, done: total - waiting },
    items: { total: move.items, applied: move.applied },
    options: presentOptions(move),
    counts: presentCounts(store.moves.totalsByKind(move.id)),
    undoableUntil: writeInstantOrNull(moves.undoableUntil(move)),
    undone: presentUndone(store.moves.undoCountsOf(move.id)),
  }
}

function presentOptions(move: MoveRow): MoveOptions {
  const [folder] = filesOf(move)?.folders ?? []
  return { withPeople: move.with_users === 1, files: folder ? { there: folder.from, here: folder.to } : null }
}

function presentUndone(rows: readonly UndoCountRow[]): Move['undone'] {
  const sum = (own: readonly UndoCountRow[]) => own.reduce((total, row) => total + row.total, 0)
  return kinds.flatMap(kind => {
    const own = rows.filter(row => row.kind === kind)
    const kept = sum(own.filter(({ outcome }) => outcome === 'kept'))
    return own.length > 0 ? [{ kind, undone: sum(own) - kept, kept }] : []
  })
}

/** Puts the outcomes of each kind together, in the order in which people want to read them. */
function presentCounts(rows: readonly Omit<MoveCountRow, 'feed_url'>[]): MoveCount[] {
  return kinds.flatMap(kind => {
    const own = rows.filter(row => row.kind === kind)
    const sum = (outcome: MoveCountRow['outcome']) =>
      own.filter(row => row.outcome === outcome).reduce((total, row) => total + row.total, 0)
    const reasons = own.filter(({ reason }) => reason !== '').map(({ reason, total }) => ({ reason, total }))
    const count = { kind, taken: sum('taken'), present: sum('present'), leftOut: sum('left-out'), reasons }
    return own.length > 0 ? [count] : []
  })
}

export function presentMovePodcasts(store: Store, move: MoveRow): MovePodcast[] {
  const totals = Map.groupBy(store.moves.totalsByFeed(move.id), ({ feed_url }) => feed_url)
  return store.moves.reportOf(move.id).map(row => {
    const of = (outcome: MoveCountRow['outcome']) =>
      totals.get(row.feed_url)?.find(total => total.outcome === outcome)?.total ?? 0
    const { feed_url: feedUrl, own_title, title, state, error_code: errorCode, message } = row
    return {
      feedUrl,
      title: row.here ?? own_title ?? title,
      state,
      podcastId: row.uuid,
      errorCode,
      message,
      taken: of('taken'),
      present: of('present'),
      leftOut: of('left-out'),
    }
  })
}
