/** CPU time in a minute, below which nobody waits for anything. */
const QUIET_MS = 1000
/** CPU time after which tidying up is worth its cost. */
const WORKED_MS = 2000

/**
 * Tidies up after work, in the first quiet minute; called once a minute. The engine collects garbage when it needs
 * room, which on a machine with much memory is never: the garbage of an import would stay for days. A collection takes
 * some tens of milliseconds.
 */
export function createRest(tidyUp: () => void, cpuMs = usedCpuMs) {
  let before = cpuMs()
  let worked = 0
  return () => {
    const now = cpuMs()
    const used = now - before
    before = now
    worked += used
    if (used > QUIET_MS || worked < WORKED_MS) return
    worked = 0
    tidyUp()
    // Tidying up was work as well, but leaves no garbage.
    before = cpuMs()
  }
}

function usedCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
