import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { origin, originFiles, ownVersion, parseOrigin, replaceOrigin, type Origin } from '../../../scripts/origin'
import { newestRelease, releasePage } from '../../../src/shared/origin'

const root = join(import.meta.dir, '../../..')
const read = (path: string) => Bun.file(join(root, path)).text()

const other: Origin = {
  repository: 'https://github.com/mara/pods',
  image: 'ghcr.io/mara/pods',
  site: 'https://pods.example.com',
  mail: 'mara@example.com',
  version: '7.8.9',
}

test('the files that people read and install from name the repository, the image and the site of package.json', async () => {
  const { repository, image, site, version } = origin
  const expected: Record<string, string[]> = {
    'README.md': [`${repository}/releases`, `${image}:${version}`],
    'docs/install.md': [`${repository}/releases/latest`, `${image}:${version}`],
    'SECURITY.md': [`${repository}/security`],
    'packaging/compose.yaml': [`image: ${image}:${version}`],
    'packaging/castellan.container': [`Image=${image}:${version}`],
    'packaging/helm/Chart.yaml': [`appVersion: ${version}`, repository, site],
    'packaging/helm/values.yaml': [`repository: ${image}`],
    'packaging/unraid.xml': [`<Repository>${image}:${version}</Repository>`, `<Support>${repository}/issues</Support>`],
  }
  for (const [path, names] of Object.entries(expected)) {
    const text = await read(path)
    for (const name of names) expect([path, text.includes(name) ? name : 'missing']).toEqual([path, name])
  }
  expect(releasePage).toBe(`${repository}/releases/tag/v${version}`)
  expect(newestRelease).toStartWith(repository)
})

test('no file names an earlier version of a package or an image', async () => {
  const stale: string[] = []
  for (const path of originFiles())
    for (const [found] of (await read(path)).matchAll(ownVersion(origin.image)))
      if (!found.endsWith(origin.version)) stale.push(`${path}: ${found}`)
  expect(stale).toEqual([])
})

test('setting another origin leaves nothing of this one in any file, and can be taken back', async () => {
  const left: string[] = []
  for (const path of originFiles()) {
    const text = await read(path)
    const replaced = replaceOrigin(text, origin, other)
    for (const name of ['repository', 'image', 'site', 'mail'] as const)
      if (replaced.includes(origin[name])) left.push(`${path}: ${origin[name]}`)
    expect(replaceOrigin(replaced, other, origin) === text, path).toBe(true)
  }
  expect(left).toEqual([])
  const manifest = JSON.parse(replaceOrigin(await read('package.json'), origin, other))
  expect(manifest).toMatchObject({
    version: '7.8.9',
    homepage: other.site,
    repository: { url: 'git+https://github.com/mara/pods.git' },
    config: { image: other.image },
    author: { email: other.mail },
  })
  expect(replaceOrigin(await read('packaging/compose.yaml'), origin, other)).toContain('image: ghcr.io/mara/pods:7.8.9')
})

test('an origin that no link could be made of is refused', () => {
  expect(parseOrigin(['repository=https://github.com/mara/pods', 'version=1.2.3-rc.1'])).toEqual({
    repository: 'https://github.com/mara/pods',
    version: '1.2.3-rc.1',
  })
  for (const [argument, reason] of [
    ['repository=github.com/mara', "repository can't be"],
    ['repository=https://github.com/mara/', "repository can't be"],
    ['image=Mara/pods', "image can't be"],
    ['version=1.2', "version can't be"],
    ['colour=red', 'unknown argument'],
  ] as const)
    expect(() => parseOrigin([argument])).toThrow(reason)
  expect(() => parseOrigin([])).toThrow('bun run origin')
})
