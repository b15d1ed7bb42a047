import { readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

/** Peak resident memory of a process, in MB. */
export const peakMb = (pid: number) =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

/** Seconds of processor time that processes and their children have used; one that has ended counts with its parent. */
export function cpuSeconds(...pids: readonly number[]): number {
  let seconds = 0
  for (const pid of pids) {
    const fields = read(`/proc/${pid}/stat`).split(') ')[1]?.split(' ') ?? []
    for (const ticks of fields.slice(11, 15)) seconds += Number(ticks) / TICKS_PER_SECOND
    for (const child of read(`/proc/${pid}/task/${pid}/children`).match(/\d+/g) ?? [])
      seconds += cpuSeconds(Number(child))
  }
  return seconds
}

/** A file of a process; empty once that has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Milliseconds of processor time that the main thread of a process has used, in steps of ten. */
export function mainThreadMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1000
}

/** Milliseconds from the start of an executable to its first answer. */
export async function startUpMs(
  command: readonly string[],
  env: Record<string, string>,
  path: string,
): Promise<{ ms: number; stop: () => Promise<void>; pid: number; origin: string }> {
  const began = performance.now()
  const child = Bun.spawn([...command], { env, stdout: 'pipe', stderr: 'ignore' })
  const origin = await addressOf(child.stdout)
  for (;;) {
    const response = await fetch(`${origin}${path}`).catch(() => null)
    if (response?.ok) break
  }
  const ms = performance.now() - began
  return {
    ms,
    pid: child.pid,
    origin,
    stop: async () => {
      child.kill()
      await child.exited
    },
  }
}

async function addressOf(stdout: ReadableStream<Uint8Array>): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  void (async () => {
    let text = ''
    for await (const chunk of stdout) {
      text += new TextDecoder().decode(chunk)
      const address = /address="?(http[^"\s]+?)\/"?\s/.exec(text)?.[1]
      if (address) resolve(address)
    }
  })()
  return promise
}

/** Measures requests one after the other, in milliseconds, with a pause between them, until `until` settles. */
export async function latencies(ask: () => Promise<Response>, until: Promise<unknown>, pauseMs = 2): Promise<number[]> {
  let isDone = false
  void until.finally(() => (isDone = true))
  const times: number[] = []
  while (!isDone) {
    const began = performance.now()
    const response = await ask()
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`${response.status} ${response.url}`)
    times.push(performance.now() - began)
    await Bun.sleep(pauseMs)
  }
  return times
}
