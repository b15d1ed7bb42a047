import { cpuSeconds } from './process'

const CONNECTIONS = 8

export type Load = {
  /** Milliseconds of each request. */
  times: number[]
  /** Requests per second. */
  rate: number
  /** Milliseconds of processor time per request; 0 if no process is known. */
  cpuMs: number
}

/** Sends requests on eight connections, on each one after the other, for `forMs`. */
export async function load(pids: readonly number[], ask: () => Promise<Response>, forMs = 2000): Promise<Load> {
  const times: number[] = []
  const cpu = cpuSeconds(...pids)
  const began = performance.now()
  const worker = async () => {
    while (performance.now() - began < forMs) {
      const asked = performance.now()
      const response = await ask()
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`${response.status} ${response.url}`)
      times.push(performance.now() - asked)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, worker))
  const rate = times.length / ((performance.now() - began) / 1000)
  return { times, rate, cpuMs: (1000 * (cpuSeconds(...pids) - cpu)) / times.length }
}
