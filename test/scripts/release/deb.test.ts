import { gunzipSync } from 'node:zlib'
import { expect, test } from 'bun:test'
import { version } from '../../../package.json'
import { readAr } from '../../../scripts/release/archives/ar'
import { debianVersion, unitOfPackage, writeDeb } from '../../../scripts/release/deb'
import { untar } from '../../support/untar'

const needs = { architecture: 'amd64', executable: Buffer.from('program'), epoch: 1000 } as const

async function partsOf(deb: Uint8Array) {
  const files = readAr(deb)
  const unpack = (name: string) => untar(gunzipSync(files.get(name)!))
  return { names: [...files.keys()], control: await unpack('control.tar.gz'), data: await unpack('data.tar.gz') }
}

test('the same package twice is the same, byte for byte', () => {
  expect(writeDeb(needs).equals(writeDeb(needs))).toBe(true)
  expect(writeDeb({ ...needs, architecture: 'arm64' }).equals(writeDeb(needs))).toBe(false)
})

test('a package has the parts that dpkg expects, in its order', async () => {
  const { names, control, data } = await partsOf(writeDeb(needs))
  expect(names).toEqual(['debian-binary', 'control.tar.gz', 'data.tar.gz'])
  const facts = control.get('control')!.toString()
  expect(facts).toContain(`Version: ${version}\nArchitecture: amd64\n`)
  expect([...control.keys()]).toEqual(['conffiles', 'control', 'md5sums', 'postinst', 'postrm', 'prerm'])
  expect(data.get('usr/bin/castellan')!.toString()).toBe('program')
  const digest = new Bun.CryptoHasher('md5').update('program').digest('hex')
  expect(control.get('md5sums')!.toString()).toContain(`${digest}  usr/bin/castellan\n`)
})

test('settings are a file that dpkg leaves to the administrator, and hold the folder that the unit may write to', async () => {
  const { control, data } = await partsOf(writeDeb(needs))
  const [path] = control.get('conffiles')!.toString().split('\n')
  const settings = data.get(path!.slice(1))!.toString()
  const unit = data.get('usr/lib/systemd/system/castellan.service')!.toString()
  expect(unit).toContain(`ExecStart=/usr/bin/castellan --config ${path}\n`)
  expect(unit).toContain('StateDirectory=castellan\n')
  expect(unit).toContain('\nEnvironment=BUN_GC_TIMER_DISABLE=1\n')
  expect(settings).toContain('\nDATA_DIRECTORY=/var/lib/castellan\n')
})

test('a unit that starts something else is not packed', () => {
  expect(() => unitOfPackage('ExecStart=/opt/castellan\n')).toThrow('starts something else')
})

test('a pre-release comes before its release', () => {
  expect(debianVersion('1.2.0-rc.1')).toBe('1.2.0~rc.1')
  expect(debianVersion('1.2.0')).toBe('1.2.0')
})

test('the scripts of the package are valid, and end at the first failure', async () => {
  for (const name of ['postinst', 'prerm', 'postrm']) {
    const path = `packaging/debian/${name}`
    const { exitCode, stderr } = Bun.spawnSync(['sh', '-n', path], { stderr: 'pipe' })
    expect([name, exitCode, stderr.toString()]).toEqual([name, 0, ''])
    expect(await Bun.file(path).text()).toStartWith('#!/bin/sh\nset -e\n')
  }
})

test('only a purge deletes the library', async () => {
  const script = await Bun.file('packaging/debian/postrm').text()
  const [before, purge] = script.split('\npurge)')
  expect(before).not.toContain('rm -rf')
  expect(purge).toContain('rm -rf /var/lib/castellan\n')
  expect(await Bun.file('packaging/debian/prerm').text()).not.toContain('rm ')
})
