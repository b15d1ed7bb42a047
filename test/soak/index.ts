import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { median } from '../support/measure'
import { startHosts } from '../chaos/hosts'
import { createLedger } from '../chaos/ledger'
import type { World } from '../chaos/actor'
import { episodesOf, startLoad } from '../chaos/load'
import { startRandom } from '../support/random'
import { connectTo } from '../chaos/server'
import { more } from './actors'
import { startFast, type Sample } from './process'

// Ten minutes of everything at once, with a clock and beats six times as fast: does anything grow that should not?

const MINUTE = 60_000
const PODCASTS = 30
const MAX_GROWTH = 0.1
/** An idle second thread is let go after 20 seconds. */
const REST_MS = 45_000

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string', default: '1' } },
})
const minutes = Number(values.minutes)
/** Until then caches fill. */
const warmMinutes = Math.min(3, minutes * 0.3)
const folder = mkdtempSync(join(tmpdir(), 'castellan-soak-'))
try {
  process.exitCode = (await soak()) ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exit()

async function soak(): Promise<boolean> {
  const complaints = new Map<string, number>()
  const complain = (text: string) => {
    const kind = text.replace(/\d+-\d+|https?:\S+/g, '…')
    complaints.set(kind, (complaints.get(kind) ?? 0) + 1)
  }
  await using fast = await startFast(folder, complain)
  using hosts = await startHosts(10)
  const server = connectTo(fast.origin)
  const ledger = createLedger()
  let counted = 0
  const feeds = Array.from({ length: PODCASTS }, (_, index) => hosts.add(`Lasting-${index}`, 40, 2 * MINUTE))
  const random = startRandom(Number(values.seed))
  const world: World = { hosts, ledger, random, feeds, count: () => ++counted, imports: [], complain }
  await server.system.editSettings({ podcastPrefill: 3 })
  for (const feed of feeds) await server.podcasts.add(feed)
  hosts.pace(5)
  const episodes = await episodesOf(server, world)

  /** Under load for so long; tells of every minute. */
  async function underLoad(from: number, to: number): Promise<Sample[]> {
    const load = startLoad(world, server, episodes, { more, slower: 3 })
    const samples: Sample[] = []
    const began = performance.now()
    let told = began
    while (performance.now() - began < (to - from) * MINUTE) {
      await Bun.sleep(1000)
      samples.push(await fast.sample())
      if (performance.now() - told < MINUTE) continue
      const minute = Math.round(from + (performance.now() - began) / MINUTE)
      const latest = samples.filter(({ at }) => at > told)
      report(`minute ${minute}`, latest)
      told = performance.now()
    }
    await load.stop()
    const rest = samples.filter(({ at }) => at > told)
    if (rest.length > 0) report(`until minute ${to}`, rest)
    return samples
  }
  async function atRest(name: string): Promise<Sample> {
    await Bun.sleep(REST_MS)
    const resting = await fast.sample()
    report(name, [resting])
    return resting
  }

  row(['', 'MB', 'heap', 'files', 'sockets', 'threads', 'timers'])
  await underLoad(0, warmMinutes)
  const before = await atRest('at rest')
  const samples = await underLoad(warmMinutes, minutes)
  const after = await atRest('at rest in the end')

  const first = samples.filter(({ at }) => at < samples[0]!.at + MINUTE)
  const last = samples.filter(({ at }) => at > samples.at(-1)!.at - MINUTE)
  const growth = middle(last, 'rss') / middle(first, 'rss') - 1
  const [files, timers] = [after.files - before.files, after.timers - before.timers]
  console.log(
    `memory, the last minute beside the first after the warming up: ${(100 * growth).toFixed(1)} % (wanted < 10)`,
  )
  console.log(`more files and timers at rest: ${files} and ${timers} (wanted none)`)
  console.log(
    `${ledger.figures().acknowledged} writes acknowledged; refused: ${ledger.refusals().join(', ') || 'none'}`,
  )
  for (const [text, count] of complaints) console.log(`! ${text} (${count})`)
  return growth < MAX_GROWTH && files <= 0 && timers <= 0 && complaints.size === 0
}

function report(name: string, samples: readonly Sample[]) {
  const whole = (['rss', 'heap', 'files', 'sockets', 'threads', 'timers'] as const).map(of =>
    Math.round(middle(samples, of)),
  )
  row([name, ...whole])
}

function middle(samples: readonly Sample[], of: keyof Sample): number {
  return median(samples.map(one => one[of]))
}

function row([name, ...cells]: readonly (string | number)[]) {
  console.log(String(name).padEnd(26) + cells.map(cell => String(cell).padStart(10)).join(''))
}
