import { join } from 'node:path'
import { median } from '../../../test/support/measure'
import type { BucketPlace } from '../../../test/support/s3-server/signed'
import { cpuSeconds, startUpMs } from '../process'
import { readRanges, readWhole } from '../reads'
import { download, startRecordingHosts, writeRecording, type Report } from './library'
import { environment } from './memory'

type Needs = { folder: string; castellan: string; place: BucketPlace; report: Report }
type Rival = {
  name: string
  address: string
  pid: number
  whole: number[]
  ranges: number[]
  following: number[]
  cpu: number
}

const ROUNDS = 7
const MEGABYTES = 200
const RANGES = 2000

/**
 * A recording of 200 MB, whole and in ranges of 64 KB: from the folder, relayed from the bucket, and by a redirect, in
 * turn.
 */
export async function measureThroughput({ folder, castellan, place, report }: Needs) {
  const recording = join(folder, 'throughput.mp3')
  const size = writeRecording(recording, MEGABYTES)
  const hosts = startRecordingHosts(recording, 1)
  await using stack = new AsyncDisposableStack()
  stack.defer(async () => void (await hosts.stop()))
  const rivals: Rival[] = []
  for (const name of ['folder', 'relay', 'redirect'] as const) {
    const env = {
      ...environment(join(folder, name), name === 'folder' ? null : place, 1),
      ...(name !== 'folder' && { S3_PREFIX: name, S3_REDIRECT: String(name === 'redirect') }),
    }
    const server = await startUpMs([castellan], env, '/healthz')
    stack.defer(server.stop)
    const [address] = await download(server.origin, hosts.feed)
    rivals.push({ name, address: address!, pid: server.pid, whole: [], ranges: [], following: [], cpu: 0 })
  }
  for (let round = 0; round < ROUNDS; round++)
    for (const rival of rivals) {
      const before = cpuSeconds(rival.pid)
      rival.whole.push(await readWhole(rival.address, size))
      rival.cpu += cpuSeconds(rival.pid) - before
      rival.ranges.push(await readRanges(rival.address, size, {}, RANGES))
      rival.following.push(await readRanges(rival.address, size, {}, RANGES, 'following'))
    }
  reportAll(rivals, report)
}

function reportAll([folder, relay, redirect]: readonly Rival[], report: Report) {
  const ratio = (ours: readonly number[], theirs: readonly number[]) =>
    `${(median(ours) / median(theirs)).toFixed(2)} ×`
  const rate = (values: readonly number[]) => `${median(values).toFixed(0)} MB/s`
  for (const [title, kind] of [
    [`${MEGABYTES} MB`, 'whole'],
    ['ranges of 64 KB one after the other, 8 connections', 'following'],
    ['ranges of 64 KB at random, 8 connections', 'ranges'],
  ] as const) {
    report(`${title} from the folder`, rate(folder![kind]))
    report('  relayed from the bucket', rate(relay![kind]))
    report('  ratio', ratio(relay![kind], folder![kind]), '≥ 0.7 ×')
    report('  by a redirect to the bucket', rate(redirect![kind]))
    report('  ratio of the relay to that', ratio(relay![kind], redirect![kind]))
  }
  const perRead = (rival: Rival) => `${((1000 * rival.cpu) / ROUNDS).toFixed(0)} ms`
  report(`CPU of the server for ${MEGABYTES} MB: folder`, perRead(folder!))
  report('  relayed', perRead(relay!))
  report('  by a redirect, which carries nothing', perRead(redirect!), '0 ms, nearly')
}
