import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Finds a program in the path, or where Go installs it. */
export function findProgram(name: string): string | null {
  const installed = join(homedir(), 'go', 'bin', name)
  return Bun.which(name) ?? (existsSync(installed) ? installed : null)
}

type Patience = { everyMs?: number; forMs?: number }

/** Waits until something is so; a minute, unless told otherwise. Throws with `what` after that. */
export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  { everyMs = 50, forMs = 60_000 }: Patience = {},
) {
  for (const giveUpAt = performance.now() + forMs; !(await isSo()); await Bun.sleep(everyMs))
    if (performance.now() > giveUpAt) throw new Error(`not within ${forMs / 1000} seconds: ${what}`)
}
