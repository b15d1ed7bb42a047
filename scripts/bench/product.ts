import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { noise } from '../../test/support/builders'
import { measureApps } from './apps'
import { withHosts } from './hosts'
import { measureInterface } from './interface'
import { measureFeeds } from './feeds'
import { measureFirstPodcast } from './first-podcast'
import { measureImport } from './import'
import { measureLarge } from './large'
import { measureParsing } from './parsing'
import { measureRefresh } from './refresh'
import { measureSignIn } from './sign-in'
import { measureStart } from './start'
import { measureStreaming } from './streaming'
import { measureSync } from './sync'

const report = (name: string, value: string, wanted = '') =>
  console.log(`${name.padEnd(62)}${value.padStart(18)}${wanted ? `   wanted ${wanted}` : ''}`)

/** Measures some parts of an executable, or all: each beside something else in the same run. */
export async function measureProduct(castellan: string, parts: readonly string[]) {
  const wants = (part: string) => parts.length === 0 || parts.includes(part)
  const folder = mkdtempSync(join(tmpdir(), 'castellan-bench-'))
  const env = { DATA_DIRECTORY: join(folder, 'data'), PORT: '0', DISK_RESERVE: '0', LOG_FORMAT: 'text' }
  try {
    if (wants('parse')) measureParsing(report)
    if (wants('feeds')) measureFeeds(report)
    if (wants('start') || wants('sign-in') || wants('refresh'))
      await withHosts(async origins => {
        if (wants('start')) await measureStart(folder, castellan, env, origins, report)
        if (wants('sign-in')) await measureSignIn(folder, castellan, env, origins, report)
        if (wants('refresh')) await measureRefresh(folder, castellan, env, origins, report)
      })
    if (wants('import')) await measureImport(folder, castellan, env, report)
    if (wants('first')) await measureFirstPodcast(folder, castellan, env, report)
    if (wants('large')) await measureLarge(folder, castellan, env, report)
    if (wants('apps')) await measureApps(folder, castellan, env, report)
    if (wants('sync')) await measureSync(folder, castellan, env, report)
    if (wants('interface')) await measureInterface(folder, castellan, env, report)
    if (wants('stream')) {
      const data = { ...env, DATA_DIRECTORY: join(folder, 'stream') }
      await measureStreaming(folder, castellan, data, noise(200 * 1024 * 1024, 4), report)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
