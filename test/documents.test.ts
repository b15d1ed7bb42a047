import { existsSync, readdirSync } from 'node:fs'
import { normalize } from 'node:path'
import { Glob } from 'bun'
import { expect, test } from 'bun:test'
import { targets } from './fuzz/targets'

const markdown = ['*.md', 'docs/**/*.md'].flatMap(pattern => [...new Glob(pattern).scanSync('.')])

test('the tree of the architecture names every folder of the server, and none that is gone', async () => {
  const [tree] = /^src\/server\/\n[\s\S]*?(?=^src\/ui\/)/m.exec(
    await Bun.file('docs/internals/architecture.md').text(),
  )!
  const named = [...tree.matchAll(/^ {2}([a-z-]+)\//gm)].map(([, name]) => name!)
  const folders = readdirSync('src/server', { withFileTypes: true }).filter(one => one.isDirectory())
  expect(named.toSorted()).toEqual(folders.map(({ name }) => name).toSorted())
})

/** The anchors that GitHub gives the headings of a document. */
const anchorsOf = (text: string) =>
  [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

test('every link within the documents leads somewhere', async () => {
  expect(markdown).toContain('docs/internals/architecture.md')
  const broken: string[] = []
  for (const file of markdown) {
    const text = await Bun.file(file).text()
    const folder = file.includes('/') ? file.slice(0, file.lastIndexOf('/') + 1) : ''
    for (const [, target, anchor] of text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)) {
      const path = target === '' ? file : normalize(folder + target)
      if (!existsSync(path)) broken.push(`${file}: ${target}`)
      else if (anchor && !anchorsOf(await Bun.file(path).text()).includes(anchor)) broken.push(`${file}: #${anchor}`)
    }
  }
  expect(broken).toEqual([])
})

test('every decision has a date, a status and code that refers to it, and no reference leads nowhere', async () => {
  const records = [...new Glob('docs/internals/decisions/0*.md').scanSync('.')]
  expect(records.length).toBeLessThanOrEqual(30)
  const index = await Bun.file('docs/internals/decisions/README.md').text()
  const numbers = new Set<string>()
  for (const record of records) {
    const text = await Bun.file(record).text()
    const number = record.slice('docs/internals/decisions/'.length).slice(0, 4)
    numbers.add(number)
    expect(text, record).toStartWith(`# ${Number(number)}. `)
    expect(text, record).toMatch(/^Date: \d{4}-\d\d-\d\d.* · Status: (accepted|superseded)/m)
    expect(index, record).toContain(`](${record.split('/').at(-1)})`)
  }
  const referred = new Set<string>()
  for (const folder of ['src', 'scripts'])
    for (const path of new Glob('**/*.{ts,tsx}').scanSync(folder))
      for (const [, number] of (await Bun.file(`${folder}/${path}`).text()).matchAll(
        /docs\/internals\/decisions\/(\d+)/g,
      ))
        referred.add(number!)
  expect([...referred].toSorted()).toEqual([...numbers].toSorted())
})

test('every picture is shown by a document, and is small', async () => {
  const texts = (await Promise.all(markdown.map(file => Bun.file(file).text()))).join('\n')
  const pictures = readdirSync('docs/screenshots')
  expect(pictures.filter(name => !texts.includes(`screenshots/${name})`))).toEqual([])
  expect(pictures.filter(name => Bun.file(`docs/screenshots/${name}`).size > 100_000)).toEqual([])
})

test('the README names the two commands, and the version of Bun that the package asks for', async () => {
  const readme = await Bun.file('README.md').text()
  expect(readme).toContain('npx --yes bun@1.4.5 run start')
  expect(readme).toContain('npx --yes bun@1.4.5 run test')
})

test('every check of docs/internals/security.md is a test of that name, in each file that the table names', async () => {
  const rows = [
    ...(await Bun.file('docs/internals/security.md').text()).matchAll(/^\| ([A-Z]\d) +\|[^|]+\|([^|]+)\|$/gm),
  ]
  expect(rows).toHaveLength(40)
  const missing: string[] = []
  for (const [, check, cell] of rows)
    for (const [, name] of cell!.split(' for ')[0]!.matchAll(/`([^`]+)`/g)) {
      const path = name!.includes('/') ? name! : `test/server/security/${name}`
      const isNamed =
        /single-sign-on|room\.test/.test(path) || (await Bun.file(path).text()).includes(`test('${check}:`)
      if (!isNamed) missing.push(`${check} ${path}`)
    }
  expect(missing).toEqual([])
})

test('every protection of docs/internals/security.md names checks of the table or tests that exist', async () => {
  const text = await Bun.file('docs/internals/security.md').text()
  const part = text.slice(text.indexOf('## What protects'), text.indexOf('## The checks'))
  const checks = new Set([...text.matchAll(/^\| ([A-Z]\d) +\|/gm)].map(([, check]) => check!))
  const protections = part.split(/^(?=- \*\*)/m).slice(1)
  expect(protections.length).toBeGreaterThan(14)
  const wrong: string[] = []
  for (const protection of protections) {
    const [name] = protection.split('\n')
    const named = /_Checked by ([^_]+)\._/.exec(protection.replaceAll('\n', ' '))?.[1]?.match(/`[^`]+`|[A-Z]\d/g) ?? []
    if (named.length === 0) wrong.push(`${name} is checked by nothing`)
    for (const one of named)
      if (one.startsWith('`') ? !existsSync(one.slice(1, -1)) : !checks.has(one)) wrong.push(`${name}: ${one}`)
  }
  expect(wrong).toEqual([])
})

test('the nightly workflow fuzzes every target, and every action and base image is pinned by its digest', async () => {
  const nightly = await Bun.file('.github/workflows/nightly.yml').text()
  const fuzzed = /target:\s*\[([^\]]+)\]/
    .exec(nightly)![1]!
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')
  expect(fuzzed.toSorted()).toEqual(Object.keys(targets).toSorted())
  const texts = await Promise.all(
    ['.github/workflows/nightly.yml', '.github/workflows/build.yml', 'Dockerfile'].map(path => Bun.file(path).text()),
  )
  const named = texts.flatMap(text => [...text.matchAll(/(?:uses: |^FROM )(\S+)/gm)].map(([, name]) => name!))
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter(name => !/@([\da-f]{40}|sha256:[\da-f]{64})$/.test(name))).toEqual([])
})
