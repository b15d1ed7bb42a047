import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { writePieces } from '../../../../src/server/media/write-tags/tags'
import { temporaryFolder } from '../../../support/app'

const folder = temporaryFolder()
const [source, target] = [join(folder, 'source'), join(folder, 'target')]

test('pieces are new bytes and ranges of a file of any length', async () => {
  const old = crypto.getRandomValues(Buffer.alloc(60_000)).toString('base64').repeat(40)
  await Bun.write(source, old)
  const pieces = [Buffer.from('head'), { from: 5, to: 5 }, { from: 10, to: old.length - 3 }, Buffer.from('tail')]
  const wanted = `head${old.slice(10, -3)}tail`
  expect(await writePieces(source, target, pieces)).toBe(wanted.length)
  expect((await Bun.file(target).text()) === wanted).toBe(true)
})

test('a file that is shorter than its pieces say leaves nothing behind', async () => {
  await Bun.write(source, 'short')
  await expect(writePieces(source, target, [{ from: 0, to: 9 }])).rejects.toThrow('ends at byte 5')
  expect(existsSync(target)).toBe(false)
})
