import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DAY } from '../platform/clock'
import type { MovingNeeds } from './needs'

/** Removes copies that no move needs: a process was killed before it noted the move. A fresh one may be noted yet. */
export function removeStrays({ folder, store, now }: Pick<MovingNeeds, 'folder' | 'store' | 'now'>) {
  if (!existsSync(folder)) return
  const needed = new Set(store.moves.withFile())
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const madeAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (!needed.has(name) && now() - madeAt > DAY) rmSync(path, { recursive: true, force: true })
  }
}
