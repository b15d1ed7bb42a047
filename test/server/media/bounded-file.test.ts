import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { BoundedFile, type Budget } from '../../../src/server/media/bounded-file'
import { refusal, temporaryFolder } from '../../support/app'

async function openBounded(budget: Partial<Budget>) {
  const path = join(temporaryFolder(), 'file')
  writeFileSync(path, Buffer.alloc(100, 7))
  const file = await open(path)
  const bounded = new BoundedFile(file, { size: 100, type: '' }, { reads: 100, bytes: 100, single: 100, ...budget })
  return Object.assign(bounded, { [Symbol.asyncDispose]: () => file.close() })
}

test.each([
  ['one read', { single: 8 }, [9]],
  ['the number of reads', { reads: 2 }, [1, 1, 1]],
  ['all reads together', { bytes: 10 }, [6, 6]],
] as const)('%s is bounded, and everything is refused from then on', async (_, budget, lengths) => {
  await using file = await openBounded(budget)
  for (const length of lengths.slice(0, -1)) expect(await file.readBuffer(new Uint8Array(length))).toBe(length)
  expect(file.isSpent).toBe(false)
  expect(await refusal(file.readBuffer(new Uint8Array(lengths.at(-1)!)))).toMatchObject({ name: 'TooLarge' })
  expect(file.isSpent).toBe(true)
  expect(await refusal(file.readBuffer(new Uint8Array(1)))).toMatchObject({ name: 'TooLarge' })
})
