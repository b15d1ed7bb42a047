import { generateKeyPairSync } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sourceLine, writeAptRepository } from '../../../scripts/release/apt'
import { publicKeyBlock } from '../../../scripts/release/openpgp'
import type { Report } from '../../support/report'
import { runIn, startIn } from './root'

const KEYRING = '/etc/apt/keyrings/castellan.asc'
const LATER = 1_795_427_328
type Deb = { name: string; bytes: Uint8Array }

/** Lets apt in a fresh Debian install and upgrade from a repository on loopback, and refuse what is not signed by its key. */
export async function tryApt(root: string, current: Deb, next: Deb, report: Report) {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-apt-'))
  const key = generateKeyPairSync('ed25519').privateKey
  const publish = ({ name, bytes }: Deb, signer = key) =>
    writeAptRepository(folder, [{ architecture: 'amd64', name, bytes }], signer, LATER)
  using host = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async request => {
      const file = Bun.file(join(folder, new URL(request.url).pathname))
      return (await file.exists()) ? new Response(file) : new Response(null, { status: 404 })
    },
  })
  try {
    await publish(current)
    mkdirSync(join(root, 'etc/apt/keyrings'), { recursive: true })
    cpSync(join(folder, 'castellan.asc'), join(root, KEYRING))
    writeFileSync(join(root, 'etc/apt/sources.list'), `${sourceLine(host.url.origin, KEYRING)}\n`)
    await apt(root, report, 'apt reads the signed repository', ['update'])
    await apt(root, report, 'apt installs the package', ['install', '--yes', 'castellan'])
    await publish(next)
    await apt(root, report, 'apt reads the next release', ['update'])
    await apt(root, report, 'apt upgrades to it', ['upgrade', '--yes'])
    const shown = runIn(root, 'dpkg-query', '-W', '-f', '${Version}', 'castellan').stdout
    report.check('the upgraded package is installed', next.name.includes(`_${shown}_`), shown)

    await publish(current, generateKeyPairSync('ed25519').privateKey)
    await apt(root, report, "apt refuses another key's signature", ['update', '--error-on=any'], false)
    await publish(current)
    const signed = join(folder, 'dists/stable/InRelease')
    await Bun.write(signed, (await Bun.file(signed).text()).replace('Label: Castellan', 'Label: Castellam'))
    await apt(root, report, 'apt refuses a changed repository', ['update', '--error-on=any'], false)
    writeFileSync(join(root, KEYRING), publicKeyBlock(key, 'Castellan'))
    await apt(root, report, 'the package is purged', ['purge', '--yes', 'castellan'])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs apt-get without waiting for it in this thread, which serves the repository. */
async function apt(root: string, report: Report, claim: string, args: readonly string[], isFine = true) {
  const { code, output } = await startIn(root, 'apt-get', ...args)
  report.check(claim, (code === 0) === isFine, output)
}
