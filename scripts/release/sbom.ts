import { repository, site, version } from '../../src/shared/origin'
import { glibc } from './debian-libraries'
import type { LockedPackage } from './lockfile'
import { licenseOf, shippedPackages } from './notices'

const name = 'castellan.cdx.json'
export { name as sbomName }

/**
 * Writes a CycloneDX 1.6 list of what a release contains, with licences: the packages of npm; Bun itself; the C library of
 * the image. Tools for building and testing are not in it. https://cyclonedx.org/docs/1.6/json/
 */
export function writeSbom(epoch: number): string {
  const packages = shippedPackages()
  const runtime = runtimeComponents()
  const direct = packages.filter(one => one.isDirect).map(one => purlOf(one.name, one.version))
  const externalReferences = [
    { type: 'vcs', url: repository },
    { type: 'website', url: site },
  ]
  const own = { type: 'application', 'bom-ref': 'castellan', name: 'castellan', version }
  const product = { ...own, licenses: [licensed('MIT')], externalReferences }
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

const purlOf = (name: string, version: string) => `pkg:npm/${name.replace('@', '%40')}@${encodeURIComponent(version)}`
const purlOfId = (id: string) => purlOf(id.slice(0, id.lastIndexOf('@')), id.slice(id.lastIndexOf('@') + 1))

function componentOf(one: LockedPackage) {
  const { name, version, integrity } = one
  const purl = purlOf(name, version)
  const content = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')
  const hashes = [{ alg: 'SHA-512', content }]
  const licenses = [licensed(licenseOf(one))]
  return { type: 'library', 'bom-ref': purl, name, version, scope: 'required', hashes, licenses, purl }
}

/** A licence by its SPDX identifier, or an expression of several. */
const licensed = (license: string) =>
  /\s/.test(license) ? { expression: license.replace(/^\((.*)\)$/, '$1') } : { license: { id: license } }

function runtimeComponents() {
  const bun = purlOf('bun', Bun.version)
  const libraries = Object.entries(glibc.sha256).map(([architecture, content]) => {
    const purl = `pkg:deb/debian/libc6@${encodeURIComponent(glibc.version)}?arch=${architecture}`
    const hashes = [{ alg: 'SHA-256', content }]
    const licenses = [licensed('LGPL-2.1-or-later')]
    const own = { type: 'library', 'bom-ref': purl, name: 'libc6', version: glibc.version }
    return { ...own, scope: 'required', hashes, licenses, purl }
  })
  return [
    {
      type: 'platform',
      'bom-ref': bun,
      name: 'bun',
      version: Bun.version,
      scope: 'required',
      licenses: [licensed('MIT AND LGPL-2.0-only AND LGPL-2.1-or-later AND Apache-2.0')],
      purl: bun,
    },
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
