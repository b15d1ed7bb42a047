import type { Browser } from 'playwright-core'
import { percentile, residentMb } from '../../../test/support/measure'
import { listsOf, type List } from '../lists'
import { load } from '../load'
import { cpuSeconds } from '../process'
import { RANGES, readRanges, readWhole } from '../reads'
import { byTurns, type Samples } from '../samples'
import { homeBytes } from './home'
import { MEDIA_BYTES, findMedia } from './plant'
import { startVersion, type Running, type Side, type Version } from './server'

const STARTS = 9
const REST_MS = 8000
const LOAD_MS = 600
/** Answers as they are: one executable may compress them and the other not. */
const plain = { 'Accept-Encoding': 'identity' }
const packed = { 'Accept-Encoding': 'gzip, deflate, br, zstd' }

type Filled = Version & { library: string }
type Ready = Filled & { server: Running; lists: (List & { headers?: Record<string, string> })[]; media: string }

/** Start, memory, lists and files of two filled libraries, by turns; `browser` for the bytes of the home page. */
export async function measureFilled(
  versions: readonly Filled[],
  turns: number,
  samples: Samples<Side>,
  browser: Browser | null,
) {
  await byTurns(versions, STARTS, async ({ library: folder, side, ...version }) => {
    const server = await startVersion({ ...version }, { folder })
    samples.add('start, to the first answer: ms, CPU ms', side, server.ms, 1000 * cpuSeconds(server.pid))
    await server.stop()
  })
  const ready: Ready[] = []
  for (const version of versions) ready.push(await prepare(version))
  await Bun.sleep(REST_MS)
  for (const { side, server } of ready) samples.add('memory at rest: MB', side, residentMb(server.pid))
  for (const { name } of ready[0]!.lists) {
    await byTurns(ready, 1, async version => void (await loadList(version, name)))
    await byTurns(ready, turns, async version => {
      const { times, cpuMs } = await loadList(version, name)
      samples.add(`${name}: CPU, p50, p99 ms`, version.side, cpuMs, percentile(times, 0.5), percentile(times, 0.99))
    })
  }
  await byTurns(ready, turns, version => measureFiles(version, samples))
  if (browser)
    for (const { side, server } of ready)
      samples.add('home page, cold and warm: kB', side, ...(await homeBytes(browser, server.origin)))
  for (const { server } of ready) await server.stop()
}

async function prepare(version: Filled): Promise<Ready> {
  const server = await startVersion(version, { folder: version.library })
  const api = `${server.origin}/api/v1`
  const more = [
    {
      name: 'timeline, the newest 25, as browsers ask',
      address: () => `${api}/podcasts/timeline?limit=25`,
      headers: packed,
    },
    { name: 'timeline, the newest 50', address: () => `${api}/podcasts/timeline?limit=50` },
    { name: 'the queue, 100 episodes', address: () => `${api}/queue` },
    { name: 'unread notifications', address: () => `${api}/notifications/unread` },
  ]
  const media = `${server.origin}${await findMedia(server.call)}`
  return { ...version, server, lists: [...(await listsOf(server.origin)), ...more], media }
}

function loadList({ server, lists }: Ready, wanted: string) {
  const { address, headers = plain } = lists.find(({ name }) => name === wanted)!
  return load([server.pid], () => fetch(address(), { headers }), LOAD_MS)
}

async function measureFiles({ side, server, media }: Ready, samples: Samples<Side>) {
  const cpu = cpuSeconds(server.pid)
  const ranges = await readRanges(media, MEDIA_BYTES)
  const between = cpuSeconds(server.pid)
  samples.add('ranges of 64 KB: MB/s, CPU ms each', side, ranges, (1000 * (between - cpu)) / RANGES)
  const whole = await readWhole(media, MEDIA_BYTES)
  samples.add('a whole file of 64 MB: MB/s, CPU ms', side, whole, 1000 * (cpuSeconds(server.pid) - between))
}
