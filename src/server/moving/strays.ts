import { existsSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isOfLivingProcess } from '../platform/temporary-name'
import type { MovingNeeds } from './needs'

type Needs = Pick<MovingNeeds, 'folder' | 'store'>

/** Lists what a process that was killed left in the folder of moves: copies of files, and of the library. */
export function listStrays({ folder, store }: Needs): string[] {
  if (!existsSync(folder)) return []
  const needed = new Set(store.moves.withFile())
  return readdirSync(folder).filter(name => !needed.has(name) && !isOfLivingProcess(name))
}

/** Removes them. */
export async function removeStrays(needs: Needs) {
  for (const name of listStrays(needs))
    // On Windows one may be open.
    await rm(join(needs.folder, name), { recursive: true, force: true }).catch(() => undefined)
}
