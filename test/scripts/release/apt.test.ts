import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'bun:test'
import { sourceLine, writeAptRepository } from '../../../scripts/release/apt'
import { debOf, writeDeb } from '../../../scripts/release/deb'
import { publicKeyBlock, signInline } from '../../../scripts/release/openpgp'
import { temporaryFolder } from '../../support/app'

const key = generateKeyPairSync('ed25519').privateKey
const deb = writeDeb({ architecture: 'amd64', executable: Buffer.from('program'), epoch: 1000 })

async function repository() {
  const folder = temporaryFolder()
  await writeAptRepository(folder, [{ architecture: 'amd64', name: debOf('amd64'), bytes: deb }], key, 1_795_427_328)
  return { folder, read: (path: string) => readFileSync(join(folder, path)) }
}

const sha256 = (bytes: Uint8Array) => new Bun.CryptoHasher('sha256').update(bytes).digest('hex')

test('each file of a repository names the digest of the next, from the signed one to the package', async () => {
  const { read } = await repository()
  const signed = read('dists/stable/InRelease').toString()
  expect(signed).toContain(`\n\n${read('dists/stable/Release').toString()}-----BEGIN PGP SIGNATURE`)
  const index = read('dists/stable/main/binary-amd64/Packages')
  expect(signed).toContain(` ${sha256(index)} ${index.length} main/binary-amd64/Packages\n`)
  expect(gunzipSync(read('dists/stable/main/binary-amd64/Packages.gz')).equals(index)).toBe(true)
  const entry = Object.fromEntries(
    [...index.toString().matchAll(/^([\w-]+): (.+)$/gm)].map(([, name, value]) => [name, value]),
  )
  expect(entry).toMatchObject({
    Package: 'castellan',
    Architecture: 'amd64',
    SHA256: sha256(deb),
    Size: `${deb.length}`,
  })
  expect(read(entry['Filename']!).equals(deb)).toBe(true)
})

test('the same key and text are signed the same, so that a release can be built again', () => {
  expect(signInline('a\n', key, 1_795_427_328)).toBe(signInline('a\n', key, 1_795_427_328))
  expect(publicKeyBlock(key, 'Mara <mara@example.com>')).toBe(publicKeyBlock(key, 'Mara <mara@example.com>'))
})

test('the documents tell the line that apt needs', async () => {
  const text = await Bun.file('docs/install.md').text()
  expect(text).toContain(sourceLine())
})

/** Verifies a text with the program that older versions of apt use. */
function verify(text: string, signer = key) {
  const folder = temporaryFolder()
  const block = publicKeyBlock(signer, 'Mara <mara@example.com>')
  const [, body] = /\n\n([\s\S]+?)\n=/.exec(block)!
  writeFileSync(join(folder, 'key.gpg'), Buffer.from(body!, 'base64'))
  writeFileSync(join(folder, 'text'), text)
  const { exitCode, stdout, stderr } = Bun.spawnSync(
    ['gpgv', '--homedir', folder, '--output', '-', '--keyring', join(folder, 'key.gpg'), join(folder, 'text')],
    { stdout: 'pipe', stderr: 'pipe' },
  )
  return { code: exitCode, text: stdout.toString(), said: stderr.toString() }
}

test.skipIf(!Bun.which('gpgv'))(
  'gpgv accepts what was signed, and nothing that was changed or that another signed',
  () => {
    const text = 'Origin: Castellan\n- a dash\n\nSHA256:\n'
    const signed = signInline(text, key, 1_795_427_328)
    expect(verify(signed)).toMatchObject({ code: 0, text, said: expect.stringContaining('Good signature from "Mara') })
    expect(verify(signed.replace('Castellan', 'Castellam')).code).not.toBe(0)
    expect(verify(signed, generateKeyPairSync('ed25519').privateKey).code).not.toBe(0)
    for (let round = 0; round < 20; round++) {
      const other = generateKeyPairSync('ed25519').privateKey
      expect(verify(signInline(`${round}\n`, other, 0), other).code).toBe(0)
    }
  },
)
