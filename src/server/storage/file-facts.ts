import { stat } from 'node:fs/promises'
import { SECOND, type Clock } from '../platform/clock'

const REMEMBERED_MS = SECOND
const MAX_REMEMBERED = 64

export type FileFacts = { size: number; mtimeMs: number }
type Reading = { facts: Promise<FileFacts | null>; found: FileFacts | null; until: number }

/**
 * Reads size and time of files that are being sent, and remembers them for a second: a player that requests many
 * ranges does not ask the disk each time. `elapsed`: a clock that never runs backwards.
 */
export function createFileFacts(elapsed: Clock) {
  const remembered = new Map<string, Reading>()
  const findReading = (path: string) => {
    const reading = remembered.get(path)
    return reading && elapsed() < reading.until ? reading : null
  }

  return {
    /** Null when there is no such file. */
    of(path: string): Promise<FileFacts | null> {
      const known = findReading(path)
      if (known) return known.facts
      const reading: Reading = { facts: stat(path).catch(() => null), found: null, until: elapsed() + REMEMBERED_MS }
      reading.facts = reading.facts.then(found => (reading.found = found))
      if (remembered.size >= MAX_REMEMBERED) remembered.clear()
      remembered.set(path, reading)
      return reading.facts
    },
    /**
     * Whether these facts are the remembered ones: the file was neither moved nor deleted since, nor is it time to
     * look.
     */
    areCurrent: (path: string, facts: FileFacts) => findReading(path)?.found === facts,
    forget: (path: string) => remembered.delete(path),
  }
}
