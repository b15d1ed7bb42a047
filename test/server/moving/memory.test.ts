import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { temporaryFolder } from '../../support/app'
import { writeLargeGpodder, writeLargePinepods } from '../../support/foreign/large'

const ROWS = Number(process.env.MOVE_ROWS ?? 100_000)
const FEW = ROWS / 10
/** Ten times as many rows take no more than some garbage that is not collected yet. */
const MAX_MORE_MB = 32

/** Reads a file in a process of its own, as a move does. */
async function read(path: string): Promise<{ items: number; peakMb: number }> {
  const script = join(import.meta.dir, '../../support/foreign/read-all.ts')
  const child = Bun.spawn([process.execPath, script, path], { stderr: 'inherit' })
  return JSON.parse(await new Response(child.stdout).text())
}

test.skipIf(process.platform !== 'linux').each([
  ['a database', writeLargeGpodder],
  ['a dump', writeLargePinepods],
])(
  'reading %s of ten times as many rows takes no more memory',
  async (_, write) => {
    const few = await read(write(join(temporaryFolder(), 'few'), FEW))
    const many = await read(write(join(temporaryFolder(), 'many'), ROWS))
    expect([few.items > FEW, many.items > ROWS]).toEqual([true, true])
    expect(many.peakMb - few.peakMb).toBeLessThan(MAX_MORE_MB)
  },
  { timeout: 600_000 },
)
