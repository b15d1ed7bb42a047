import { createWords } from '../../../test/support/words'
import { load } from '../load'
import { cpuSeconds } from '../process'
import { readRanges, readWhole } from '../reads'
import { byTurns, type Samples } from '../samples'
import { percentile } from '../../../test/support/measure'
import { until, type List, type Peer } from './peer'

export type Pair = { ours: Peer; theirs: Peer; samples: Samples<string>; turns: number; loadMs: number; ranges: number }

/** Runs one comparison; where a server answers otherwise than expected, its rows say so. */
export async function compare(pair: Pair, what: string, run: () => Promise<void>) {
  try {
    await run()
  } catch (error) {
    pair.samples.miss(what, error instanceof Error ? error.message : String(error))
  }
}

export const bothKnown = ({ ours, theirs }: Pair) => ours.pids.length > 0 && theirs.pids.length > 0
const cpuOf = ({ pids }: Peer) => cpuSeconds(...pids)

/** A list of as many rows on both, `most` of them at most. */
export async function compareLists(
  pair: Pair,
  what: string,
  most: number,
  listOf: (peer: Peer, most: number) => () => List,
) {
  await compare(pair, what, async () => {
    const rowsIn = async (peer: Peer, limit: number) => {
      const { path, rowsOf } = listOf(peer, limit)()
      const response = await peer.fetch(path)
      if (!response.ok) throw new Error(`GET ${path} answered ${response.status}`)
      return rowsOf(await response.json())
    }
    const theirs = await rowsIn(pair.theirs, most)
    if (theirs === 0) throw new Error('the answer has no rows')
    const rows = Math.min(most, theirs)
    const ours = await rowsIn(pair.ours, rows)
    await compareLoad(pair, `${what}, ${ours === theirs ? ours : `${ours} and ${theirs}`} rows`, peer =>
      listOf(peer, peer === pair.ours ? rows : most),
    )
  })
}

/** Searches for common words, other ones each time. */
export async function compareSearch(pair: Pair) {
  const what = 'search, a word'
  const { word } = createWords(7)
  await compare(pair, what, () => compareLoad(pair, what, peer => () => peer.search(word())))
}

async function compareLoad(pair: Pair, what: string, listOf: (peer: Peer) => () => List) {
  const { ours, theirs, samples, turns, loadMs } = pair
  const run = (peer: Peer) => {
    const next = listOf(peer)
    return load(peer.pids, () => peer.fetch(next().path), loadMs)
  }
  await byTurns([ours, theirs], 1, async peer => void (await run(peer)))
  await byTurns([ours, theirs], turns, async peer => {
    const { times, cpuMs } = await run(peer)
    samples.add(`${what}: p50, p99 ms`, peer.name, percentile(times, 0.5), percentile(times, 0.99))
    if (bothKnown(pair)) samples.add(`${what}: CPU ms`, peer.name, cpuMs)
  })
}

/** Measures work that goes on behind the answers: `run` ends when it is done, and the processor is waited for. */
export async function compareWork(pair: Pair, what: string, each: number, run: (peer: Peer) => Promise<void>) {
  await compare(pair, what, async () => {
    for (const peer of [pair.ours, pair.theirs]) {
      const cpu = cpuOf(peer)
      const began = performance.now()
      await run(peer)
      pair.samples.add(`${what}: ms each`, peer.name, (performance.now() - began) / each)
      if (!bothKnown(pair)) continue
      await untilQuiet(peer)
      pair.samples.add(`${what}: CPU ms each`, peer.name, (1000 * (cpuOf(peer) - cpu)) / each)
    }
  })
}

/** Waits until a process has used no processor time for a third of a second. */
async function untilQuiet(peer: Peer) {
  await until('the process does not come to rest', 5, async () => {
    const before = cpuOf(peer)
    await Bun.sleep(300)
    return cpuOf(peer) - before <= 0.01 ? true : null
  })
}

/** Ranges of 64 KB and a whole file of the same download. */
export async function compareFiles(pair: Pair, feed: string) {
  const what = 'a file of 64 MB'
  await compare(pair, what, async () => {
    const files = new Map<Peer, Awaited<ReturnType<typeof sized>>>()
    for (const peer of [pair.ours, pair.theirs]) files.set(peer, await sized(await peer.download(feed)))
    await byTurns([pair.ours, pair.theirs], pair.turns, async peer => {
      const { address, headers, size } = files.get(peer)!
      const add = (name: string, speed: number, cpuMs: number) => {
        pair.samples.add(`${name}: MB/s`, peer.name, speed)
        if (bothKnown(pair)) pair.samples.add(`${name}: CPU ms`, peer.name, cpuMs)
      }
      const before = cpuOf(peer)
      const ranges = await readRanges(address, size, headers, pair.ranges)
      const between = cpuOf(peer)
      add(`${what}, a range of 64 KB`, ranges, (1000 * (between - before)) / pair.ranges)
      const whole = await readWhole(address, size, headers)
      add(`${what}, whole`, whole, 1000 * (cpuOf(peer) - between))
    })
  })
}

/** The length that a server gives: some write tags into what they download. */
async function sized(file: { address: string; headers: Record<string, string> }) {
  const response = await fetch(file.address, { headers: { ...file.headers, Range: 'bytes=0-0' } })
  await response.arrayBuffer()
  const size = Number(/\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1])
  if (!size) throw new Error(`a range of the file was answered with ${response.status}`)
  return { ...file, size }
}
