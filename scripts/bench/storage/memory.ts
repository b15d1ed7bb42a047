import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inBucket } from '../../../test/support/bucket'
import { residentMb } from '../../../test/support/measure'
import type { BucketPlace } from '../../../test/support/s3-server/signed'
import { peakMb, startUpMs } from '../process'
import { readWhole } from '../reads'
import { download, startRecordingHosts, writeRecording, type Report } from './library'

type Needs = {
  folder: string
  castellan: string
  place: BucketPlace
  report: Report
  megabytes: number
  atOnce: number
}

/** The kernel forgets the highest memory so far. */
const forgetPeak = (pid: number) => writeFileSync(`/proc/${pid}/clear_refs`, '5')

/**
 * Peak memory while recordings go from their hosts into the storage, and from there to listeners, several at once: with
 * the folder, where receiving alone counts, and with the bucket.
 */
export async function measureMemory({ folder, castellan, place, report, megabytes, atOnce }: Needs) {
  const recording = join(folder, 'recording.mp3')
  const size = writeRecording(recording, megabytes / atOnce)
  const hosts = startRecordingHosts(recording, atOnce)
  const name = `${((size * atOnce) / 1e6).toFixed(0)} MB`
  report(`memory above rest, ${name}, ${atOnce} at once`, '')
  try {
    for (const storage of ['folder', 'bucket'] as const) {
      const env = environment(join(folder, `memory-${storage}`), storage === 'folder' ? null : place, atOnce)
      const { up, down } = await measurePeaks(await startUpMs([castellan], env, '/healthz'), hosts.feed, size)
      report(`  from hosts into the ${storage}`, `${up.toFixed(0)} MB`, storage === 'bucket' ? '≤ 60 MB' : '')
      report(`  from the ${storage} to listeners`, `${down.toFixed(0)} MB`, storage === 'bucket' ? '≤ 60 MB' : '')
    }
  } finally {
    await hosts.stop()
  }
}

async function measurePeaks({ pid, origin, stop }: Awaited<ReturnType<typeof startUpMs>>, feed: string, size: number) {
  try {
    await Bun.sleep(2000)
    const rest = residentMb(pid)
    forgetPeak(pid)
    const addresses = await download(origin, feed)
    const up = peakMb(pid) - rest
    forgetPeak(pid)
    await Promise.all(addresses.map(address => readWhole(address, size)))
    return { up, down: peakMb(pid) - rest }
  } finally {
    await stop()
  }
}

export const environment = (data: string, place: BucketPlace | null, atOnce: number): Record<string, string> => ({
  DATA_DIRECTORY: data,
  PORT: '0',
  DISK_RESERVE: '0',
  LOG_FORMAT: 'text',
  MAX_PARALLEL_DOWNLOADS: String(atOnce),
  ...((place && inBucket(place)) as Record<string, string> | null),
})
