import { expect, test } from 'bun:test'
import { readAr, writeAr } from '../../../scripts/release/archives/ar'
import { withFolders, writeTar, type Entry } from '../../../scripts/release/archives/tar'
import { untar } from '../../support/untar'

const entries: Entry[] = [
  { path: 'usr/bin/castellan', mode: 0o755, content: 'program' },
  { path: 'data', folder: true, mode: 0o700, owner: 65534 },
  { path: 'lib64/ld.so', link: '../lib/ld.so' },
  { path: 'etc/empty', content: '' },
]

test('an archive depends on its entries alone, not on their order or on the time', () => {
  const once = writeTar(withFolders(entries), 1000)
  expect(writeTar(withFolders(entries.toReversed()), 1000).equals(once)).toBe(true)
  expect(writeTar(withFolders(entries), 1001).equals(once)).toBe(false)
})

test('another reader finds the files of an archive', async () => {
  const files = await untar(writeTar(entries, 1000))
  expect([...files.keys()]).toEqual(['etc/empty', 'usr/bin/castellan'])
  expect(files.get('usr/bin/castellan')!.toString()).toBe('program')
})

test('mode, owner, time, kind and link are where ustar has them', () => {
  const archive = writeTar(entries, 0o17)
  const field = (entry: number, at: number, length: number) =>
    archive.toString('latin1', entry * 512 + at, entry * 512 + at + length)
  expect(field(0, 0, 6)).toBe('data/\0')
  expect(field(0, 100, 7)).toBe('0000700')
  expect(field(0, 108, 7)).toBe('0177776')
  expect(field(0, 136, 11)).toBe('00000000017')
  expect(field(0, 156, 1)).toBe('5')
  expect(field(2, 156, 14)).toBe('2../lib/ld.so\0')
  expect(archive.length % 512).toBe(0)
})

test('every folder that a file lies in is an entry, once', () => {
  const paths = withFolders(entries).map(entry => entry.path)
  expect(paths.toSorted()).toEqual(
    ['data', 'etc', 'etc/empty', 'lib64', 'lib64/ld.so', 'usr', 'usr/bin', 'usr/bin/castellan'].toSorted(),
  )
})

test('a path that a header cannot hold is refused', () => {
  expect(() => writeTar([{ path: 'a'.repeat(101), content: '' }], 0)).toThrow('too long')
})

test('an ar archive keeps its files apart, also those of odd length', () => {
  const files = ['odd', 'even'].map(name => ({ name, content: Buffer.from(name) }))
  const archive = writeAr(files, 1000)
  expect(writeAr(files, 1000).equals(archive)).toBe(true)
  expect([...readAr(archive)].map(([name, content]) => [name, content.toString()])).toEqual([
    ['odd', 'odd'],
    ['even', 'even'],
  ])
  expect(archive.length).toBe(8 + 60 + 4 + 60 + 4)
  expect(() => readAr(Buffer.from('not an archive'))).toThrow('Expected an ar archive')
})
