import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startReport, type Report } from '../../test/support/report'
import { identify } from '../identity'
import { parseChecksums } from './checksums'
import type { Target } from './targets'

const root = join(import.meta.dir, '../..')
const notSource = new Set(['.git', 'node_modules', 'dist', 'data'].map(name => join(root, name)))

/** Builds the release again elsewhere and compares, then installs and starts it. Answers whether all is fine. */
export function verifyRelease(wanted: readonly Target[], isUnsigned: boolean): boolean {
  const report = startReport()
  console.log('\nagain: the same release, built in another folder')
  compareWithAnother(wanted, isUnsigned, report)
  console.log(`\n${report.summary()}`)
  const clients = ['test/clients/index.ts', 'packages']
  return (
    spawnSync(process.execPath, clients, { cwd: root, stdio: 'inherit' }).status === 0 && report.counts.failed === 0
  )
}

function compareWithAnother(wanted: readonly Target[], isUnsigned: boolean, report: Report) {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-again-'))
  try {
    cpSync(root, folder, { recursive: true, filter: path => !notSource.has(path) })
    const { commit, epoch } = identify()
    const env = { ...process.env, SOURCE_COMMIT: commit, SOURCE_DATE_EPOCH: String(epoch) }
    for (const args of [
      ['install', '--frozen-lockfile'],
      ['scripts/release/index.ts', '--targets', wanted.join(','), ...(isUnsigned ? ['--unsigned'] : [])],
    ]) {
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' })
      if (!report.check(`bun ${args[0]} succeeds`, status === 0, `${stdout}${stderr}`.slice(-2000))) return
    }
    const theirs = digestsIn(folder)
    for (const [name, digest] of digestsIn(root)) report.check(`${name} is the same`, theirs.get(name) === digest)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Reads the checksums of a release, the signature's own among them. */
function digestsIn(folder: string): Map<string, string> {
  const path = join(folder, 'dist/release/SHA256SUMS')
  const digests = parseChecksums(readFileSync(path, 'utf8'))
  const signature = `${path}.sig`
  if (existsSync(signature)) digests.set('SHA256SUMS.sig', readFileSync(signature).toString('hex'))
  return digests
}
