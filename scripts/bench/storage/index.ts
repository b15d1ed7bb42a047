import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '../../../test/support/programs'
import { startS3Server } from '../../../test/support/s3-server'
import { startVersitygw } from '../../../test/support/versitygw'
import { readOptions } from '../options'
import type { Report } from './library'
import { measureMemory } from './memory'
import { measureThroughput } from './throughput'

const report: Report = (name, value, wanted = '') =>
  console.log(`${name.padEnd(62)}${value.padStart(18)}${wanted ? `   wanted ${wanted}` : ''}`)

/** Measures media in a bucket of versitygw, or of the tests where that is not installed: `megabytes=2000 at-once=4`. */
export async function measureStorage(castellan: string, args: readonly string[]) {
  const options = readOptions(args)
  const wants = (part: string) => options.others.length === 0 || options.others.includes(part)
  const folder = mkdtempSync(join(tmpdir(), 'castellan-bench-'))
  const program = findProgram('versitygw')
  if (!program) console.log('versitygw is not installed: the bucket is that of the tests, and its speed says nothing')
  try {
    await using stack = new AsyncDisposableStack()
    const place = program
      ? stack.use(await startVersitygw(program, join(folder, 's3')))
      : stack.use(await startS3Server())
    const needs = { folder, castellan, place, report }
    const atOnce = options.count('at-once', 4)
    if (wants('memory')) await measureMemory({ ...needs, atOnce, megabytes: options.count('megabytes', 2000) })
    if (wants('throughput')) await measureThroughput(needs)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
