import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tryKills } from './kills'
import { findProgram } from '../../support/programs'
import { placeInBucket, placeInFolder } from './programs'
import type { Report } from '../../support/report'
import { tryRestore } from './restore'
import { tryTakeOver } from './take-over'

// Litestream beside the built executable, into a folder and into a bucket of versitygw. `bun run build` first.

export async function run(report: Report) {
  const litestream = findProgram('litestream')
  if (!litestream) return report.skip('replica', 'litestream is not installed')
  const versitygw = findProgram('versitygw')
  const folder = mkdtempSync(join(tmpdir(), 'castellan-replica-'))
  try {
    for (const attempt of [tryTakeOver, tryRestore, tryKills]) {
      const at = (name: string) => join(folder, `${attempt.name}-${name}`)
      for (const name of ['folder', 'bucket']) mkdirSync(at(name))
      {
        await using place = placeInFolder(at('folder'))
        await attempt(report, litestream, place, at('folder'))
      }
      if (!versitygw) {
        report.skip('a replica in a bucket', 'versitygw is not installed')
        continue
      }
      await using place = await placeInBucket(versitygw, at('bucket'))
      await attempt(report, litestream, place, at('bucket'))
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
