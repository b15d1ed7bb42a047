import { expect, test } from 'bun:test'
import { image, version } from '../../../src/shared/origin'
import { parseOptions } from '../../../scripts/release/options'
import runtimes from '../../../scripts/release/runtimes/package.json'
import { targetNames, targets } from '../../../scripts/release/targets'
import { variables } from '../../../src/server/config'
import { startReport } from '../../support/report'

test('a release is for all systems unless it names some; what it does not know is refused', () => {
  expect(parseOptions([])).toEqual({ targets: targetNames, isVerified: false, isUnsigned: false })
  expect(parseOptions(['--verify', '--targets', 'darwin-x64,linux-x64'])).toEqual({
    targets: ['linux-x64', 'darwin-x64'],
    isVerified: true,
    isUnsigned: false,
  })
  expect(parseOptions(['--targets=linux-arm64']).targets).toEqual(['linux-arm64'])
  expect(() => parseOptions(['--targets', 'amiga'])).toThrow('amiga is no target')
  expect(() => parseOptions(['--targets'])).toThrow('--targets is no target')
  expect(() => parseOptions(['--fast'])).toThrow('unknown argument --fast')
})

test('each system has its runtime: the Bun that builds, with a digest to check it by', async () => {
  const { packages } = Bun.JSONC.parse(await Bun.file('scripts/release/runtimes/bun.lock').text()) as {
    packages: Record<string, string[]>
  }
  for (const { runtime } of Object.values(targets)) {
    const name = `@oven/${runtime}` as keyof typeof runtimes.dependencies
    expect(runtimes.dependencies[name]).toEndWith(`/${runtime}-${Bun.version}.tgz`)
    expect(packages[name]![0]).toBe(`${name}@${runtimes.dependencies[name]}`)
    expect(packages[name]!.at(-1)).toMatch(/^sha512-/)
  }
})

const known = new Set<string>(variables.map(variable => variable.name))

test('the compose file starts the image of this version, with variables that there are', async () => {
  const { castellan } = (Bun.YAML.parse(await Bun.file('packaging/compose.yaml').text()) as Compose).services
  expect(castellan.image).toBe(`${image}:${version}`)
  expect(castellan.read_only).toBe(true)
  expect(Object.keys(castellan.environment).filter(name => !known.has(name))).toEqual([])
})
type Compose = {
  services: { castellan: { image: string; read_only: boolean; environment: Record<string, string> } }
}

test('the documents name the files of this version', async () => {
  for (const path of ['README.md', 'docs/install.md']) {
    const versions = [...(await Bun.file(path).text()).matchAll(/castellan[_ -](\d+\.\d+\.\d+)/g)].map(([, one]) => one)
    expect([path, [...new Set(versions)]]).toEqual([path, [version]])
  }
})

test('the Unraid template starts the image of this version, with variables that there are', async () => {
  const template = await Bun.file('packaging/unraid.xml').text()
  expect(template).toContain(`<Repository>${image}:${version}</Repository>`)
  const names = [...template.matchAll(/Target="([^"]+)"[^>]* Type="Variable"/g)].map(([, name]) => name!)
  expect(names).toContain('PASSWORD')
  expect(names.filter(name => !known.has(name))).toEqual([])
})

test('the settings of the Debian package name variables that there are', async () => {
  const text = await Bun.file('packaging/debian/castellan.env').text()
  const names = [...text.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name!)
  expect(names).toContain('DATA_DIRECTORY')
  expect(names.filter(name => !known.has(name))).toEqual([])
})

test('the workflow runs what package.json knows, with the Bun that the README names', async () => {
  const text = await Bun.file('.github/workflows/build.yml').text()
  const { scripts } = await Bun.file('package.json').json()
  const runs = [...text.matchAll(/bun@([\d.]+) run ([\w-]+)/g)].map(([, bun, script]) => ({ bun, script: script! }))
  expect(runs.map(({ script }) => script)).toEqual(['test', 'release', 'clients', 'site'])
  for (const { bun, script } of runs) expect([bun, script in scripts]).toEqual([Bun.version, true])
})

test('what was skipped is not counted as passed', () => {
  const lines: string[] = []
  const report = startReport(line => lines.push(line))
  report.check('one', true)
  report.check('two', false, 'because')
  report.skip('three', 'it is not installed')
  expect(report.summary()).toBe('1 passed, 1 failed, 1 skipped')
  expect(lines).toEqual(['ok      one', 'FAILED  two', '        because', 'skipped three: it is not installed'])
})
