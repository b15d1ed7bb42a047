import { createHash, type KeyObject } from 'node:crypto'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { maintainer, site } from '../../src/shared/origin'
import type { Architecture } from './architectures'
import { readAr } from './archives/ar'
import { publicKeyBlock, signInline } from './openpgp'

export const keyringName = 'castellan.asc'
const SUITE = 'stable'

type Package = { architecture: Architecture; name: string; bytes: Uint8Array }

/** Writes an apt repository with these packages into a folder, signed. https://wiki.debian.org/DebianRepository/Format */
export async function writeAptRepository(folder: string, packages: readonly Package[], key: KeyObject, epoch: number) {
  const indexes: [path: string, content: Uint8Array][] = []
  for (const { architecture, name, bytes } of packages) {
    await Bun.write(join(folder, 'pool', name), bytes)
    const index = Buffer.from(await describe(`pool/${name}`, bytes))
    const path = `main/binary-${architecture}/Packages`
    indexes.push([path, index], [`${path}.gz`, gzipSync(index, { level: 9 })])
  }
  for (const [path, content] of indexes) await Bun.write(join(folder, 'dists', SUITE, path), content)
  const architectures = packages.map(one => one.architecture)
  const release = releaseOf(architectures, indexes, epoch)
  await Bun.write(join(folder, 'dists', SUITE, 'Release'), release)
  await Bun.write(join(folder, 'dists', SUITE, 'InRelease'), signInline(release, key, epoch))
  await Bun.write(join(folder, keyringName), publicKeyBlock(key, maintainer))
}

/** The line of a file in `/etc/apt/sources.list.d`. */
export const sourceLine = (address = `${site}/apt`, keyring = '/etc/apt/keyrings/castellan.asc') =>
  `deb [signed-by=${keyring}] ${address} ${SUITE} main`

async function describe(path: string, bytes: Uint8Array): Promise<string> {
  const files = await new Bun.Archive(gunzipSync(readAr(bytes).get('control.tar.gz')!)).files()
  const control = await files.get('control')!.text()
  return `${control.trimEnd()}\nFilename: ${path}\nSize: ${bytes.length}\nSHA256: ${sha256(bytes)}\n`
}

const releaseOf = (architectures: readonly string[], indexes: readonly [string, Uint8Array][], epoch: number) =>
  `Origin: Castellan
Label: Castellan
Suite: ${SUITE}
Codename: ${SUITE}
Date: ${new Date(epoch * 1000).toUTCString().replace('GMT', 'UTC')}
Architectures: ${architectures.join(' ')}
Components: main
Description: Castellan, a self-hosted podcast manager and player
Acquire-By-Hash: no
SHA256:
${indexes.map(([path, content]) => ` ${sha256(content)} ${content.length} ${path}`).join('\n')}
`

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
