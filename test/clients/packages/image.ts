import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { version } from '../../../package.json'
import { architectures, type Architecture } from '../../../scripts/release/architectures'
import { imageOf } from '../../../scripts/release/oci'
import { findMissing, type Report } from '../../support/report'
import { probe } from './probe'
import { commandIn, isRoot, releaseFolder, runHere } from './root'

type Configuration = { config: { User: string; Env: string[]; Entrypoint: string[] } }

/** Reads the images with skopeo, unpacks them with umoci, and starts them as nobody on a read-only root. */
export async function tryImages(report: Report) {
  for (const architecture of Object.keys(architectures) as Architecture[]) {
    const path = join(releaseFolder, imageOf(architecture))
    if (!existsSync(path)) report.skip(`the image for ${architecture}`, `${imageOf(architecture)} was not built`)
    else {
      inspect(path, architecture, report)
      await unpackAndStart(path, architecture, report)
    }
  }
  const all = join(releaseFolder, imageOf())
  if (existsSync(all)) for (const architecture of Object.keys(architectures)) inspect(all, architecture, report)
}

function inspect(path: string, architecture: string, report: Report) {
  const name = `skopeo finds ${architecture} in ${path.split('/').at(-1)}`
  if (!Bun.which('skopeo')) return report.skip(name, 'skopeo is not installed')
  const { code, stdout, output } = runHere(
    'skopeo',
    'inspect',
    '--override-os=linux',
    `--override-arch=${architecture}`,
    `oci-archive:${path}`,
  )
  report.check(
    name,
    code === 0 && (JSON.parse(stdout) as { Architecture: string }).Architecture === architecture,
    output,
  )
}

async function unpackAndStart(path: string, architecture: Architecture, report: Report) {
  const name = `the image for ${architecture}`
  const isForeign = architecture !== (process.arch === 'x64' ? 'amd64' : process.arch)
  const { qemu } = architectures[architecture]
  const missing = findMissing(['umoci', 'tar', 'unshare', 'chroot', ...(isForeign ? [qemu] : [])])
  if (missing) return report.skip(name, `${missing} is not installed`)
  if (!isRoot) return report.skip(name, 'that needs root')

  const folder = mkdtempSync(join(tmpdir(), 'castellan-image-'))
  try {
    mkdirSync(join(folder, 'layout'))
    runHere('tar', '-xf', path, '-C', join(folder, 'layout'))
    const { code, output } = runHere(
      'umoci',
      'unpack',
      '--image',
      `${join(folder, 'layout')}:${version}`,
      join(folder, 'bundle'),
    )
    if (!report.check(`umoci unpacks ${name}`, code === 0, output)) return
    const root = join(folder, 'bundle/rootfs')
    if (isForeign) cpSync(Bun.which(qemu)!, join(root, 'qemu'))
    const { User, Env, Entrypoint } = configurationOf(join(folder, 'layout')).config
    const env = Object.fromEntries(Env.map(line => line.split(/=(.*)/s).slice(0, 2) as [string, string]))
    const options = { user: User, writable: '/data', ...(isForeign && { emulator: '/qemu' }) }
    await probe(report, `${name}, as ${User} on a read-only root,`, commandIn(root, Entrypoint, options), { env })
    report.check(`${name} keeps its library in /data`, existsSync(join(root, 'data/castellan.db')))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Reads what a container runtime would: index → manifest → configuration. */
function configurationOf(layout: string): Configuration {
  const read = (path: string) => JSON.parse(readFileSync(join(layout, path), 'utf8'))
  const blob = (digest: string) => read(`blobs/${digest.replace(':', '/')}`)
  return blob(blob(read('index.json').manifests[0].digest).config.digest) as Configuration
}
