import type { KeyObject } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { releasePage, version } from '../../src/shared/origin'
import { buildUi } from '../build-ui'
import { buildSite } from '../site/build-site'
import { checkBudgets } from '../bundle-report'
import { compile, packMaps } from '../compile'
import { identify, type Identity } from '../identity'
import { writeAptRepository } from './apt'
import type { Architecture } from './architectures'
import { withFolders } from './archives/tar'
import { parseChecksums, writeChecksums } from './checksums'
import { debianLibraries } from './debian-libraries'
import { debOf, writeDeb } from './deb'
import { isSigned, signAdHoc } from './mach-o'
import { noticesName, writeNotices } from './notices'
import { buildImage, imageOf, writeArchive, type Image } from './oci'
import {
  chartFiles,
  chartName,
  flake,
  flakeName,
  formula,
  pack,
  pkgbuild,
  recipeTargets,
  shareFiles,
  shareName,
} from './recipes'
import { fetchRuntime } from './runtimes'
import { sbomName, writeSbom } from './sbom'
import { publicKeyOf, signText } from './signature'
import { executableOf, mapsOf, targets, type Target } from './targets'

const root = join(import.meta.dir, '../..')
const release = join(root, 'dist/release')
const repository = join(root, 'dist/apt')
const write = (name: string, content: string | Uint8Array) => Bun.write(join(release, name), content)

/** Builds a release into dist/release: executables, packages, images, list of parts, checksums, signature. */
export async function buildRelease(wanted: readonly Target[], key: KeyObject | null) {
  const identity = identify()
  rmSync(release, { recursive: true, force: true })
  mkdirSync(release, { recursive: true })
  await buildUi()
  await buildSite(join(root, 'dist/help'), { isOffline: true })
  checkBudgets()
  await buildExecutables(wanted, identity)
  await packExecutables(wanted, identity)
  await write(noticesName, writeNotices())
  await write(sbomName, writeSbom(identity.epoch))
  await write('latest.json', `${JSON.stringify({ version, url: releasePage })}\n`)
  await write(shareName, pack(withFolders(shareFiles(identity.epoch)), identity.epoch))
  await write(chartName, pack(withFolders(chartFiles()), identity.epoch))
  await writeRecipes(wanted, identity.epoch)
  const sums = await writeChecksums(release)
  await write('SHA256SUMS', sums)
  if (!key) return console.log('Unsigned.')
  await writeApt(wanted, key, identity.epoch)
  await write('SHA256SUMS.sig', signText(sums, key))
  await write('castellan.pub', publicKeyOf(key))
}

/** Writes recipes of package managers, which name digests of what is here by now. */
async function writeRecipes(wanted: readonly Target[], epoch: number) {
  if (!recipeTargets.every(target => wanted.includes(target))) return
  const digests = parseChecksums(await writeChecksums(release))
  await write('castellan.rb', formula(digests))
  await write('PKGBUILD', pkgbuild(digests))
  await write(flakeName, pack([{ path: 'flake.nix', content: flake(digests) }], epoch))
}

/** Writes the signed repository next to the release: its files are not flat. */
async function writeApt(wanted: readonly Target[], key: KeyObject, epoch: number) {
  const architectures = wanted.flatMap(target => architectureOf(target) ?? [])
  const packages = architectures.map(async architecture => {
    const name = debOf(architecture)
    return { architecture, name, bytes: await Bun.file(join(release, name)).bytes() }
  })
  rmSync(repository, { recursive: true, force: true })
  await writeAptRepository(repository, await Promise.all(packages), key, epoch)
}

const architectureOf = (target: Target) =>
  (targets[target] as (typeof targets)['linux-x64']).architecture as Architecture | undefined

async function buildExecutables(wanted: readonly Target[], identity: Identity) {
  // All runtimes first: what cannot be fetched is better known before minutes of work.
  const runtimes = wanted.map(target => fetchRuntime(target, join(root, 'dist/runtimes')))
  for (const [index, target] of wanted.entries()) {
    const cross = { target: `bun-${target}` as const, executablePath: runtimes[index]! }
    const outfile = join(release, executableOf(target))
    await compile({ outfile, target, identity, cross })
    await write(mapsOf(target), await packMaps({ target, identity, cross }))
    if (target.startsWith('darwin')) await ensureSigned(outfile)
  }
}

/** Signs what Bun left with a signature that does not fit: macOS ends such a program when it starts. */
async function ensureSigned(path: string) {
  const bytes = await Bun.file(path).bytes()
  if (!isSigned(bytes)) await Bun.write(path, signAdHoc(bytes))
}

/** Makes a package for Debian and an image of each executable for glibc, and one image for all architectures. */
async function packExecutables(wanted: readonly Target[], { commit, epoch }: Identity) {
  const images: Image[] = []
  for (const target of wanted) {
    const architecture = architectureOf(target)
    if (!architecture) continue
    const executable = await Bun.file(join(release, executableOf(target))).bytes()
    await write(debOf(architecture), writeDeb({ architecture, executable, epoch }))
    const libraries = await debianLibraries(architecture, join(root, 'dist/debian'))
    const image = buildImage({ architecture, executable, libraries, commit, epoch })
    await write(imageOf(architecture), writeArchive([image], epoch))
    images.push(image)
  }
  if (images.length > 1) await write(imageOf(), writeArchive(images, epoch))
}
