import { chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { version } from '../../../package.json'
import { executableOf, type Target } from '../../../scripts/release/targets'
import { findMissing, type Report } from '../../support/report'
import { untar } from '../../support/untar'
import { probe } from './probe'
import { commandIn, isRoot, releaseFolder, runIn } from './root'

/**
 * Systems that get the executable alone. A variable names an unpacked root file system of each: `podman export`
 * writes one, as does the download that Alpine calls mini root file system, after `apk add libstdc++` in it.
 */
const systems: readonly { name: string; variable: string; target: Target }[] = [
  { name: 'Alpine', variable: 'ALPINE_ROOT', target: 'linux-x64-musl' },
  { name: 'Fedora', variable: 'FEDORA_ROOT', target: 'linux-x64' },
]

const PROGRAM = '/usr/local/bin/castellan'
const NOBODY = 65534
const library = join(import.meta.dir, '../../fixtures/released/schema-38.tar.gz')

/** Installs, starts, replaces and removes the executable in a copy of each system. */
export async function trySystems(report: Report) {
  for (const { name, variable, target } of systems) {
    const [source, path] = [process.env[variable], join(releaseFolder, executableOf(target))]
    const missing = findMissing(['unshare', 'chroot'])
    if (!source) report.skip(`the executable in ${name}`, `${variable} names no unpacked root file system of it`)
    else if (!existsSync(path)) report.skip(`the executable in ${name}`, `${target} was not built`)
    else if (missing || !isRoot)
      report.skip(`the executable in ${name}`, missing ? `${missing} is not installed` : 'it needs root')
    else await live(name, source, path, report)
  }
}

async function live(name: string, source: string, path: string, report: Report) {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-system-'))
  const root = join(folder, 'root')
  const serve = (claim: string, podcasts: number, data = '/srv/castellan') =>
    probe(report, `${name}: ${claim}`, commandIn(root, [PROGRAM], { user: `${NOBODY}:${NOBODY}` }), {
      env: { DATA_DIRECTORY: data },
      podcasts,
    })
  try {
    cpSync(source, root, { recursive: true, verbatimSymlinks: true, filter: isPlain })
    for (const made of ['proc', 'dev', 'tmp', 'usr/local/bin', 'srv/castellan', 'srv/before'])
      mkdirSync(join(root, made), { recursive: true })
    console.log(`${name}: ${/^PRETTY_NAME=(.*)$/m.exec(readFileSync(join(root, 'etc/os-release'), 'utf8'))?.[1]}`)
    await unpackLibrary(join(root, 'srv/before'))
    runIn(root, 'chown', '-R', `${NOBODY}:${NOBODY}`, '/srv/before')
    chownSync(join(root, 'srv/castellan'), NOBODY, NOBODY)
    cpSync(path, join(root, PROGRAM))
    const line = runIn(root, PROGRAM, '--version')
    const isOurs = line.stdout.startsWith(`castellan ${version} (commit `)
    if (!report.check(`${name}: the executable says its version`, isOurs, line.output)) return
    await serve('the installed server', 0)
    cpSync(path, join(root, `${PROGRAM}.new`))
    renameSync(join(root, `${PROGRAM}.new`), join(root, PROGRAM))
    await serve('the server after its executable was replaced', 1)
    await serve('the server with the library of an older version', 1, '/srv/before')
    rmSync(join(root, PROGRAM))
    const left = runIn(root, 'find', '/', '-xdev', '-name', '*castellan*', '-not', '-path', '/srv/*').stdout
    report.check(`${name}: nothing but the library is left`, left === '', left)
    report.check(`${name}: the library stays`, existsSync(join(root, 'srv/castellan/castellan.db')))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Leaves out what a system that runs has mounted. */
const isPlain = (path: string) => !/\/(proc|sys|dev)\/./.test(path)

async function unpackLibrary(folder: string) {
  for (const [path, bytes] of await untar(Bun.gunzipSync(readFileSync(library)))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    await Bun.write(join(folder, path), bytes)
  }
}
