// CPU time, unlike time on the wall, does not grow when the machine has other things to do.

/** Runs `work` and gives the CPU time that this process used for it, in milliseconds. */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  return millisecondsOf(process.cpuUsage(before))
}

/**
 * Runs `work` and gives the longest time, in milliseconds of CPU, for which this thread could do nothing else: whoever
 * asks the server for something waits that long at most.
 */
export async function longestTurnOf(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let isOver = false
  const over = work().finally(() => (isOver = true))
  let last = process.threadCpuUsage()
  while (!isOver) {
    await new Promise(setImmediate)
    longest = Math.max(longest, millisecondsOf(process.threadCpuUsage(last)))
    last = process.threadCpuUsage()
  }
  await over
  return longest
}

const millisecondsOf = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000
