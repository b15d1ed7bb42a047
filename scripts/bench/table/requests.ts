import { readdirSync, readFileSync } from 'node:fs'
import { percentile } from '../../../test/support/measure'

const PAUSE_MS = 2

/** Milliseconds of processor time that the threads of a process have used, to the nanosecond. */
export function threadsMs(pid: number): number {
  let nanoseconds = 0
  for (const thread of readdirSync(`/proc/${pid}/task`))
    try {
      nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0])
    } catch {
      // It has ended.
    }
  return nanoseconds / 1e6
}

/**
 * Sends requests one after the other for so long, and writes how long they took and what each cost the server; its
 * garbage counts if it is collected in the pause behind. `before`: done before each, and not measured.
 */
export async function measureRequests(
  pid: number,
  ask: () => Promise<Response>,
  { forMs = 3000, before }: { forMs?: number; before?: (() => Promise<unknown>) | undefined } = {},
): Promise<string> {
  const times: number[] = []
  let cpuMs = 0
  const began = performance.now()
  while (performance.now() - began < forMs) {
    await before?.()
    const cpu = threadsMs(pid)
    const asked = performance.now()
    const response = await ask()
    await response.arrayBuffer()
    times.push(performance.now() - asked)
    if (!response.ok && response.status !== 304) throw new Error(`${response.status} ${response.url}`)
    await Bun.sleep(PAUSE_MS)
    cpuMs += threadsMs(pid) - cpu
  }
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)]
  return `${p50.toFixed(1)} / ${p99.toFixed(1)} / ${(cpuMs / times.length).toFixed(2)} ms`
}
