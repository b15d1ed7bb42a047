import { expect, test } from 'bun:test'
import { isNewer, readRelease } from '../../../../src/server/upkeep/updates'

const read = (value: unknown) => readRelease(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)))

test('a document names a version, and may name a page and notes', () => {
  expect(read({ version: 'v1.2.3', url: 'https://a.example/1.2.3', notes: ' Two\nlines\0 ' })).toEqual({
    version: '1.2.3',
    url: 'https://a.example/1.2.3',
    notes: 'Two lines',
  })
  expect(read({ version: `1.2.3-${'x'.repeat(34)}` })).not.toBeNull()
  expect(read({ version: '1.2.3-rc.1', more: {} })).toEqual({ version: '1.2.3-rc.1', url: null, notes: null })
})

test('what names no version says nothing', () => {
  const versions = [
    '',
    '1',
    '1.2',
    '1.2.3.4',
    'latest',
    '1.2.3 <b>',
    `1.2.${'3'.repeat(40)}`,
    '9999999.0.0',
    1.2,
    null,
    {},
  ]
  for (const version of versions) expect(read({ version })).toBeNull()
  for (const text of ['', 'null', '[]', '"1.2.3"', '1', '{"version"', '<html>', '['.repeat(60_000), '\xff\xfe'])
    expect(read(text)).toBeNull()
})

test('a page that is none for a browser is left out, and notes are cut', () => {
  for (const url of [
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    '/path',
    7,
    `https://a.example/${'x'.repeat(2000)}`,
  ])
    expect(read({ version: '1.2.3', url })!.url).toBeNull()
  const { notes } = read({ version: '1.2.3', notes: '\u{1f600}'.repeat(5000) })!
  expect([notes!.length, notes!.isWellFormed()]).toEqual([500, true])
})

test('versions are compared number by number, and a release is newer than its previews', () => {
  expect(isNewer('0.10.0', '0.9.9')).toBe(true)
  expect(isNewer('0.1.0', '0.1.0')).toBe(false)
  expect(isNewer('0.0.9', '0.1.0')).toBe(false)
  expect(isNewer('1.0.0', '1.0.0-rc.2')).toBe(true)
  expect(isNewer('1.0.0-rc.2', '1.0.0')).toBe(false)
})
