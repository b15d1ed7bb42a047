import { expect, test } from 'bun:test'
import { closeSync, openSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { writeZip, type ZipEntry } from '../../../src/server/moving/out/write-zip'
import { openZip } from '../../../src/server/moving/zip'
import { temporaryFolder } from '../../support/app'
import { unzip } from '../../support/unzip'

async function* parts(...texts: (string | Uint8Array)[]) {
  for (const text of texts) yield typeof text === 'string' ? Buffer.from(text) : text
}

const entry = (name: string, content: AsyncIterable<Uint8Array>, isPacked = false): ZipEntry => ({
  name,
  at: Date.UTC(2026, 4, 1, 12, 30, 8),
  isPacked,
  content,
})

/** Writes an archive to the disk; parts of nothing but zeros become a hole in the file. */
async function written(entries: AsyncIterable<ZipEntry>, hole?: Uint8Array): Promise<string> {
  const path = join(temporaryFolder(), 'written.zip')
  const file = openSync(path, 'w')
  let place = 0
  for await (const part of writeZip(entries)) {
    if (part !== hole) writeSync(file, part, 0, part.byteLength, place)
    place += part.byteLength
  }
  closeSync(file)
  truncateSync(path, place)
  return path
}

test('entries come back as they were, packed or not, of any size and name', async () => {
  const noise = crypto.getRandomValues(new Uint8Array(60_000))
  async function* entries() {
    yield entry('text.txt', parts('Fog', ' and ', 'storm '.repeat(9000)), true)
    yield entry('folder/Zoë – “1”.mp3', parts(noise, noise))
    yield entry('empty.txt', parts(), true)
    yield entry('nothing', parts())
  }
  const files = await unzip(await written(entries()))
  expect([...files].map(([name, bytes]) => [name, bytes.byteLength])).toEqual([
    ['text.txt', 8 + 54_000],
    ['folder/Zoë – “1”.mp3', 120_000],
    ['empty.txt', 0],
    ['nothing', 0],
  ])
  expect(files.get('folder/Zoë – “1”.mp3')).toEqual(Buffer.concat([noise, noise]))
  expect(String(files.get('text.txt'))).toStartWith('Fog and storm storm')
})

test('an entry of more than four gigabytes, and what comes behind it, are found', async () => {
  const zeros = new Uint8Array(64 * 1024 * 1024)
  const TIMES = 65
  const large = TIMES * zeros.byteLength
  async function* entries() {
    yield entry('large.mp3', parts(...Array.from({ length: TIMES }, () => zeros)))
    yield entry('behind.txt', parts('still here'), true)
  }
  const path = await written(entries(), zeros)
  const { entries: found } = await openZip(path)
  expect(found).toMatchObject([
    { name: 'large.mp3', uncompressedSize: large, compressedSize: large, relativeOffsetOfLocalHeader: 0 },
    { name: 'behind.txt', uncompressedSize: 10, relativeOffsetOfLocalHeader: large + 30 + 'large.mp3'.length + 24 },
  ])
}, 120_000)

test('more entries than sixteen bits count are all listed', async () => {
  const MAX_COUNT = 66_000
  async function* entries() {
    for (let number = 0; number < MAX_COUNT; number++) yield entry(`${number}`, parts())
  }
  const path = await written(entries())
  const { entries: found } = await openZip(path)
  expect([found.length, found.at(-1)!.name]).toEqual([MAX_COUNT, `${MAX_COUNT - 1}`])
}, 120_000)

test('a source that fails ends the archive with its error', async () => {
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('a')
    throw new Error('the database is gone')
  }
  for (const isPacked of [true, false]) {
    async function* entries() {
      yield entry('a', failing(), isPacked)
    }
    await expect(written(entries())).rejects.toThrow('the database is gone')
  }
})
