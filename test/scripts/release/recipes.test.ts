import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { formula, flake, pkgbuild, recipeTargets, shareFiles, shareName } from '../../../scripts/release/recipes'
import { executableOf } from '../../../scripts/release/targets'
import { repository, version } from '../../../src/shared/origin'
import { variables } from '../../../src/server/config'
import { temporaryFolder } from '../../support/app'

const names = [shareName, ...recipeTargets.map(executableOf)]
const digestOf = (name: string) => new Bun.CryptoHasher('sha256').update(name).digest('hex')
const digests = new Map(names.map(name => [name, digestOf(name)]))

function run(command: string[], env: Record<string, string> = {}) {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, {
    env: { ...process.env, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  return { code: exitCode, output: `${stdout}${stderr}` }
}

function written(name: string, text: string) {
  const path = join(temporaryFolder(), name)
  writeFileSync(path, text)
  chmodSync(path, 0o644)
  return path
}

test('each recipe names the address and the digest of what it fetches, and a missing file makes none', () => {
  const linux = [shareName, executableOf('linux-x64'), executableOf('linux-arm64')]
  for (const [text, wanted] of [
    [formula(digests), names],
    [pkgbuild(digests), linux],
    [flake(digests), linux],
  ] as const)
    for (const name of wanted) {
      expect(text).toContain(`${repository}/releases/download/v${version}/${name}`)
      expect(text).toContain(digestOf(name))
    }
  expect(() => formula(new Map())).toThrow('the recipes need')
})

test('what recipes install is in the archive that they fetch', () => {
  const paths = shareFiles(1000).map(({ path }) => path)
  const installed = [...pkgbuild(digests).matchAll(/ (share\/[^\s*"]+)(?= |$)/gm)].map(([, path]) => path!)
  expect(installed.length).toBeGreaterThan(5)
  for (const path of installed.filter(one => !one.endsWith('/'))) expect(paths).toContain(path)
  const inFormula = [...formula(digests).matchAll(/_completion\.install "(.+)"/g)].map(([, path]) => `share/${path}`)
  expect(inFormula).toHaveLength(3)
  for (const path of inFormula) expect(paths).toContain(path)
})

test('the chart and the quadlet set variables that there are', async () => {
  const known = new Set<string>(variables.map(({ name }) => name))
  const values = Bun.YAML.parse(await Bun.file('packaging/helm/values.yaml').text()) as { env: object }
  expect(Object.keys(values.env).filter(name => !known.has(name))).toEqual([])
  const quadlet = await Bun.file('packaging/castellan.container').text()
  const named = /^# In .+: (.+); not (\w+)/m.exec(quadlet)!
  for (const [, name] of named[1]!.matchAll(/([A-Z_]+)=/g)) expect([name, known.has(name!)]).toEqual([name, true])
  expect(known.has(named[2]!)).toBe(true)
})

test.skipIf(!Bun.which('ruby'))('ruby reads the formula', () => {
  expect(run(['ruby', '-wc', written('castellan.rb', formula(digests))])).toEqual({ code: 0, output: 'Syntax OK\n' })
})

test.skipIf(!Bun.which('nix-instantiate'))('nix reads the flake', () => {
  const path = written('flake.nix', flake(digests))
  const { code, output } = run(['nix-instantiate', '--parse', path], { NIX_STATE_DIR: temporaryFolder() })
  expect([code, code === 0 ? '' : output]).toEqual([0, ''])
})

test.skipIf(!Bun.which('shellcheck'))(
  'shellcheck finds no fault in the PKGBUILD and the scripts of the package',
  () => {
    const scripts = ['postinst', 'prerm', 'postrm'].map(name => `packaging/debian/${name}`)
    // Variables that makepkg reads or sets.
    const ours = ['-s', 'bash', '-e', 'SC2034,SC2154', written('PKGBUILD', pkgbuild(digests))]
    expect(run(['shellcheck', ...ours])).toEqual({ code: 0, output: '' })
    expect(run(['shellcheck', ...scripts])).toEqual({ code: 0, output: '' })
  },
)

test.skipIf(!Bun.which('pacman') || !Bun.which('setpriv') || process.getuid?.() !== 0)(
  'makepkg reads the PKGBUILD',
  () => {
    const path = written('PKGBUILD', pkgbuild(digests))
    const folder = join(path, '..')
    chmodSync(folder, 0o777)
    const command = `cd ${folder} && makepkg --printsrcinfo`
    const user = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
    const { code, output } = run([...user, 'bash', '-c', command], { HOME: folder })
    expect([code, output]).toEqual([0, expect.stringContaining(`pkgver = ${version}`)])
  },
)

test.skipIf(!Bun.which('systemd-analyze'))('systemd accepts the units', async () => {
  const folder = temporaryFolder()
  for (const name of ['castellan.service', 'litestream.service']) {
    const unit = (await Bun.file(`packaging/${name}`).text()).replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true')
    writeFileSync(join(folder, name), unit)
    const { output } = run(['systemd-analyze', 'verify', '--man=no', join(folder, name)])
    expect(output.split('\n').filter(line => line.includes(name))).toEqual([])
  }
})

test.skipIf(!Bun.which('helm'))('helm lints the chart, and its templates make manifests', () => {
  const chart = join(temporaryFolder(), 'castellan')
  mkdirSync(chart)
  cpSync('packaging/helm', chart, { recursive: true })
  expect(run(['helm', 'lint', '--strict', chart]).code).toBe(0)
  const { code, output } = run(['helm', 'template', 'pods', chart, '--set', 'ingress.host=pods.example'])
  expect(code).toBe(0)
  const kinds = output.split(/^---$/m).map(part => (Bun.YAML.parse(part) as { kind?: string } | null)?.kind)
  expect(kinds.filter(Boolean)).toEqual(['Service', 'StatefulSet', 'Ingress'])
})

test.skipIf(!Bun.which('compose-go'))('the library that Docker Compose reads files with accepts ours', () => {
  const folder = temporaryFolder()
  for (const name of ['compose.yaml', 'compose.litestream.yaml']) cpSync(`packaging/${name}`, join(folder, name))
  const read = (...names: string[]) =>
    run(['compose-go', '-no-interpolation', ...names.map(name => join(folder, name))])
  expect(read('compose.yaml')).toMatchObject({ code: 0 })
  expect(read('compose.yaml', 'compose.litestream.yaml')).toMatchObject({ code: 0 })
  writeFileSync(join(folder, 'compose.yaml'), 'services: { castellan: { imagine: nothing } }')
  expect(read('compose.yaml').code).not.toBe(0)
})

test.skipIf(!Bun.which('quadlet'))('quadlet makes a unit of the container file', () => {
  const folder = temporaryFolder()
  cpSync('packaging/castellan.container', join(folder, 'castellan.container'))
  const { code, output } = run(['quadlet', '-dryrun'], { QUADLET_UNIT_DIRS: folder })
  expect(code).toBe(0)
  expect(output).toContain(String.raw`--health-cmd "[\"/usr/bin/castellan\",\"health\"]"`)
})
