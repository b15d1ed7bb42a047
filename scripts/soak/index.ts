import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { median, residentMb } from '../bench/process'
import { startHosts } from '../chaos/hosts'
import { createLedger } from '../chaos/ledger'
import { episodesOf, startLoad, type World } from '../chaos/load'
import { createRandom } from '../chaos/random'
import { connectTo, environment } from '../chaos/server'
import { more } from './actors'

// Ten minutes of everything at once, with a clock and beats six times as fast: does anything grow that should not?

const MINUTE = 60_000
const PODCASTS = 30
/** An idle second thread is let go after 20 seconds, an idle connection sooner. */
const REST_MS = 45_000

type Sample = { at: number; rss: number; heap: number; files: number; sockets: number; threads: number; timers: number }

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string', default: '1' } },
})
const minutes = Number(values.minutes)
/** Until then caches fill. */
const warmMinutes = Math.min(3, minutes * 0.3)
const folder = mkdtempSync(join(tmpdir(), 'castellan-soak-'))
const random = createRandom(Number(values.seed))
const complaints = new Map<string, number>()
const complain = (text: string) => {
  const kind = text.replace(/\d+-\d+|https?:\S+/g, '…')
  complaints.set(kind, (complaints.get(kind) ?? 0) + 1)
}

const messages: ((message: { origin?: string; timers?: number; heap?: number }) => void)[] = []
const child = Bun.spawn(['bun', join(import.meta.dir, 'server.ts')], {
  env: {
    PATH: process.env['PATH'],
    ...environment,
    DATA_DIRECTORY: folder,
    PORT: '0',
    HOST: '127.0.0.1',
    POLLING_INTERVAL: '1',
    BACKUP_INTERVAL: '1',
    LOG_LEVEL: 'warn',
  },
  stdout: 'pipe',
  stderr: 'inherit',
  ipc: message => messages.shift()?.(message as { origin?: string }),
})
const answer = () => new Promise<{ origin?: string; timers?: number; heap?: number }>(resolve => messages.push(resolve))
void (async () => {
  const decoder = new TextDecoder()
  for await (const chunk of child.stdout)
    for (const line of decoder.decode(chunk).split('\n')) if (/^\S+ error /.test(line)) complain(line.slice(25))
})()

async function sample(): Promise<Sample> {
  child.send('timers')
  const { timers = 0, heap = 0 } = await answer()
  const at = `/proc/${child.pid}`
  const files = readdirSync(`${at}/fd`).map(name => {
    try {
      return readlinkSync(`${at}/fd/${name}`)
    } catch {
      return ''
    }
  })
  return {
    at: performance.now(),
    rss: residentMb(child.pid),
    heap,
    files: files.length,
    sockets: files.filter(target => target.startsWith('socket:')).length,
    threads: readdirSync(`${at}/task`).length,
    timers,
  }
}

const row = (cells: readonly (string | number)[]) =>
  console.log(
    cells.map((cell, index) => String(cell)[index === 0 ? 'padEnd' : 'padStart'](index === 0 ? 26 : 10)).join(''),
  )
const middle = (samples: readonly Sample[], of: keyof Sample) => median(samples.map(one => one[of]))
function tell(name: string, samples: readonly Sample[]) {
  const { length } = samples
  if (length === 0) return
  row([
    name,
    middle(samples, 'rss').toFixed(0),
    middle(samples, 'heap').toFixed(0),
    ...(['files', 'sockets', 'threads', 'timers'] as const).map(of => middle(samples, of)),
  ])
}

try {
  using hosts = await startHosts(10)
  const { origin } = await answer()
  const server = connectTo(origin!)
  const ledger = createLedger()
  let counted = 0
  const feeds = Array.from({ length: PODCASTS }, (_, index) => hosts.add(`Lasting-${index}`, 40, 2 * MINUTE))
  const world: World = { hosts, ledger, random, feeds, count: () => ++counted, imports: [], complain }
  await server.system.editSettings({ podcastPrefill: 3 })
  for (const feed of feeds) await server.podcasts.add(feed)
  hosts.pace(5)
  const episodes = await episodesOf(server, world)

  row(['', 'MB', 'heap', 'files', 'sockets', 'threads', 'timers'])
  /** Under load for so long; tells of every minute. */
  async function underLoad(from: number, to: number): Promise<Sample[]> {
    const load = startLoad(world, server, episodes, { more, slower: 3 })
    const samples: Sample[] = []
    const began = performance.now()
    let told = began
    while (performance.now() - began < (to - from) * MINUTE) {
      await Bun.sleep(1000)
      samples.push(await sample())
      if (performance.now() - told < MINUTE) continue
      tell(
        `minute ${Math.round(from + (performance.now() - began) / MINUTE)}`,
        samples.filter(({ at }) => at > told),
      )
      told = performance.now()
    }
    await load.stop()
    return samples
  }
  async function atRest(name: string): Promise<Sample> {
    await Bun.sleep(REST_MS)
    const resting = await sample()
    tell(name, [resting])
    return resting
  }

  await underLoad(0, warmMinutes)
  const before = await atRest('at rest')
  const samples = await underLoad(warmMinutes, minutes)
  const after = await atRest('at rest in the end')

  const first = samples.filter(({ at }) => at < samples[0]!.at + MINUTE)
  const last = samples.filter(({ at }) => at > samples.at(-1)!.at - MINUTE)
  const growth = middle(last, 'rss') / middle(first, 'rss') - 1
  const { acknowledged } = ledger.figures()
  console.log(
    `memory, the last minute beside the first one after the warming up: ${(100 * growth).toFixed(1)} % (wanted < 10 %)`,
  )
  console.log(
    `files and timers at rest: ${after.files - before.files} and ${after.timers - before.timers} more (wanted none)`,
  )
  console.log(`${acknowledged} writes acknowledged; refused: ${ledger.refusals().join(', ') || 'none'}`)
  for (const [text, count] of complaints) console.log(`! ${text} (${count})`)
  const isFine = growth < 0.1 && after.files <= before.files && after.timers <= before.timers && complaints.size === 0
  child.kill('SIGTERM')
  await child.exited
  process.exitCode = isFine ? 0 : 1
} finally {
  child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}
process.exit()
