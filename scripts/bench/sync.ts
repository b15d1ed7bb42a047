import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { plantLarge } from '../../test/support/large-library'
import { cpuSeconds, latencies, peakMb, startUpMs } from './process'
import { percentile } from '../../test/support/measure'

type Report = (name: string, value: string, wanted?: string) => void
type Action = ReturnType<typeof played>

const PODCASTS = 500
const EPISODES = 100
const HOUR = 3_600_000
const account = { username: 'mara', password: 'Sup3rSecret' }

/** Played to the end, or up to a third, as an app reports it. */
function played(podcast: string, episode: string, ended: boolean, guid: string | null = null) {
  return {
    podcast,
    episode,
    ...(guid !== null && { guid }),
    action: 'play',
    device: 'phone',
    timestamp: new Date(Date.now() - HOUR).toISOString().slice(0, 19),
    started: 0,
    position: ended ? 1800 : 600,
    total: 1800,
  }
}

const feedOfLibrary = (number: number) => `https://feeds.example/${number}.xml`
const feedElsewhere = (number: number) => `https://elsewhere.example/${number}.xml`

/** Episodes of the library's podcasts in turn, as people listen: one of each, then the next of each. */
function ofLibrary(from: number, count: number, ended: boolean, byGuid: boolean): Action[] {
  return Array.from({ length: count * PODCASTS }, (_, place) => {
    const [number, index] = [place % PODCASTS, from + Math.floor(place / PODCASTS)]
    const guid = byGuid ? `${number}-${index}` : null
    return played(feedOfLibrary(number), `https://cdn.example/${number}/${index}.mp3`, ended, guid)
  })
}
const ofElsewhere = (count: number) =>
  Array.from({ length: count * PODCASTS }, (_, place) =>
    played(feedElsewhere(place % PODCASTS), `https://cdn.elsewhere.example/${place}.mp3`, false),
  )

/** Podcast apps that bring much at once, and somebody who looks at the timeline meanwhile. */
export async function measureSync(folder: string, castellan: string, env: Record<string, string>, report: Report) {
  const data = join(folder, 'sync')
  await plantLarge(data, PODCASTS, EPISODES)
  const { username, password } = account
  const server = await startUpMs(
    [castellan],
    { ...env, DATA_DIRECTORY: data, BASIC_AUTH: 'true', USERNAME: username, PASSWORD: password },
    '/healthz',
  )
  const { origin, pid } = server
  const headers = { Authorization: `Basic ${btoa(`${username}:${password}`)}` }
  async function call(path: string, body?: string): Promise<string> {
    const method = body === undefined ? 'GET' : 'POST'
    const response = await fetch(`${origin}/api/2/${path}`, { method, headers, ...(body !== undefined && { body }) })
    if (!response.ok) throw new Error(`${response.status} ${response.url}`)
    return response.text()
  }
  const look = () => fetch(`${origin}/api/v1/podcasts/timeline`, { headers })

  async function measure(name: string, work: () => Promise<unknown>) {
    // The peak is counted anew from here on.
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
    const cpu = cpuSeconds(pid)
    const began = performance.now()
    const working = work().then(() => performance.now() - began)
    const waits = await latencies(look, working)
    report(name, `${(await working).toFixed(0)} ms`)
    const share = (wanted: number) => percentile(waits, wanted).toFixed(0)
    report('  GET /podcasts/timeline meanwhile: p50, p99, longest', `${share(0.5)}, ${share(0.99)}, ${share(1)} ms`)
    report('  CPU of both, peak memory', `${(cpuSeconds(pid) - cpu).toFixed(1)} s, ${peakMb(pid).toFixed(0)} MB`)
  }
  const upload = (body: string) => call(`episodes/${username}.json`, body)
  /** Fetches everything from the beginning, and returns the number of answers that took. */
  async function downloadActions(query = ''): Promise<number> {
    let [since, count] = [0, 0]
    for (;;) {
      const answer = await call(`episodes/${username}.json?since=${since}${query}`)
      const { actions, timestamp } = JSON.parse(answer) as { actions: unknown[]; timestamp: number }
      count += actions.length
      if (actions.length < 1000 || timestamp === since) return count
      since = timestamp
    }
  }

  await call(`devices/${username}.json`)
  await Promise.all(Array.from({ length: 200 }, look))
  const idle = await latencies(look, Bun.sleep(2000))
  report(
    'GET /podcasts/timeline while idle: p50, p99',
    `${percentile(idle, 0.5).toFixed(1)}, ${percentile(idle, 0.99).toFixed(1)} ms`,
  )

  const byGuid = JSON.stringify(ofLibrary(0, 10, false, true))
  const byAddress = JSON.stringify(ofLibrary(10, 10, false, false))
  const elsewhere = JSON.stringify(ofElsewhere(10))
  await measure('5,000 actions in one request, of the library by guid', () => upload(byGuid))
  await measure('5,000 actions in one request, of the library by address', () => upload(byAddress))
  await measure('5,000 actions in one request, of feeds not in the library', () => upload(elsewhere))
  await measure('5,000 actions in one request, the same again', () => upload(byAddress))

  const add = Array.from({ length: PODCASTS }, (_, number) =>
    number % 2 ? feedOfLibrary(number) : feedElsewhere(number),
  )
  const subscriptions = JSON.stringify({ add, remove: [] })
  await measure('500 subscriptions up, half of them of the library, and 750 down', async () => {
    await call(`subscriptions/${username}/phone.json`, subscriptions)
    await call(`subscriptions/${username}/phone.json?since=0`)
  })

  const actions = ofLibrary(20, 40, true, false)
  const batches = Array.from({ length: actions.length / 100 }, (_, batch) =>
    JSON.stringify(actions.slice(batch * 100, (batch + 1) * 100)),
  )
  await measure('20,000 actions in requests of 100', async () => {
    for (const batch of batches) await upload(batch)
  })
  let [all, last] = [0, 0]
  await measure('all 35,000 down', async () => (all = await downloadActions()))
  await measure('the last of each episode down', async () => (last = await downloadActions('&aggregated=true')))
  if (all < 35_000 || last < 35_000) throw new Error(`of 35,000 actions ${all} and ${last} came down`)
  await server.stop()
}
