import { gunzipSync } from 'node:zlib'
import { expect, test } from 'bun:test'
import { image, version } from '../../../src/shared/origin'
import type { Architecture } from '../../../scripts/release/architectures'
import { buildImage, writeArchive } from '../../../scripts/release/oci'
import { untar } from '../../support/untar'

type Descriptor = { digest: string; size: number; platform?: object; annotations?: object }

const imageFor = (architecture: Architecture) =>
  buildImage({
    architecture,
    executable: Buffer.from(`program for ${architecture}`),
    libraries: [{ path: 'lib/libc.so.6', content: 'library' }],
    commit: '1a2b3c4d',
    epoch: 1000,
  })

/** Reads an archive as a container runtime does; a blob must be what its name says. */
async function open(archive: Uint8Array) {
  const files = await untar(archive)
  const json = (path: string) => JSON.parse(files.get(path)!.toString())
  const blob = ({ digest, size }: Descriptor) => {
    const bytes = files.get(`blobs/${digest.replace(':', '/')}`)!
    expect(`sha256:${new Bun.CryptoHasher('sha256').update(bytes).digest('hex')}`).toBe(digest)
    expect(bytes.length).toBe(size)
    return bytes
  }
  return { json, parse: (one: Descriptor) => JSON.parse(blob(one).toString()), blob }
}

test('an image twice is the same, byte for byte', () => {
  const once = writeArchive([imageFor('amd64')], 1000)
  expect(writeArchive([imageFor('amd64')], 1000).equals(once)).toBe(true)
})

test('from the index to the layer every blob is what it is named after', async () => {
  const { json, parse, blob } = await open(writeArchive([imageFor('arm64')], 1000))
  expect(json('oci-layout')).toEqual({ imageLayoutVersion: '1.0.0' })
  const [top] = json('index.json').manifests as [Descriptor]
  expect(top).toMatchObject({
    platform: { architecture: 'arm64', os: 'linux' },
    annotations: { 'org.opencontainers.image.ref.name': version },
  })
  const { config, layers } = parse(top)
  const configuration = parse(config)
  const layer = gunzipSync(blob(layers[0]))
  const diff = new Bun.CryptoHasher('sha256').update(layer).digest('hex')
  expect(configuration).toMatchObject({ architecture: 'arm64', rootfs: { diff_ids: [`sha256:${diff}`] } })
  expect((await untar(layer)).get('usr/bin/castellan')!.toString()).toBe('program for arm64')
  expect((await untar(layer)).get('lib/libc.so.6')!.toString()).toBe('library')
})

test('it runs as nobody, who owns nothing but the data', async () => {
  const { json, parse, blob } = await open(writeArchive([imageFor('amd64')], 1000))
  const { config, layers } = parse(json('index.json').manifests[0])
  expect(parse(config).config).toMatchObject({ User: '65534:65534', Volumes: { '/data': {} } })
  expect(parse(config).config.Env).toContain('BUN_GC_TIMER_DISABLE=1')
  // Docker takes nanoseconds, and there is no shell for CMD-SHELL.
  expect(parse(config).config.Healthcheck).toEqual({
    Test: ['CMD', '/usr/bin/castellan', 'health'],
    Interval: 30_000_000_000,
    Timeout: 15_000_000_000,
    StartPeriod: 60_000_000_000,
    Retries: 3,
  })
  const layer = gunzipSync(blob(layers[0]))
  const owned: string[] = []
  for (
    let at = 0;
    layer[at];
    at += 512 * (1 + Math.ceil(Number.parseInt(layer.toString('latin1', at + 124, at + 135), 8) / 512))
  )
    if (layer.toString('latin1', at + 108, at + 115) !== '0000000')
      owned.push(layer.toString('latin1', at, at + 100).split('\0')[0]!)
  expect(owned).toEqual(['data/'])
})

test('an image for one architecture is one that an older Docker loads too', async () => {
  const { json, parse } = await open(writeArchive([imageFor('amd64')], 1000))
  const { config, layers } = parse(json('index.json').manifests[0])
  expect(json('manifest.json')).toEqual([
    {
      Config: `blobs/sha256/${config.digest.slice(7)}`,
      RepoTags: [`${image}:${version}`],
      Layers: [`blobs/sha256/${layers[0].digest.slice(7)}`],
    },
  ])
})

test('images for two architectures are one with two manifests', async () => {
  const { json, parse } = await open(writeArchive([imageFor('amd64'), imageFor('arm64')], 1000))
  const { manifests } = parse(json('index.json').manifests[0])
  expect(manifests.map((one: Descriptor) => one.platform)).toEqual([
    { architecture: 'amd64', os: 'linux' },
    { architecture: 'arm64', os: 'linux' },
  ])
  for (const manifest of manifests) expect(parse(parse(manifest).config).os).toBe('linux')
})
