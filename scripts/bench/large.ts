import { join } from 'node:path'
import { plantLarge } from '../demo/large'
import { createWords } from '../demo/words'
import { cpuSeconds, startUpMs } from './process'
import { percentile } from '../../test/support/measure'

export type Report = (name: string, value: string, wanted?: string) => void

const CONNECTIONS = 8

/** Requests one after the other on eight connections, for two seconds. */
async function load(pid: number, addresses: () => string) {
  const times: number[] = []
  const cpu = cpuSeconds(pid)
  const began = performance.now()
  const worker = async () => {
    while (performance.now() - began < 2000) {
      const asked = performance.now()
      const response = await fetch(addresses())
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`${response.status} ${response.url}`)
      times.push(performance.now() - asked)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, worker))
  const rate = times.length / ((performance.now() - began) / 1000)
  return { times, rate, cpuMs: (1000 * (cpuSeconds(pid) - cpu)) / times.length }
}

/** Lists and searches over 1,000 podcasts of 200 episodes with notes. */
export async function measureLarge(folder: string, castellan: string, env: Record<string, string>, report: Report) {
  const data = join(folder, 'large')
  await plantLarge(data, 1000, 200)
  const server = await startUpMs([castellan], { ...env, DATA_DIRECTORY: data }, '/healthz')
  report('start-up with 200,000 episodes', `${server.ms.toFixed(0)} ms`)
  const { origin, pid } = server
  const api = `${origin}/api/v1`
  const podcasts = (await (await fetch(`${api}/podcasts`)).json()) as { id: string }[]
  const { word, words, random } = createWords(7)
  const any = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!
  const search = (words: string) => `${api}/search?q=${encodeURIComponent(words)}`
  const kinds: [string, () => string, string?][] = [
    ['timeline, newest 25', () => `${api}/podcasts/timeline?limit=25`, 'CPU ≤ 0.3 ms'],
    ['podcast list, 1,000', () => `${api}/podcasts`],
    ['episode list, 50', () => `${api}/podcasts/${any(podcasts).id}/episodes?limit=50`],
    ['search, one letter', () => search(any([...'etaoinshrd'])), 'p99 ≤ 25 ms'],
    ['search, a word', () => search(word()), 'CPU ≤ 3 ms'],
    ['search, three words', () => search([word(), word(), any(words)].join(' ')), 'CPU ≤ 3 ms'],
  ]
  const healthz = await load(pid, () => `${origin}/healthz`)
  for (const [name, address, wanted] of kinds) {
    await load(pid, address)
    const { times, rate, cpuMs } = await load(pid, address)
    const share = ((100 * rate) / healthz.rate).toFixed(1)
    const [p50, p99] = [percentile(times, 0.5).toFixed(1), percentile(times, 0.99).toFixed(1)]
    report(`${name}: p50, p99, CPU`, `${p50}, ${p99}, ${cpuMs.toFixed(2)} ms`, wanted)
    report('  request rate, share of /healthz', `${rate.toFixed(0)}/s, ${share} %`)
  }
  await server.stop()
}
