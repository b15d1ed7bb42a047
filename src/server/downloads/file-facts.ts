import { stat } from 'node:fs/promises'
import { SECOND, type Clock } from '../platform/clock'

const REMEMBERED_MS = 2 * SECOND
const MAX_REMEMBERED = 64

export type FileFacts = { size: number; mtimeMs: number }

/**
 * Reads size and time of files that are being sent, and remembers them for two seconds: a player that requests many
 * ranges does not ask the disk each time. `elapsed`: a clock that never goes back.
 */
export function createFileFacts(elapsed: Clock) {
  const remembered = new Map<string, { facts: Promise<FileFacts | null>; until: number }>()
  return {
    /** Null when there is no such file. */
    of(path: string): Promise<FileFacts | null> {
      const known = remembered.get(path)
      if (known && elapsed() < known.until) return known.facts
      const facts = stat(path).catch(() => null)
      if (remembered.size >= MAX_REMEMBERED) remembered.clear()
      remembered.set(path, { facts, until: elapsed() + REMEMBERED_MS })
      return facts
    },
    forget: (path: string) => remembered.delete(path),
  }
}
