import { repository, site, version } from '../../src/shared/origin'
import { glibc } from './debian-libraries'
import { parseLockfile, type LockedPackage } from './lockfile'

const name = 'castellan.cdx.json'
export { name as sbomName }

/**
 * Writes a CycloneDX 1.6 list of what a release is made of: the packages of bun.lock, those that are only for building
 * and testing as `excluded`; Bun itself; the C library of the image. https://cyclonedx.org/docs/1.6/json/
 */
export function writeSbom(lockfile: string, epoch: number): string {
  const packages = parseLockfile(lockfile)
  const runtime = runtimeComponents()
  const direct = packages.filter(one => one.isDirect).map(one => purlOf(one.name, one.version))
  const externalReferences = [
    { type: 'vcs', url: repository },
    { type: 'website', url: site },
  ]
  const own = { type: 'application', 'bom-ref': 'castellan', name: 'castellan', version }
  const product = { ...own, licenses: [mit], externalReferences }
  const content = {
    metadata: { ...(epoch && { timestamp: new Date(epoch * 1000).toISOString() }), component: product },
    components: [...runtime, ...packages.map(componentOf)],
    dependencies: [
      { ref: 'castellan', dependsOn: [...runtime.map(one => one['bom-ref']), ...direct] },
      ...packages.map(one => ({ ref: purlOf(one.name, one.version), dependsOn: one.uses.map(purlOfId) })),
    ],
  }
  const head = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: serialOf(JSON.stringify(content)),
    version: 1,
  }
  return `${JSON.stringify({ ...head, ...content }, null, 1)}\n`
}

const mit = { license: { id: 'MIT' } }

const purlOf = (name: string, version: string) => `pkg:npm/${name.replace('@', '%40')}@${encodeURIComponent(version)}`
const purlOfId = (id: string) => purlOf(id.slice(0, id.lastIndexOf('@')), id.slice(id.lastIndexOf('@') + 1))

const componentOf = ({ name, version, integrity, isShipped }: LockedPackage) => ({
  type: 'library',
  'bom-ref': purlOf(name, version),
  name,
  version,
  scope: isShipped ? 'required' : 'excluded',
  hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') }],
  purl: purlOf(name, version),
})

function runtimeComponents() {
  const bun = purlOf('bun', Bun.version)
  const libraries = Object.entries(glibc.sha256).map(([architecture, content]) => {
    const purl = `pkg:deb/debian/libc6@${encodeURIComponent(glibc.version)}?arch=${architecture}`
    const hashes = [{ alg: 'SHA-256', content }]
    return { type: 'library', 'bom-ref': purl, name: 'libc6', version: glibc.version, scope: 'required', hashes, purl }
  })
  return [
    { type: 'platform', 'bom-ref': bun, name: 'bun', version: Bun.version, scope: 'required', purl: bun },
    ...libraries,
  ]
}

/** A UUID that the content determines. */
function serialOf(content: string): string {
  const digest = new Bun.CryptoHasher('sha256').update(content).digest('hex')
  const groups = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `8${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ]
  return `urn:uuid:${groups.join('-')}`
}
