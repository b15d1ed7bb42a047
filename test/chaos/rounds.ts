import { Database } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { executable, runExecutable, startExecutable } from '../support/executable'
import { createDisk, stateOf } from './check'
import { SHOWN, startHosts } from './hosts'
import { createLedger } from './ledger'
import type { World } from './actor'
import { episodesOf, startLoad } from './load'
import { findProgram } from '../support/programs'
import { startRandom } from '../support/random'
import { timeOf } from './media-check'
import { createMachine } from './machine'
import { createComings } from './comings'
import { inventoryOf, rowsWithout } from '../support/inventory'
import { startPlaces } from './places'
import { connectTo, environment, type Server } from './server'

const PODCASTS = 8
const EPISODES = 10
const LOAD_MS = 900
const INVENTORY_EVERY = 5
const TIDIED_WITHIN_MS = 60_000
const SETTLED_WITHIN_MS = 120_000

type Options = {
  rounds: number
  seed: number
  /** The storage of media. */
  storage?: 'folder' | 's3'
  /** Whether Litestream copies the database, and the machine is lost sometimes. */
  withReplica?: boolean
  /** Finds the path of a program of others; null = it is not installed. */
  find?: (program: string) => string | null
  log?: (text: string) => void
}

export type ChaosReport = Awaited<ReturnType<typeof chaosRounds>>

/** Writes of which an instant lies between two things on the disk. */
const delicate = [
  'backup',
  'backup removal',
  'download removal',
  'podcast removal',
  'vast removal',
  'account removal',
  'move',
  'move undo',
  'podcast',
  'import',
  'renaming',
  'queue',
]

/**
 * Kills the executable without warning while many use it, again and again, and looks each time at what the next start
 * finds. A tenth of the kills comes while it starts, a half right after a delicate write was sent, the others whenever.
 * In the end everything that was begun has to come to its end.
 */
