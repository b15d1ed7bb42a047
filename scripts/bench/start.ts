import { join } from 'node:path'
import { median, residentMb } from '../../test/support/measure'
import { callsOf, importFeeds, noPrefill } from './api'
import { startUpMs } from './process'

type Report = (name: string, value: string, wanted?: string) => void

/** Start and memory at rest with a library of 100 × 200 episodes, beside a bare server. */
export async function measureStart(
  folder: string,
  castellan: string,
  env: Record<string, string>,
  origins: readonly string[],
  report: Report,
) {
  const bare = buildBare(folder)
  const first = await startUpMs([castellan], env, '/healthz')
  const call = callsOf(first.origin)
  await noPrefill(call)
  await importFeeds(
    call,
    Array.from({ length: 100 }, (_, index) => `${origins[index % origins.length]}/library/Library%20${index}`),
  )
  await first.stop()
  // Backs up the new library and checks it, which would otherwise begin anew in every round.
  const second = await startUpMs([castellan], env, '/healthz')
  await Bun.sleep(10_000)
  await second.stop()

  const ours: number[] = []
  const theirs: number[] = []
  const oursMb: number[] = []
  const theirsMb: number[] = []
  for (let round = 0; round < 9; round++) {
    const one = await startUpMs([bare], {}, '/')
    theirs.push(one.ms)
    await Bun.sleep(1500)
    theirsMb.push(residentMb(one.pid))
    await one.stop()
    const two = await startUpMs([castellan], env, '/healthz')
    ours.push(two.ms)
    await Bun.sleep(1500)
    oursMb.push(residentMb(two.pid))
    await two.stop()
  }
  report('start-up, library of 100 × 200 episodes', `${median(ours).toFixed(0)} ms`)
  report('start-up, bare server', `${median(theirs).toFixed(0)} ms`)
  report('  ratio', `${(median(ours) / median(theirs)).toFixed(2)} ×`, '≤ 3 ×')
  report('resident memory at rest, library of 100 × 200 episodes', `${median(oursMb).toFixed(1)} MB`)
  report('resident memory, bare server', `${median(theirsMb).toFixed(1)} MB`)
  report('  ratio', `${(median(oursMb) / median(theirsMb)).toFixed(2)} ×`, '≤ 2.5 ×')
}

/** A server that does nothing, built as ours is. */
function buildBare(folder: string): string {
  const bare = join(folder, 'bare')
  const how = ['--compile', '--minify', '--bytecode', '--format=esm', '--outfile', bare]
  Bun.spawnSync(['bun', 'build', join(import.meta.dir, 'bare.ts'), ...how], { cwd: folder })
  return bare
}
