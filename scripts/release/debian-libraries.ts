import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { XzReadableStream } from 'xz-decompress'
import { architectures, type Architecture } from './architectures'
import { readAr } from './archives/ar'
import type { Entry } from './archives/tar'

/** Debian's C library for the image; CONTRIBUTING tells how to move on to a newer one. */
export const glibc = {
  version: '2.41-12+deb13u5',
  sha256: {
    amd64: 'b59b0625cd1a791375d40dab23a4d5d3d0641e3d0a773501becdc3725b7f99cf',
    arm64: '0966fc3da1a26cc57647c68b5736f791b6e7eb498173a7993f63b6c89b4ed4f5',
  },
} as const

// Mirrors keep the newest version only; the archive of snapshots keeps all.
const mirrors = ['https://deb.debian.org/debian', 'https://snapshot.debian.org/archive/debian/20261123T000000Z']
const libraries = ['libc.so.6', 'libm.so.6', 'libpthread.so.0', 'libdl.so.2']
const MAX_FETCH_MS = 120_000

/** Fetches what the executable needs of Debian: its C library, the loader, and the copyright notice of both. */
export async function debianLibraries(architecture: Architecture, folder: string): Promise<Entry[]> {
  const { folder: triplet, loader } = architectures[architecture]
  const files = await unpack(await fetchPackage(architecture, folder))
  const find = async (path: string) => {
    const content = await files.get(`./${path}`)?.bytes()
    if (!content) throw new Error(`libc6 ${glibc.version} for ${architecture} has no ${path}`)
    return content
  }
  const loaderName = loader.split('/').at(-1)!
  const target = `${loader.startsWith('lib64/') ? '../lib/' : ''}${triplet}/${loaderName}`
  const entries: Entry[] = [{ path: loader, link: target }]
  for (const name of [...libraries, loaderName]) {
    const content = await find(`usr/lib/${triplet}/${name}`)
    entries.push({ path: `lib/${triplet}/${name}`, mode: 0o755, content })
  }
  const copyright = 'usr/share/doc/libc6/copyright'
  return [...entries, { path: copyright, content: await find(copyright) }]
}

/** Fetches the package unless the folder has it, and checks it either way. */
async function fetchPackage(architecture: Architecture, folder: string): Promise<Uint8Array> {
  const name = `libc6_${glibc.version}_${architecture}.deb`
  const path = join(folder, name)
  const isRight = (bytes: Uint8Array) =>
    new Bun.CryptoHasher('sha256').update(bytes).digest('hex') === glibc.sha256[architecture]
  if (existsSync(path)) {
    const bytes = await Bun.file(path).bytes()
    if (isRight(bytes)) return bytes
  }
  const failures: string[] = []
  for (const mirror of mirrors) {
    const address = `${mirror}/pool/main/g/glibc/${name}`
    try {
      const response = await fetch(address, { signal: AbortSignal.timeout(MAX_FETCH_MS) })
      if (!response.ok) throw new Error(`the host answered ${response.status}`)
      const bytes = await response.bytes()
      if (!isRight(bytes)) throw new Error('its SHA-256 differs from the expected one')
      mkdirSync(folder, { recursive: true })
      await Bun.write(path, bytes)
      return bytes
    } catch (error) {
      failures.push(`${address}: ${(error as Error).message}`)
    }
  }
  throw new Error(`The image for ${architecture} needs ${name}, which could not be fetched.\n${failures.join('\n')}`)
}

async function unpack(debianPackage: Uint8Array) {
  const data = readAr(debianPackage).get('data.tar.xz')
  if (!data) throw new Error('Expected a package with data.tar.xz')
  const stream = new XzReadableStream(new Blob([new Uint8Array(data)]).stream())
  return new Bun.Archive(await new Response(stream).bytes()).files()
}
