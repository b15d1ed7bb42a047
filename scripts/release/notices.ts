import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseLockfile, type LockedPackage } from './lockfile'

// Prints the notices: `bun scripts/release/notices.ts`.

export const noticesName = 'THIRD-PARTY-NOTICES'
const root = join(import.meta.dir, '../..')
const texts = join(root, 'packaging/licenses')
const ofBun = ['LGPL-2.0', 'LGPL-2.1', 'Apache-2.0', 'BSD', 'MIT', 'zlib', 'Unicode-3.0']
/** Shorter files only name a licence. */
const MIN_TEXT = 400
const rule = `${'='.repeat(100)}\n`

/** Packages of npm that become part of what is built. */
export const shippedPackages = () =>
  parseLockfile(readFileSync(join(root, 'bun.lock'), 'utf8')).filter(one => one.isShipped)

type Manifest = { version: string; license?: string; author?: string | { name: string } }

const manifestOf = ({ folder }: LockedPackage) =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest

/** The licence of an installed package, as an SPDX expression. Throws if it names none. */
export function licenseOf(one: LockedPackage): string {
  const { license, version } = manifestOf(one)
  if (version !== one.version) throw new Error(`${one.folder} is ${version}, bun.lock has ${one.version}`)
  if (typeof license !== 'string' || license === '') throw new Error(`${one.name} names no licence`)
  return license
}

/** Writes the licence texts of everything in the executable. Throws where one is missing. */
export function writeNotices(): string {
  const own = readFileSync(join(root, 'LICENSE'), 'utf8')
  const bun = [readFileSync(join(texts, 'bun.txt'), 'utf8'), ...ofBun.map(name => `${name}\n\n${textOf(name)}`)]
  const packages = shippedPackages().map(one => `${one.name} ${one.version}\n${licenseOf(one)}\n\n${noticeOf(one)}`)
  return ['Castellan\n\n' + own, ...bun, ...packages].map(part => `${part.trimEnd()}\n`).join(`\n${rule}\n`)
}

const textOf = (name: string) => readFileSync(join(texts, `${name}.txt`), 'utf8')

/** The files of a package with its licence, or the licence's text with its author. */
function noticeOf(one: LockedPackage): string {
  const folder = join(root, one.folder)
  const names = readdirSync(folder).filter(name => /^(licen[cs]e|copying|notice)/i.test(name))
  const own = names.map(name => readFileSync(join(folder, name), 'utf8').trim()).join('\n\n')
  if (own.length > MIN_TEXT) return own
  const license = licenseOf(one)
  if (!existsSync(join(texts, `${license}.txt`))) throw new Error(`${one.name} has no text of its licence, ${license}`)
  const { author } = manifestOf(one)
  const name = typeof author === 'string' ? author : author?.name
  return [own || (name && `Copyright (c) ${name}`), textOf(license)].filter(Boolean).join('\n\n')
}

if (import.meta.main) process.stdout.write(writeNotices())
