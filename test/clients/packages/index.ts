import type { Report } from '../../support/report'
import { tryDebian } from './debian'
import { tryExecutables } from './executables'
import { tryFullDisk } from './full-disk'
import { tryImages } from './image'
import { trySystems } from './systems'

// What `bun run release` left in dist/release, installed and started by the programs of others.

export async function run(report: Report) {
  await tryExecutables(report)
  await tryFullDisk(report)
  await tryDebian(report)
  await trySystems(report)
  await tryImages(report)
}