export async function chaosRounds({
  rounds,
  seed,
  storage = 'folder',
  withReplica = false,
  find = findProgram,
  log = () => {},
}: Options) {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-chaos-'))
  const litestream = withReplica ? find('litestream') : null
  if (withReplica && !litestream) console.log('litestream is not installed: no replica, and no machine is lost')
  await using places = await startPlaces(folder, storage, { find, say: console.log })
  const data = join(folder, 'data')
  const env = { ...environment, DATA_DIRECTORY: data, BACKUP_INTERVAL: '0', ...places.env }
  await using machine = createMachine(folder, env, places, litestream)
  const random = startRandom(seed)
  using hosts = await startHosts(6)
  const violations: string[] = []
  const complain = (text: string) => {
    violations.push(text)
    log(`  ! ${text}`)
  }
  let counted = 0
  let kill: ((kind: string) => void) | null = null
  const ledger = createLedger(kind => kill?.(kind))
  const feeds = Array.from({ length: PODCASTS }, (_, index) =>
    hosts.add(index === 0 ? 'Long' : `Lasting-${index}`, EPISODES),
  )
  const world: World = { hosts, ledger, random, feeds, count: () => ++counted, imports: [], complain }
  const comings = createComings(folder)
  const media = storage === 's3' ? join(data, 'podcasts') : places.media
  const disk = createDisk(data, hosts, { media, bucket: places.bucket })
  const kills = { starting: 0, aimed: 0, whenever: 0, downloading: 0, wiped: 0 }
  const lagMs: number[] = []
  let lostSince: number | null = null
  let lostFiles = 0
  const startMs: number[] = []

  async function start() {
    const began = performance.now()
    const startedAt = Date.now()
    const running = await startExecutable(env)
    startMs.push(performance.now() - began)
    await machine.replicate()
    const server = connectTo(running.origin)
    // The person who tries again what two deaths set aside.
    for (const item of await server.setAside.list()) await server.setAside.retry(item)
    return { ...running, startedAt, server }
  }
  type Running = Awaited<ReturnType<typeof start>>

  const isRenaming = async (server: Server) =>
    (await server.opml.jobs()).some(({ kind, state }) => kind === 'rename' && state === 'running')

  async function look({ server, startedAt }: Running, isThorough = true) {
    const until = performance.now() + TIDIED_WITHIN_MS
    // A renaming goes on after a start, and no file stays where it is meanwhile.
    for (; await isRenaming(server); await Bun.sleep(20))
      if (performance.now() > until) return complain('a renaming does not end')
    const unfinished = () => disk.unfinished(startedAt)
    for (let left = await unfinished(); left.length > 0; left = await unfinished()) {
      if (performance.now() > until) return left.forEach(complain)
      await Bun.sleep(50)
    }
    if (lostSince !== null) lostFiles += await disk.removeLost(lostSince)
    lostSince = null
    for (const wrong of [...(await disk.files()), ...disk.dataFolder(ledger), ...rowsWithout(data)]) complain(wrong)
    for (const wrong of ledger.compare(await stateOf(server, disk))) complain(wrong)
    if (isThorough) await finishRemovals(until)
    for (const { eid, feed_url, file_path } of disk.episodes())
      if (file_path !== null && feeds.includes(feed_url)) ledger.note(`file ${eid}`, true)
  }

  async function finishRemovals(until: number) {
    for (let left = disk.removals(); left > 0; left = disk.removals()) {
      if (performance.now() > until) return complain(`${left} removals do not end`)
      await Bun.sleep(50)
    }
  }

  /** Stops the server in order, and looks at everything that it leaves in the data folder. */
  async function takeInventory({ stop, output }: Running) {
    if ((await stop()) !== 0) complain('it did not stop when it was asked to')
    // A stop that takes too long is cut off, and leaves what a kill would.
    const isWhole = output.join('').includes('Stopped')
    for (const wrong of isWhole ? inventoryOf(data, media) : rowsWithout(data)) complain(`inventory: ${wrong}`)
  }

  async function end({ process, output }: Pick<Running, 'process' | 'output'>) {
    process.kill('SIGKILL')
    for (const line of output.join('').split('\n')) if (/^\S+ error /.test(line)) complain(`logged: ${line}`)
    await process.exited
    for (const wrong of rowsWithout(data)) complain(`right after the kill: ${wrong}`)
  }

  /** While it starts, perhaps before it opens the database, perhaps while it does. */
  async function killStarting() {
    const process = Bun.spawn([executable], { env: { ...env, PORT: '0' }, stdout: 'ignore', stderr: 'ignore' })
    await Bun.sleep(random.between(5, 150))
    process.kill('SIGKILL')
    await process.exited
    kills.starting++
  }

  async function killUnderLoad(running: Running) {
    const episodes = await episodesOf(running.server, world)
    const load = startLoad(world, running.server, episodes, { more: comings.actors })
    const isAimed = random.chance(55)
    const target = random.pick(delicate)
    const { promise: moment, resolve } = Promise.withResolvers<void>()
    await Bun.sleep(random.between(20, LOAD_MS))
    if (isAimed) {
      kill = kind => {
        if (kind === target) setTimeout(resolve, random.between(0, 15))
      }
      await Promise.race([moment, Bun.sleep(1500)])
    }
    kill = null
    kills[isAimed ? 'aimed' : 'whenever']++
    if (disk.parts().length > 0) kills.downloading++
    const isWiped = machine.hasReplica && random.chance(25)
    await end(running)
    await load.stop()
    if (isWiped) await wipe()
  }

  /** Loses the machine, with what was written since the last copy of its database. */
  async function wipe() {
    const killedAt = Date.now()
    const since = await machine.wipe()
    log(`  the machine is lost, with what was written after ${timeOf(since)}`)
    kills.wiped++
    lagMs.push(killedAt - since)
    lostSince = since
    ledger.loosen(since)
    // Files that got other names since then are gone from where the copy has them.
    for (const kind of ['backup ', 'file ', 'import ', 'move ']) ledger.keys(kind).forEach(ledger.forget)
    world.imports.length = 0
    comings.forget()
    disk.forget()
  }

  const prepare = async (server: Server) => {
    await server.system.editSettings({ podcastPrefill: 3 })
    for (const feed of feeds)
      await ledger.write('podcast', { [`podcast ${feed}`]: true }, () => server.podcasts.add(feed))
  }

  /** Makes all feeds due, each with news. */
  function makeDue() {
    for (const feed of feeds) hosts.publish(feed)
    const db = new Database(join(data, 'castellan.db'))
    db.run('UPDATE podcast SET next_check_at = 0')
    db.close()
  }

  async function unsettled({ server }: Running): Promise<string[]> {
    const { counts } = (await server.downloads.page(null)).data
    const jobs = (await server.opml.jobs()).filter(({ state }) => state === 'running')
    const known = new Set(disk.episodes().map(({ enclosure_url }) => enclosure_url))
    const behind = feeds.filter(feed =>
      hosts
        .enclosuresOf(feed)
        .slice(-SHOWN)
        .some(url => !known.has(url)),
    )
    const addresses = new Map((await server.podcasts.list()).map(({ id, rssfeed }) => [id, rssfeed]))
    const due = (await server.podcasts.checks()).filter(
      ({ next_check_at }) => next_check_at !== null && Date.parse(next_check_at) === 0,
    )
    return [
      ...(counts.queued + counts.running + counts.waiting > 0
        ? [`downloads do not end: ${JSON.stringify(counts)}`]
        : []),
      ...(counts.failed > 0 ? [`${counts.failed} downloads failed`] : []),
      ...jobs.map(({ kind, done, total }) => `a job (${kind}) stands at ${done} of ${total}`),
      ...behind.map(feed => `${feed} has episodes that the library has not`),
      ...due.map(({ id }) => `${addresses.get(id)} was not refreshed`),
    ]
  }

  async function settle(running: Running) {
    const until = performance.now() + SETTLED_WITHIN_MS
    let left = await unsettled(running)
    while (left.length > 0 && performance.now() < until) {
      await Bun.sleep(200)
      left = await unsettled(running)
    }
    for (const text of left) complain(text)
  }

  const began = performance.now()
  try {
    hosts.pace(12)
    for (let round = 1; round <= rounds; round++) {
      if (round > 1 && random.chance(10)) {
        await killStarting()
        continue
      }
      let running = await start()
      if (round === 1) await prepare(running.server)
      const isThorough = round % INVENTORY_EVERY === 0
      await look(running, isThorough)
      if (isThorough) {
        await takeInventory(running)
        running = await start()
      }
      await killUnderLoad(running)
      const { acknowledged } = ledger.figures()
      log(
        `round ${round}, until ${timeOf(Date.now())}: ${acknowledged} writes acknowledged, ${violations.length} violations`,
      )
    }
    hosts.pace(0)
    makeDue()
    const last = await start()
    await look(last)
    await settle(last)
    await look(last)
    const doctor = await runExecutable(['doctor'], env)
    for (const line of doctor.stdout.split('\n')) if (line.startsWith('PROBLEM')) complain(`doctor: ${line}`)
    await takeInventory(last)
    return {
      seed,
      rounds,
      seconds: (performance.now() - began) / 1000,
      kills,
      lagMs,
      lostFiles,
      startMs,
      ...ledger.figures(),
      ...disk.figures(),
      removed: (['podcast removal', 'vast removal', 'account removal', 'move undo'] as const).map(ledger.countOf),
      refusals: ledger.refusals(),
      violations,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
