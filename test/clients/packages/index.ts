import type { Report } from '../../support/report'
import { tryDebian } from './debian'
import { tryExecutables } from './executables'
import { tryImages } from './image'

// What `bun run release` left in dist/release, installed and started by the programs of others.

export async function run(report: Report) {
  await tryExecutables(report)
  await tryDebian(report)
  await tryImages(report)
}
