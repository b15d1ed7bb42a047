import { ApiError } from '../../src/ui/api/client'

/**
 * The value that a thing must have (null: never written), others it may have: writes whose answer never came, and those
 * that it had or may have had before, until the next write was answered.
 */
type Entry = { must: string | null; may: string[]; past: { value: string; until: number }[] }

const REMEMBERED_MS = 60_000
/** The state of a thing before its first write: rules and feeds change things, too. */
const ANYTHING = 'anything'

export type Ledger = ReturnType<typeof createLedger>

/**
 * Acknowledged writes, by the name of the thing that was written. Each thing has one writer, who waits for an
 * answer before the next write: after a kill it is as the last acknowledged write left it, or as a later one wanted it.
 */
export function createLedger(onWrite: (kind: string) => void = () => {}) {
  const entries = new Map<string, Entry>()
  const refusals = new Map<string, number>()
  /** Numbers of acknowledged writes by their kinds. */
  const acknowledged = new Map<string, number>()
  let unanswered = 0

  function entryOf(key: string): Entry {
    const entry = entries.get(key) ?? { must: null, may: [], past: [] }
    entries.set(key, entry)
    return entry
  }

  function settle(key: string, value: string) {
    const now = Date.now()
    const { must, may, past } = entryOf(key)
    const before = [must ?? ANYTHING, ...may].map(value => ({ value, until: now }))
    const recent = past.filter(({ until }) => until > now - REMEMBERED_MS)
    entries.set(key, { must: value, may: [], past: [...recent, ...before] })
  }
  const note = (key: string, value: unknown) => settle(key, JSON.stringify(value))

  return {
    /** Writes; null when it was refused or no answer came. `changes`: what the things it names are afterwards. */
    async write<T>(kind: string, changes: Record<string, unknown>, work: () => Promise<T>): Promise<T | null> {
      const values = Object.entries(changes).map(([key, value]) => [key, JSON.stringify(value)] as const)
      for (const [key, value] of values) entryOf(key).may.push(value)
      onWrite(kind)
      try {
        const result = await work()
        acknowledged.set(kind, (acknowledged.get(kind) ?? 0) + 1)
        for (const [key, value] of values) settle(key, value)
        return result
      } catch (error) {
        const status = error instanceof ApiError ? error.status : 0
        if (status === 0) unanswered++
        if (status >= 400 && status < 500) for (const [key] of values) entryOf(key).may.pop()
        if (status > 0) {
          const name = `${kind}: ${status} ${(error as ApiError).code}`
          refusals.set(name, (refusals.get(name) ?? 0) + 1)
        }
        return null
      }
    },
    /** Records a value that the server chose, without a write. */
    note,
    /** Nothing is promised of it any more. */
    forget: (key: string) => void entries.delete(key),
    /** Allows that writes answered after that time are lost. */
    loosen(since: number) {
      for (const { may, past } of entries.values())
        may.push(...past.filter(({ until }) => until >= since).map(({ value }) => value))
    },
    /** The acknowledged value; undefined while it is uncertain or there is none. */
    get(key: string): unknown {
      const entry = entries.get(key)
      return entry?.must && entry.may.length === 0 ? (JSON.parse(entry.must) as unknown) : undefined
    },
    keys: (prefix: string) => [...entries.keys()].filter(key => key.startsWith(prefix)),
    /** Compares, and lists differences in sentences. The values found now hold from here on. */
    compare(state: ReadonlyMap<string, unknown>): string[] {
      const wrong: string[] = []
      for (const [key, { must, may, past }] of entries) {
        const found = JSON.stringify(state.get(key) ?? null)
        if (must !== null && found !== must && !may.includes(found) && !may.includes(ANYTHING))
          wrong.push(
            `${key} is ${found}, ${must} was acknowledged${may.length > 0 ? `, ${may.join(', ')} asked for` : ''}`,
          )
        entries.set(key, { must: found, may: [], past })
      }
      return wrong
    },
    figures: () => ({
      acknowledged: [...acknowledged.values()].reduce((sum, count) => sum + count, 0),
      unanswered,
      things: entries.size,
    }),
    countOf: (kind: string) => acknowledged.get(kind) ?? 0,
    refusals: () => [...refusals].map(([name, count]) => `${name} (${count})`),
  }
}
