import { existsSync, mkdirSync, readdirSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'bun:test'
import { createMediaFolder } from '../../../src/server/storage/folder'
import { refusal, startClock, temporaryFolder } from '../../support/app'

function setUp(known: string[] = []) {
  const elapsed = startClock()
  const folder = temporaryFolder()
  const files = createMediaFolder(join(folder, 'media'), () => known, elapsed)
  const write = (path: string, text = 'text') => Bun.write(files.pathOf(path), text)
  return { files, elapsed, folder, write }
}
const absent = { code: 'media-folder-absent' }

describe('a folder that may be a share', () => {
  test('is made and marked when the library has no files', () => {
    const { files } = setUp()
    expect(files.isPresent()).toBe(true)
    expect(readdirSync(files.root)).toEqual(['.castellan'])
  })

  test('is recognised by any of the files that the library has, and marked', async () => {
    const { files, write } = setUp(['gone.mp3', 'here.mp3'])
    await write('here.mp3')
    expect(files.isPresent()).toBe(true)
    expect(existsSync(join(files.root, '.castellan'))).toBe(true)
  })

  test('that is empty while the library has files is not mounted: nothing is written, moved or deleted there', async () => {
    const { files, folder } = setUp(['gone.mp3'])
    mkdirSync(files.root)
    expect(files.isPresent()).toBe(false)
    await Bun.write(join(folder, 'a.part'), 'text')
    for (const act of [
      async () => files.open(),
      async () => files.requirePresent(),
      () => files.moveInto(join(folder, 'a.part'), 'a.mp3'),
      () => files.move('gone.mp3', 'a.mp3'),
      () => files.remove('gone.mp3'),
    ])
      expect(await refusal(act())).toMatchObject(absent)
    expect(readdirSync(files.root)).toEqual([])
  })

  test('whose mark is there needs no file', async () => {
    const { files, write } = setUp(['gone.mp3'])
    await write('.castellan')
    expect(files.isPresent()).toBe(true)
  })
})

test('no path leads out of the folder', () => {
  const { files } = setUp()
  for (const path of ['../secret.key', '/etc/passwd', '../media-of-others/a.mp3', '.'])
    expect(() => files.pathOf(path)).toThrow('outside the media folder')
})

test('a moved or deleted file takes the folders with it that are empty then, and no others', async () => {
  const { files, write } = setUp()
  await write('Radio/Fog/Fog.mp3')
  await write('Radio/Rain/Rain.mp3')
  await files.move('Radio/Fog/Fog.mp3', 'Other/Fog.mp3')
  expect(readdirSync(join(files.root, 'Radio'))).toEqual(['Rain'])
  await files.remove('Radio/Rain/Rain.mp3')
  await files.remove('Other/Fog.mp3')
  expect(readdirSync(files.root).toSorted()).toEqual(['.castellan', '.partial'])
})

test('deleting what is gone is fine; deleting what cannot be deleted is not', async () => {
  const { files, write } = setUp()
  await files.remove('gone.mp3')
  await files.removePart('gone')
  await write('folder.mp3/x')
  expect(await refusal(files.remove('folder.mp3'))).toMatchObject({ syscall: 'unlink' })
})

test('the size of a file is remembered for a second, but not beyond a move or a deletion', async () => {
  const { files, write, elapsed } = setUp()
  await write('a.mp3')
  const path = files.pathOf('a.mp3')
  const size = async () => (await files.factsOf(path))?.size
  expect(await size()).toBe(4)
  truncateSync(path, 1)
  elapsed.advance(999)
  expect(await size()).toBe(4)
  elapsed.advance(1)
  expect(await size()).toBe(1)
  await files.move('a.mp3', 'b.mp3')
  expect(await size()).toBeUndefined()
  await files.move('b.mp3', 'a.mp3')
  elapsed.advance(1000)
  expect(await size()).toBe(1)
  await write('new.part')
  truncateSync(files.pathOf('new.part'), 3)
  await files.moveInto(files.pathOf('new.part'), 'a.mp3')
  expect(await size()).toBe(3)
  await files.remove('a.mp3')
  expect(await size()).toBeUndefined()
})

test('two paths are one file only where the disk says so', async () => {
  const { files, write } = setUp()
  await write('a.mp3')
  await write('b.mp3')
  expect([await files.areSame('a.mp3', 'a.mp3'), await files.areSame('a.mp3', 'b.mp3')]).toEqual([true, false])
  expect([await files.areSame('a.mp3', 'gone.mp3'), await files.areSame('gone.mp3', 'gone.mp3')]).toEqual([
    false,
    false,
  ])
})

test('unfinished files of downloads that nobody wants are strays', async () => {
  const { files } = setUp()
  expect(files.strayParts(new Set())).toEqual([])
  files.open()
  for (const eid of ['a', 'b']) await Bun.write(files.partOf(eid), 'text')
  expect(files.strayParts(new Set(['a']))).toEqual(['b'])
  expect(statSync(files.partOf('a')).size).toBe(4)
})
