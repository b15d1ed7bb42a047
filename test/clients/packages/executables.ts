import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { arch, platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { isSigned } from '../../../scripts/release/mach-o'
import { executableOf, targetNames, targets, type Target } from '../../../scripts/release/targets'
import type { Report } from '../../support/report'
import { probe } from './probe'
import { releaseFolder, runHere } from './root'

/** First bytes of an executable. */
const formats = { linux: '7f454c46', darwin: 'cffaedfe', windows: '4d5a' }

/** Checks the checksums, and starts the executables that this machine or its emulator can run. */
export async function tryExecutables(report: Report) {
  const sums = runHere('sh', '-c', `cd '${releaseFolder}' && sha256sum --quiet --check SHA256SUMS`)
  report.check('sha256sum finds every file as it was released', sums.code === 0, sums.output)
  signature(report)
  for (const target of targetNames) {
    const path = join(releaseFolder, executableOf(target))
    if (!existsSync(path)) report.skip(target, 'it was not built')
    else await tryExecutable(target, path, report)
  }
}

/** Checks the signature as the documents tell people to. */
function signature(report: Report) {
  if (!existsSync(join(releaseFolder, 'SHA256SUMS.sig'))) return report.skip('the signature', 'the release is unsigned')
  if (!Bun.which('openssl')) return report.skip('the signature', 'openssl is not installed')
  const verify = 'openssl pkeyutl -verify -pubin -inkey castellan.pub -rawin -in SHA256SUMS -sigfile SHA256SUMS.sig'
  const { code, output } = runHere('sh', '-c', `cd '${releaseFolder}' && ${verify}`)
  report.check('openssl verifies the signature', code === 0, output)
}

async function tryExecutable(target: Target, path: string, report: Report) {
  const [system] = target.split('-') as [keyof typeof formats]
  const head = Buffer.from(
    await Bun.file(path)
      .slice(0, formats[system].length / 2)
      .arrayBuffer(),
  ).toString('hex')
  report.check(`${target} is an executable of its system`, head === formats[system], head)
  if (system === 'darwin') report.check(`${target} has a signature that fits`, isSigned(await Bun.file(path).bytes()))
  if (target !== `${platform()}-${arch()}`) return report.skip(`starting ${target}`, whyNot(target))
  const folder = mkdtempSync(join(tmpdir(), 'castellan-executable-'))
  try {
    await probe(report, target, [path], { env: { DATA_DIRECTORY: folder } })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function whyNot(target: Target) {
  if ('architecture' in targets[target]) return 'another architecture; its image is started below, under qemu'
  return target.endsWith('-musl') ? 'it needs the libraries of Alpine' : 'it needs another system'
}
