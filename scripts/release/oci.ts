import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { image as imageName, repository, site, version } from '../../src/shared/origin'
import type { Architecture } from './architectures'
import { noticesName, writeNotices } from './notices'
import { withFolders, writeTar, type Entry } from './archives/tar'

// https://github.com/opencontainers/image-spec/blob/main/image-layout.md
const types = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
}
const NOBODY = 65534
const SECOND = 1e9
/** Docker and Podman read it, with times in nanoseconds; OCI defines none. */
const healthCheck = {
  Test: ['CMD', '/usr/bin/castellan', 'health'],
  Interval: 30 * SECOND,
  Timeout: 15 * SECOND,
  StartPeriod: 60 * SECOND,
  Retries: 3,
}

type Descriptor = { mediaType: string; digest: string; size: number }
type Needs = {
  architecture: Architecture
  executable: Uint8Array
  libraries: readonly Entry[]
  commit: string
  epoch: number
}
/** An image and the blobs that it consists of, by their digest. */
export type Image = {
  architecture: Architecture
  manifest: Descriptor
  config: Descriptor
  blobs: Map<string, Uint8Array>
}

export const imageOf = (architecture?: Architecture) =>
  `castellan-${version}-oci${architecture ? `-${architecture}` : ''}.tar`

/**
 * Makes an image of one layer: the executable, the libraries that it needs, and a user that owns nothing but `/data`.
 */
export function buildImage({ architecture, executable, libraries, commit, epoch }: Needs): Image {
  const blobs = new Map<string, Uint8Array>()
  const layer = writeTar(withFolders([...baseFiles(), ...libraries, executableFile(executable)]), epoch)
  const created = new Date(epoch * 1000).toISOString().replace('.000', '')
  const config = addBlob(blobs, types.config, {
    created,
    architecture,
    os: 'linux',
    config: {
      User: `${NOBODY}:${NOBODY}`,
      // Castellan collects garbage after work; Bun's timer would wake a resting machine once a second.
      Env: ['PATH=/usr/bin', 'DATA_DIRECTORY=/data', 'HOST=0.0.0.0', 'BUN_GC_TIMER_DISABLE=1'],
      Entrypoint: ['/usr/bin/castellan'],
      // SQLite puts large temporary files here if nothing else can be written to.
      WorkingDir: '/data',
      Volumes: { '/data': {} },
      ExposedPorts: { '8000/tcp': {} },
      StopSignal: 'SIGTERM',
      Healthcheck: healthCheck,
      Labels: labelsOf(commit),
    },
    rootfs: { type: 'layers', diff_ids: [digestOf(layer)] },
    history: [{ created, created_by: 'bun run release' }],
  })
  const manifest = addBlob(blobs, types.manifest, {
    schemaVersion: 2,
    mediaType: types.manifest,
    config,
    layers: [addBlob(blobs, types.layer, gzipSync(layer, { level: 9 }))],
  })
  return { architecture, manifest, config, blobs }
}

/** Writes one image as an OCI layout that `docker load` also takes, or several as one image for several platforms. */
export function writeArchive(images: readonly Image[], epoch: number): Buffer {
  const blobs = new Map(images.flatMap(image => [...image.blobs]))
  const all = images.map(({ manifest, architecture }) => ({ ...manifest, platform: { architecture, os: 'linux' } }))
  const top = all.length === 1 ? all[0]! : addBlob(blobs, types.index, indexOf(all))
  const named = { ...top, annotations: { 'org.opencontainers.image.ref.name': version } }
  const files = [
    { path: 'oci-layout', content: JSON.stringify({ imageLayoutVersion: '1.0.0' }) },
    { path: 'index.json', content: JSON.stringify(indexOf([named])) },
    ...(images.length === 1 ? [{ path: 'manifest.json', content: JSON.stringify([dockerManifest(images[0]!)]) }] : []),
    ...[...blobs].map(([digest, content]) => ({ path: pathOf(digest), content })),
  ]
  return writeTar(withFolders(files), epoch)
}

const indexOf = (manifests: readonly Descriptor[]) => ({ schemaVersion: 2, mediaType: types.index, manifests })
const pathOf = (digest: string) => `blobs/${digest.replace(':', '/')}`

/** Names the same blobs for a Docker that reads its own format only. */
function dockerManifest({ config, blobs, manifest }: Image) {
  const { layers } = JSON.parse(Buffer.from(blobs.get(manifest.digest)!).toString()) as { layers: Descriptor[] }
  return {
    Config: pathOf(config.digest),
    RepoTags: [`${imageName}:${version}`],
    Layers: layers.map(layer => pathOf(layer.digest)),
  }
}

const baseFiles = (): Entry[] => [
  {
    path: 'etc/passwd',
    content: `root:x:0:0:root:/:/nonexistent\nnobody:x:${NOBODY}:${NOBODY}:nobody:/data:/nonexistent\n`,
  },
  { path: 'etc/group', content: `root:x:0:\nnogroup:x:${NOBODY}:\n` },
  { path: 'etc/nsswitch.conf', content: 'hosts: files dns\n' },
  { path: 'data', folder: true, mode: 0o700, owner: NOBODY },
  { path: 'tmp', folder: true, mode: 0o1777 },
  // Container runtimes mount something here.
  ...['dev', 'proc', 'sys'].map(path => ({ path, folder: true }) as const),
  { path: `usr/share/doc/castellan/${noticesName}`, content: writeNotices() },
  { path: 'usr/share/doc/castellan/copyright', content: readFileSync(join(import.meta.dir, '../../LICENSE')) },
]

const executableFile = (content: Uint8Array): Entry => ({ path: 'usr/bin/castellan', mode: 0o755, content })

const labelsOf = (commit: string) => ({
  'org.opencontainers.image.title': 'Castellan',
  'org.opencontainers.image.description': 'A self-hosted podcast manager and player',
  'org.opencontainers.image.version': version,
  'org.opencontainers.image.licenses': 'MIT',
  'org.opencontainers.image.source': repository,
  'org.opencontainers.image.url': site,
  ...(commit && { 'org.opencontainers.image.revision': commit }),
})

function addBlob(blobs: Map<string, Uint8Array>, mediaType: string, content: object | Uint8Array): Descriptor {
  const bytes = content instanceof Uint8Array ? content : Buffer.from(JSON.stringify(content))
  const digest = digestOf(bytes)
  blobs.set(digest, bytes)
  return { mediaType, digest, size: bytes.length }
}

const digestOf = (bytes: Uint8Array) => `sha256:${new Bun.CryptoHasher('sha256').update(bytes).digest('hex')}`
