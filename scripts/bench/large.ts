import { join } from 'node:path'
import { plantLarge } from '../../test/support/large-library'
import { listsOf } from './lists'
import { load } from './load'
import { startUpMs } from './process'
import { percentile } from '../../test/support/measure'

export type Report = (name: string, value: string, wanted?: string) => void

const wanted: Record<string, string> = {
  'timeline, the newest 25': 'CPU ≤ 0.3 ms',
  'search, one letter': 'p99 ≤ 25 ms',
  'search, a word': 'CPU ≤ 3 ms',
  'search, three words': 'CPU ≤ 3 ms',
}

/** Lists and searches over 1,000 podcasts of 200 episodes with notes. */
export async function measureLarge(folder: string, castellan: string, env: Record<string, string>, report: Report) {
  const data = join(folder, 'large')
  await plantLarge(data, 1000, 200)
  const server = await startUpMs([castellan], { ...env, DATA_DIRECTORY: data }, '/healthz')
  report('start-up with 200,000 episodes', `${server.ms.toFixed(0)} ms`)
  const { origin, pid } = server
  const healthz = await load([pid], () => fetch(`${origin}/healthz`))
  for (const { name, address } of await listsOf(origin)) {
    const ask = () => fetch(address())
    await load([pid], ask)
    const { times, rate, cpuMs } = await load([pid], ask)
    const share = ((100 * rate) / healthz.rate).toFixed(1)
    const [p50, p99] = [percentile(times, 0.5).toFixed(1), percentile(times, 0.99).toFixed(1)]
    report(`${name}: p50, p99, CPU`, `${p50}, ${p99}, ${cpuMs.toFixed(2)} ms`, wanted[name])
    report('  request rate, share of /healthz', `${rate.toFixed(0)}/s, ${share} %`)
  }
  await server.stop()
}
