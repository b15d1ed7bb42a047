type Entry = { host: string; run: () => Promise<void> }

/**
 * Limits how much work runs at once, in total and for each host. Work for a busy host lets later work pass, so that one
 * slow host delays no other.
 */
export function createLanes({ total, perHost }: { total: number; perHost: number }) {
  const waiting: Entry[] = []
  const busy = new Map<string, number>()
  let running = 0

  function begin() {
    while (running < total) {
      const index = waiting.findIndex(entry => (busy.get(entry.host) ?? 0) < perHost)
      if (index === -1) return
      const [entry] = waiting.splice(index, 1)
      void work(entry!)
    }
  }

  async function work({ host, run }: Entry) {
    running++
    busy.set(host, (busy.get(host) ?? 0) + 1)
    await run()
    running--
    const left = busy.get(host)! - 1
    if (left === 0) busy.delete(host)
    else busy.set(host, left)
    begin()
  }

  return {
    run: <T>(host: string, task: () => Promise<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        waiting.push({ host, run: () => task().then(resolve, reject) })
        begin()
      }),
  }
}
