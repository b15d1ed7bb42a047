// Why: docs/internals/decisions/0003

/** A download in the queue. `isFresh`: it has not stepped aside since the start. */
export type Candidate = { id: number; host: string; isFresh: boolean }

/** A download that runs. `speed`: bytes per second, null = not known yet; `isLeaving`: it was asked to step aside. */
export type Runner = { id: number; host: string; speed: number | null; isReceiving: boolean; isLeaving: boolean }

export type Places = { total: number; perHost: number }

/** Slower than the sound of most episodes: a listener would have to wait for it. In bytes per second. */
const SLOW = 16 * 1024
const MAX_PER_HOST = 4

/** The downloads that may run at once, and of one host: some, but never all, so that others have their turn. */
export const placesOf = (parallel: number): Places => ({
  total: parallel,
  perHost: Math.min(MAX_PER_HOST, Math.max(1, parallel - 1)),
})

export const isSlow = ({ speed, isReceiving, isLeaving }: Runner) =>
  isReceiving && !isLeaving && speed !== null && speed < SLOW

/**
 * Chooses whose turn it is. A free place is given to the host with the fewest downloads, in the order of the queue if
 * several have equally few. If others still wait, slow downloads step aside for them: the slowest first, and never for
 * one that stepped aside itself. `ready` is read no further than needed.
 */
export function chooseTurns(
  ready: Iterable<Candidate>,
  running: readonly Runner[],
  places: Places,
): { start: Candidate[]; stepAside: number[] } {
  const slow = running.filter(isSlow).sort((one, other) => one.speed! - other.speed!)
  let free = places.total - running.length
  if (free <= 0 && slow.length === 0) return { start: [], stepAside: [] }
  const counts = Map.groupBy(running, ({ host }) => host)
  const used = new Map([...counts].map(([host, own]) => [host, own.length]))
  const waiting = collect(ready, used, places, free, slow.length > 0)

  const start: Candidate[] = []
  while (free > 0) {
    const next = nextOf(waiting, used, places.perHost)
    if (!next) break
    start.push(next)
    waiting.splice(waiting.indexOf(next), 1)
    used.set(next.host, (used.get(next.host) ?? 0) + 1)
    free--
  }
  return { start, stepAside: chooseSlow(waiting, slow, running, used, places) }
}

/** The first candidates of each host, as many as it may have at once. */
function collect(
  ready: Iterable<Candidate>,
  used: ReadonlyMap<string, number>,
  { perHost }: Places,
  free: number,
  needsAll: boolean,
): Candidate[] {
  const found = new Map<string, Candidate[]>()
  const waiting: Candidate[] = []
  let idle = 0
  for (const candidate of ready) {
    const own = found.getOrInsertComputed(candidate.host, () => [])
    if (own.length >= perHost) continue
    if (own.length === 0 && !used.has(candidate.host)) idle++
    own.push(candidate)
    waiting.push(candidate)
    // Each free place has its own host, so nobody further back is first.
    if (!needsAll && idle >= free) break
  }
  return waiting
}

function nextOf(waiting: readonly Candidate[], used: ReadonlyMap<string, number>, perHost: number) {
  let best: Candidate | null = null
  let fewest = perHost
  for (const candidate of waiting) {
    const count = used.get(candidate.host) ?? 0
    if (count < fewest) [best, fewest] = [candidate, count]
  }
  return best
}

function chooseSlow(
  waiting: readonly Candidate[],
  slow: readonly Runner[],
  running: readonly Runner[],
  used: ReadonlyMap<string, number>,
  { perHost }: Places,
): number[] {
  // Those that are already leaving make room for as many.
  const leaving = running.filter(({ isLeaving }) => isLeaving)
  const stepping = [...slow]
  const chosen: number[] = []
  for (const { host, isFresh } of waiting) {
    if (!isFresh) continue
    const isHostFull = (used.get(host) ?? 0) >= perHost
    const helps = (runner: Runner) => !isHostFull || runner.host === host
    if (take(leaving, helps)) continue
    const next = take(stepping, helps)
    if (next) chosen.push(next.id)
  }
  return chosen
}

function take<T>(from: T[], fits: (one: T) => boolean): T | null {
  const at = from.findIndex(fits)
  return at === -1 ? null : from.splice(at, 1)[0]!
}
