import { appendFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { version } from '../../../package.json'
import type { Architecture } from '../../../scripts/release/architectures'
import { debOf, writeDeb } from '../../../scripts/release/deb'
import { findMissing, type Report } from '../../support/report'
import { tryApt } from './apt'
import { probe } from './probe'
import { commandIn, isRoot, releaseFolder, runHere, runIn } from './root'

const suites = ['bookworm', 'trixie']
const NEXT = '99.0.0'
const MIRROR = 'https://deb.debian.org/debian'
const SETTINGS = '/etc/castellan/castellan.env'
const WANTED = '/etc/systemd/system/multi-user.target.wants/castellan.service'
const start = ['/usr/bin/castellan', '--config', SETTINGS]

/** Reads the packages, and installs one into each Debian that it is for. */
export async function tryDebian(report: Report) {
  readPackage('amd64', 'castellan-linux-x64', report)
  readPackage('arm64', 'castellan-linux-arm64', report)
  const path = join(releaseFolder, debOf('amd64'))
  const missing = findMissing(['debootstrap', 'unshare', 'chroot'])
  const obstacle = !existsSync(path) ? 'it was not built' : missing ? `${missing} is not installed` : 'it needs root'
  if (!existsSync(path) || missing || !isRoot)
    return report.skip('installing the package into a fresh Debian', obstacle)

  for (const suite of suites) {
    console.log(`Debian ${suite}:`)
    await live(suite, path, report)
  }
}

/** Installs the package into a fresh Debian, then upgrades, removes, reinstalls and purges it. */
async function live(suite: string, path: string, report: Report) {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-debian-'))
  const root = join(folder, 'root')
  try {
    const made = runHere('debootstrap', '--variant=minbase', '--include=adduser', suite, root, MIRROR)
    if (!report.check(`debootstrap makes ${suite}`, made.code === 0, made.output.slice(-1000))) return
    cpSync(path, join(root, 'castellan.deb'))
    await Bun.write(join(root, 'next.deb'), await nextVersion())
    await install(root, report)
    await upgrade(root, report)
    await remove(root, report)
    purge(root, report)
    const deb = (release: string, bytes: Uint8Array) => ({ name: `castellan_${release}_amd64.deb`, bytes })
    await tryApt(root, deb(version, await Bun.file(path).bytes()), deb(NEXT, await nextVersion()), report)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Reads a package with Debian's own program, without installing it. */
function readPackage(architecture: Architecture, executable: string, report: Report) {
  const path = join(releaseFolder, debOf(architecture))
  if (!existsSync(path)) return report.skip(`the package for ${architecture}`, 'it was not built')
  if (!Bun.which('dpkg-deb')) return report.skip(`the package for ${architecture}`, 'dpkg-deb is not installed')
  const declared = runHere('dpkg-deb', '-f', path, 'Architecture').stdout
  report.check(`dpkg-deb reads the package for ${architecture}`, declared === architecture, declared)
  const compare = `dpkg-deb --fsys-tarfile '${path}' | tar -xO usr/bin/castellan | cmp - '${join(releaseFolder, executable)}'`
  const { code, output } = runHere('sh', '-c', compare)
  report.check(`the package for ${architecture} has its executable`, code === 0, output)
  if (!Bun.which('lintian')) return report.skip('lintian', 'it is not installed')
  const lint = runHere('lintian', '--allow-root', '--fail-on', 'error,warning', path)
  report.check(
    `lintian finds neither errors nor warnings in the package for ${architecture}`,
    lint.code === 0,
    lint.output,
  )
}

/** The same package as if it were a later release. */
async function nextVersion() {
  const executable = await Bun.file(join(releaseFolder, 'castellan-linux-x64')).bytes()
  return writeDeb({ architecture: 'amd64', executable, epoch: 0, version: NEXT })
}

async function install(root: string, report: Report) {
  dpkg(root, report, 'installs', '-i', '/castellan.deb')
  const line = runIn(root, 'castellan', '--version').stdout
  report.check('its version is told', line.startsWith(`castellan ${version} (commit `), line)
  stats(root, report, SETTINGS, 'root:castellan 640')
  stats(root, report, '/var/lib/castellan', 'castellan:castellan 700')
  report.check(
    'its user cannot sign in',
    runIn(root, 'getent', 'passwd', 'castellan').stdout.endsWith(':/usr/sbin/nologin'),
  )
  report.check('its unit is enabled', isEnabled(root))
  await serve(root, report, 'the installed server', 0)
}

async function upgrade(root: string, report: Report) {
  appendFileSync(join(root, SETTINGS), 'LOG_LEVEL=debug\n')
  // `systemctl disable` does just this.
  rmSync(join(root, WANTED))
  dpkg(root, report, 'upgrades without a question', '-i', '/next.deb')
  const shown = runIn(root, 'dpkg-query', '-W', '-f', '${Version}', 'castellan').stdout
  report.check('dpkg knows the next version', shown === NEXT, shown)
  report.check('a changed setting survives', readFileSync(join(root, SETTINGS), 'utf8').includes('LOG_LEVEL=debug'))
  stats(root, report, SETTINGS, 'root:castellan 640')
  report.check('its unit stays disabled', !isEnabled(root))
  await serve(root, report, 'the upgraded server', 1)
}

async function remove(root: string, report: Report) {
  dpkg(root, report, 'is removed', '-r', 'castellan')
  report.check('program and unit are gone', leftIn(root, '/usr').length === 0, leftIn(root, '/usr').join('\n'))
  report.check(
    'library and settings stay',
    existsSync(join(root, 'var/lib/castellan/castellan.db')) && existsSync(join(root, SETTINGS)),
  )
  dpkg(root, report, 'installs again', '-i', '/next.deb')
  await serve(root, report, 'the server after that', 2)
}

function purge(root: string, report: Report) {
  dpkg(root, report, 'is purged', '-P', 'castellan')
  const left = ['/etc', '/usr', '/var'].flatMap(folder => leftIn(root, folder))
  report.check('nothing of it is left', left.length === 0, left.join('\n'))
  report.check('its user is gone', runIn(root, 'getent', 'passwd', 'castellan').code !== 0)
}

function dpkg(root: string, report: Report, claim: string, ...args: string[]) {
  const { code, output } = runIn(root, 'dpkg', ...args)
  report.check(`the package ${claim}`, code === 0, output)
}

function stats(root: string, report: Report, path: string, expected: string) {
  const { stdout } = runIn(root, 'stat', '-c', '%U:%G %a', path)
  report.check(`${path} is ${expected}`, stdout === expected, stdout)
}

const serve = (root: string, report: Report, name: string, podcasts: number) =>
  probe(report, name, commandIn(root, start, { user: 'castellan:castellan' }), { podcasts })

const isEnabled = (root: string) => runIn(root, 'readlink', WANTED).code === 0

const leftIn = (root: string, folder: string) =>
  runIn(root, 'find', folder, '-name', '*castellan*').stdout.split('\n').filter(Boolean)
