import type { Config } from '../config'
import type { MoveRow } from '../store/moves'
import { UsageError } from './arguments'
import type { UndoOptions } from './import-options'
import type { Context } from '../context'
import type { Print } from './terminal'
import { printUndoReport } from './undo-report'

type Finish = (parts: Context, config: Config, move: MoveRow, print: Print) => Promise<MoveRow>

/**
 * Takes a move back, also one that is still running, and prints a report; without an id the latest. Returns whether it
 * came to its end. Throws `UsageError` and `Problem`.
 */
export async function undoImport(
  { parts, config, print, finish }: { parts: Context; config: Config; print: Print; finish: Finish },
  { id, user }: UndoOptions,
): Promise<boolean> {
  const { store, moves } = parts
  const owner = user === null ? null : store.users.findByName(user)
  if (user !== null && !owner) throw new UsageError(`There is no account "${user}"`)
  const move = store.moves.find(id ?? store.moves.latest(owner?.id ?? null) ?? 0)
  if (!move || (owner && move.user_id !== owner.id)) throw new UsageError('There is no such import to undo')
  const ended = await finish(parts, config, moves.undo(store.users.find(move.user_id)!, move.id), print)
  printUndoReport(store, ended, print)
  return ended.state === 'undone'
}
