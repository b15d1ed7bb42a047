/** In a minute: whoever uses less is doing nothing that anybody waits for. */
const QUIET_MS = 1000
/** Work that is worth tidying up after. */
const WORKED_MS = 2000

/**
 * Tidies up after work, in the first quiet minute. The engine collects its garbage when it needs room, and on a machine with much
 * memory it never does: what an import has left behind would stay for days. A collection takes some tens of milliseconds.
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
    // That was work as well, but leaves nothing behind.
    before = cpuMs()
  }
}

function usedCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
