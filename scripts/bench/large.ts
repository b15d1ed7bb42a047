import { join } from 'node:path'
import { createWords, plantLarge } from '../demo/large'
import { startFeedHost } from '../../test/support/feed-host'
import { feedOf } from './library'
import { cpuSeconds, peakMb, startUpMs } from './process'
import { percentile } from '../../test/support/measure'

type Report = (name: string, value: string, wanted?: string) => void

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

/** An import of 300 feeds of 100 episodes, until every episode is stored and can be found. */
export async function measureImport(folder: string, castellan: string, env: Record<string, string>, report: Report) {
  using host = startFeedHost()
  const outlines = Array.from({ length: 300 }, (_, index) => {
    const address = host.feed(`/${index}.xml`, feedOf(`Imported ${index}`, 100, 200))
    return `<outline text="Imported ${index}" xmlUrl="${address}"/>`
  })
  const content = `<opml version="2.0"><body>${outlines.join('')}</body></opml>`
  const server = await startUpMs([castellan], { ...env, DATA_DIRECTORY: join(folder, 'import') }, '/healthz')
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${server.origin}/api/v1${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    })
    if (!response.ok) throw new Error(await response.text())
    return (await response.json()) as T
  }
  await call('PUT', '/settings', { podcastPrefill: 0 })
  const cpu = cpuSeconds(server.pid)
  const began = performance.now()
  const { jobId } = await call<{ jobId: string }>('POST', '/podcasts/opml', { content })
  for (;;) {
    const { state } = await call<{ state: string }>('GET', `/jobs/${jobId}`)
    if (state === 'done') break
    await Bun.sleep(50)
  }
  const found = () => call<{ episodes: unknown[] }>('GET', `/search?q=${encodeURIComponent('Imported 299, part 100')}`)
  while ((await found()).episodes.length === 0) await Bun.sleep(20)
  const seconds = (performance.now() - began) / 1000
  report('import of 300 feeds of 100 episodes', `${seconds.toFixed(1)} s`)
  report('  every episode stored and searchable', `${(300 / seconds).toFixed(0)} feeds/s`, '≥ 40')
  report('  CPU', `${(cpuSeconds(server.pid) - cpu).toFixed(1)} s`)
  report('  peak memory', `${peakMb(server.pid).toFixed(0)} MB`, '≤ 150 MB')
  await server.stop()
}
