import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { maintainer, site, version as packageVersion } from '../../src/shared/origin'
import type { Architecture } from './architectures'
import { writeAr } from './archives/ar'
import { completions } from './completions'
import { manualPages } from './manual'
import { noticesName, writeNotices } from './notices'
import { withFolders, writeTar, type Entry } from './archives/tar'

const root = join(import.meta.dir, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const scripts = ['postinst', 'prerm', 'postrm'] as const

type Needs = { architecture: Architecture; executable: Uint8Array; epoch: number; version?: string }

/** Version as Debian orders it: a pre-release comes before its release. */
export const debianVersion = (version: string = packageVersion) => version.replace('-', '~')
export const debOf = (architecture: Architecture) => `castellan_${debianVersion()}_${architecture}.deb`

/** Writes a package for Debian and what is made of it. */
export function writeDeb({ architecture, executable, epoch, version }: Needs): Buffer {
  const files = filesOf(executable, epoch, debianVersion(version))
  const bytes = files.reduce((sum, entry) => sum + ('content' in entry ? entry.content.length : 0), 0)
  const control: Entry[] = [
    { path: 'control', content: controlOf(architecture, debianVersion(version), Math.ceil(bytes / 1024)) },
    { path: 'conffiles', content: '/etc/castellan/castellan.env\n' },
    { path: 'md5sums', content: digestsOf(files) },
    ...scripts.map(path => ({ path, mode: 0o755, content: read(`packaging/debian/${path}`) })),
  ]
  return writeAr(
    [
      { name: 'debian-binary', content: Buffer.from('2.0\n') },
      { name: 'control.tar.gz', content: gzipSync(writeTar(control, epoch), { level: 9 }) },
      { name: 'data.tar.gz', content: gzipSync(writeTar(withFolders(files), epoch), { level: 9 }) },
    ],
    epoch,
  )
}

function filesOf(executable: Uint8Array, epoch: number, version: string): Entry[] {
  const copyright = `${read('packaging/debian/copyright')}${indentLicense(read('LICENSE'))}`
  return [
    { path: 'usr/bin/castellan', mode: 0o755, content: executable },
    { path: 'usr/lib/systemd/system/castellan.service', content: unitOfPackage(read('packaging/castellan.service')) },
    // Private from the first moment; postinst lets the service's group read it.
    { path: 'etc/castellan/castellan.env', mode: 0o640, content: read('packaging/debian/castellan.env') },
    ...manualPages(epoch),
    ...completions(),
    { path: 'usr/share/lintian/overrides/castellan', content: read('packaging/debian/lintian-overrides') },
    { path: 'usr/share/doc/castellan/copyright', content: copyright },
    { path: `usr/share/doc/castellan/${noticesName}.gz`, content: gzipSync(writeNotices(), { level: 9 }) },
    { path: 'usr/share/doc/castellan/changelog.gz', content: gzipSync(changelogOf(version, epoch), { level: 9 }) },
    { path: 'usr/share/doc/castellan/CHANGELOG.md.gz', content: gzipSync(read('CHANGELOG.md'), { level: 9 }) },
  ]
}

/** Makes the unit start what the package installs: `/usr/local` is the administrator's. */
export function unitOfPackage(unit: string): string {
  const adapted = unit.replace('ExecStart=/usr/local/bin/', 'ExecStart=/usr/bin/')
  if (adapted === unit) throw new Error('packaging/castellan.service starts something else')
  return adapted
}

/** Indents the text of a licence as a copyright file of Debian wants it. */
const indentLicense = (text: string) =>
  text
    .slice(text.indexOf('Permission is'))
    .trimEnd()
    .split('\n')
    .map(line => ` ${line || '.'}\n`)
    .join('')

/** Writes what Debian's tools show as the history of a package: it points to ours. */
const changelogOf = (version: string, epoch: number) => `castellan (${version}) unstable; urgency=medium

  * See CHANGELOG.md.gz beside this file.

 -- ${maintainer}  ${new Date(epoch * 1000).toUTCString().replace('GMT', '+0000')}
`

const controlOf = (architecture: Architecture, version: string, kibibytes: number) => `Package: castellan
Version: ${version}
Architecture: ${architecture}
Maintainer: ${maintainer}
Installed-Size: ${kibibytes}
Depends: libc6 (>= 2.17), adduser
Section: sound
Priority: optional
Homepage: ${site}
Description: self-hosted podcast manager and player
 Castellan subscribes to podcasts, downloads their episodes before they
 vanish, plays them in a browser, and syncs with podcast apps. It is one
 executable with one data folder.
`

const digestsOf = (files: readonly Entry[]) =>
  files
    .map(file =>
      'content' in file ? `${new Bun.CryptoHasher('md5').update(file.content).digest('hex')}  ${file.path}\n` : '',
    )
    .join('')
