import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { parseChecksums, writeChecksums } from '../../../scripts/release/checksums'
import { isSigned, signAdHoc } from '../../../scripts/release/mach-o'
import { temporaryFolder } from '../../support/app'
import { findSigningKey, isSignedBy, publicKeyOf, signText } from '../../../scripts/release/signature'

const pemOf = (type: 'ed25519' | 'x25519') =>
  generateKeyPairSync(type as 'ed25519')
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString()

test('a signature is good for its text and its key alone, and the same every time', () => {
  const key = findSigningKey(pemOf('ed25519'), false)!
  const signature = signText('sums', key)
  expect(isSignedBy('sums', signature, publicKeyOf(key))).toBe(true)
  expect(isSignedBy('other sums', signature, publicKeyOf(key))).toBe(false)
  expect(isSignedBy('sums', signature, publicKeyOf(findSigningKey(pemOf('ed25519'), false)!))).toBe(false)
  expect(isSignedBy('sums', signature, 'no key')).toBe(false)
  expect(signText('sums', key).equals(signature)).toBe(true)
})

test('a release without a key fails unless it is asked for; a key of another kind is refused', () => {
  expect(findSigningKey(undefined, true)).toBeNull()
  expect(findSigningKey(pemOf('ed25519'), true)).toBeNull()
  for (const none of [undefined, '']) expect(() => findSigningKey(none, false)).toThrow('--unsigned builds one')
  expect(() => findSigningKey('-----BEGIN', false)).toThrow('not a private key')
  expect(() => findSigningKey(pemOf('x25519'), false)).toThrow('x25519, not ed25519')
})

test('checksums name every file, and are read back', async () => {
  const folder = temporaryFolder()
  for (const name of ['b', 'a']) writeFileSync(join(folder, name), name)
  const sums = await writeChecksums(folder)
  const digest = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex')
  expect(sums).toBe(`${digest('a')}  a\n${digest('b')}  b\n`)
  expect([...parseChecksums(sums)]).toEqual([
    ['a', digest('a')],
    ['b', digest('b')],
  ])
})

/** A program for macOS: a header, three load commands, some pages of code, and a signature of something else. */
function program() {
  const bytes = Buffer.alloc(3 * 4096 + 100)
  bytes.writeUInt32LE(3, 16)
  const segment = (at: number, name: string, offset: number) => {
    bytes.writeUInt32LE(0x19, at)
    bytes.writeUInt32LE(72, at + 4)
    bytes.write(name, at + 8)
    bytes.writeBigUInt64LE(BigInt(offset), at + 40)
  }
  segment(32, '__TEXT', 0)
  segment(104, '__LINKEDIT', 2 * 4096)
  ;[0x1d, 16, 2 * 4096 + 48, 100].forEach((word, index) => bytes.writeUInt32LE(word, 176 + 4 * index))
  bytes.writeUInt32BE(20, 2 * 4096 + 48 + 16)
  return bytes
}

test('a program for macOS is signed over every page, and any change shows', () => {
  const unsigned = program()
  expect(isSigned(unsigned)).toBe(false)
  const signed = signAdHoc(unsigned)
  expect(isSigned(signed)).toBe(true)
  for (const at of [200, 4096, 2 * 4096 + 47]) {
    const changed = Buffer.from(signed)
    changed[at]! ^= 1
    expect([at, isSigned(changed)]).toEqual([at, false])
  }
  const linkEditEnd = 2 * 4096 + Number(signed.readBigUInt64LE(104 + 48))
  expect(linkEditEnd).toBe(signed.length)
})
