import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { WorkItem } from '../begun-work'
import { describeError, logFailure } from '../platform/log'
import { Problem } from '../platform/problem'
import type { MoveFailure, MoveRow } from '../store/moves'
import { isBusy } from '../store/writing'
import type { UserRow } from '../store/users'
import { addPodcasts } from './add-podcasts'
import { COPY } from './copy-source'
import { type MovingNeeds, noteProgress } from './needs'
import { readSource } from './read-source'
import { MoveRefused } from './item'
import { takeBack } from './undo'

/** A mover at work. `running`: the move that is being worked on, and what ends the reading of its file. */
export type Mover = MovingNeeds & {
  running: Map<number, { done: Promise<void>; cancel: AbortController }>
  stopping: AbortController
}

/** The note of a move that is being worked on, or whose file is being read. */
export const itemOf = ({ uuid, file_name, source }: MoveRow): WorkItem => ({
  kind: 'move',
  key: uuid,
  label: file_name ?? source ?? uuid,
})

/** Finds the oldest move to be worked on that was not set aside. */
export const nextOf = ({ store, begun }: Mover): MoveRow | undefined =>
  store.moves.running().find(({ uuid }) => !begun.isSetAside('move', uuid))

/** Works on a move, unless another one is under way. */
export function run(mover: Mover, move: MoveRow) {
  const { running, log } = mover
  if (running.size > 0 || mover.stopping.signal.aborted) return
  const cancel = new AbortController()
  const signal = AbortSignal.any([cancel.signal, mover.stopping.signal])
  const done = mover.begun
    .run(
      itemOf(move),
      () => workUntilWritten(mover, move, signal),
      () => {},
    )
    .catch(logFailure(log, 'Move failed'))
    .finally(() => {
      running.delete(move.id)
      const next = nextOf(mover)
      if (next && (next.id !== move.id || next.state !== move.state)) run(mover, next)
    })
  running.set(move.id, { done, cancel })
}

/** Ends the reading of a file whose move was cancelled or removed, perhaps by another process. */
export function cancelAbandoned({ running, store }: Mover) {
  for (const [id, { cancel }] of running) if (!isUnderWay(store.moves.find(id))) cancel.abort()
}

const isUnderWay = (move: MoveRow | null) => move?.state === 'adding' || move?.state === 'applying'

/** Works on a move; where another process came first with its writing, continues from there as after a restart. */
async function workUntilWritten(mover: Mover, move: MoveRow, signal: AbortSignal) {
  for (let current: MoveRow | null = move; current; current = mover.store.moves.find(move.id))
    try {
      return await workOn(mover, current, signal)
    } catch (error) {
      if (!isBusy(error) || mover.stopping.signal.aborted) throw error
      await mover.store.whenWritable()
    }
}

async function workOn(mover: Mover, move: MoveRow, signal: AbortSignal) {
  if (move.state !== 'undoing') return moveAll(mover, move, signal)
  rmSync(join(mover.folder, move.uuid), { recursive: true, force: true })
  await takeBack(mover, move, () => !mover.stopping.signal.aborted && mover.store.moves.find(move.id) !== null)
  noteProgress(mover, move)
}

async function moveAll(mover: Mover, move: MoveRow, signal: AbortSignal) {
  const { store, now, folder } = mover
  const user = store.users.find(move.user_id)
  if (!user) return
  const mayContinue = () => !mover.stopping.signal.aborted && isUnderWay(store.moves.find(move.id))
  try {
    if (move.state === 'adding') await addPodcasts(mover, move, user, mayContinue)
    if (!mayContinue()) return
    await store.whenWritable()
    if (move.state === 'adding') store.moves.setState(move.id, 'applying', null, null)
    noteProgress(mover, move)
    await applyAll(mover, move, signal, mayContinue)
    await store.whenWritable()
    if (!mayContinue()) return
    store.moves.setState(move.id, 'done', null, now())
    recordEnd(mover, move, user)
  } catch (error) {
    // Its reader was ended.
    if (!mayContinue()) return
    if (isBusy(error)) throw error
    await store.whenWritable()
    store.moves.setState(move.id, 'failed', failureOf(mover, error, { source: move.source }), now())
  }
  rmSync(join(folder, move.uuid), { recursive: true, force: true })
  noteProgress(mover, move)
}

/** Records a move with its podcasts, as one act. */
function recordEnd({ store, publish }: Mover, move: MoveRow, user: UserRow) {
  const podcasts = { added: 0, present: 0, failed: 0 }
  for (const { state } of store.moves.podcastsOf(move.id))
    podcasts[state === 'present' ? 'present' : state === 'refused' ? 'failed' : 'added'] += 1
  publish({ type: 'recorded', kind: 'import-finished', actor: user, detail: move.file_name ?? '', facts: { podcasts } })
}

/** Logs why a move ended early, and returns what its report says: of a bug, only where its details are. */
export function failureOf({ log }: Pick<Mover, 'log'>, error: unknown, about: Record<string, string>): MoveFailure {
  if (!(error instanceof Problem)) {
    log.error('A move failed', { ...about, error: describeError(error) })
    return { code: 'unexpected', message: 'Internal error; see the log', args: {} }
  }
  log.info('A move was refused', { ...about, code: error.code, error: error.message })
  return error
}

async function applyAll(mover: Mover, move: MoveRow, signal: AbortSignal, mayContinue: () => boolean) {
  const path = join(mover.folder, move.uuid, COPY)
  if (!existsSync(path)) throw new MoveRefused('move-copy-lost', 'The copy of the file is gone. Start the move again.')
  const opening = { path, from: move.source, now: move.started_at, isChecked: true }
  const open = await readSource(mover.startReader, opening, signal)
  try {
    // Loaded here: sanitising the notes of episodes needs a large library.
    const { applyItems } = await import('./apply-items')
    await applyItems(mover, mover.store.moves.find(move.id)!, open.items(), mayContinue, signal)
  } finally {
    await open.close()
  }
}
