import Ajv from 'ajv'
import { expect, test } from 'bun:test'
import packageJson from '../../../package.json'
import { parseLockfile } from '../../../scripts/release/lockfile'
import { writeNotices } from '../../../scripts/release/notices'
import { writeSbom } from '../../../scripts/release/sbom'

const lockfile = await Bun.file('bun.lock').text()
const sbom = JSON.parse(writeSbom(1000))

/** CycloneDX 1.6, as far as we use it: https://cyclonedx.org/schema/bom-1.6.schema.json */
const component = {
  type: 'object',
  required: ['type', 'name'],
  additionalProperties: false,
  properties: {
    type: { enum: ['application', 'library', 'platform'] },
    'bom-ref': { type: 'string', minLength: 1 },
    name: { type: 'string' },
    version: { type: 'string' },
    scope: { enum: ['required', 'optional', 'excluded'] },
    purl: { type: 'string', pattern: '^pkg:' },
    licenses: { type: 'array' },
    externalReferences: {
      type: 'array',
      items: {
        type: 'object',
        required: ['url', 'type'],
        additionalProperties: false,
        properties: { url: { type: 'string' }, type: { enum: ['vcs', 'website'] } },
      },
    },
    hashes: {
      type: 'array',
      items: {
        type: 'object',
        required: ['alg', 'content'],
        additionalProperties: false,
        properties: {
          alg: { enum: ['SHA-256', 'SHA-512'] },
          content: { type: 'string', pattern: '^([a-f0-9]{64}|[a-f0-9]{128})$' },
        },
      },
    },
  },
}
const schema = {
  type: 'object',
  required: ['bomFormat', 'specVersion'],
  additionalProperties: false,
  properties: {
    bomFormat: { const: 'CycloneDX' },
    specVersion: { const: '1.6' },
    serialNumber: {
      type: 'string',
      pattern: '^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
    },
    version: { type: 'integer', minimum: 1 },
    metadata: {
      type: 'object',
      additionalProperties: false,
      properties: { timestamp: { type: 'string' }, component },
    },
    components: { type: 'array', uniqueItems: true, items: component },
    dependencies: {
      type: 'array',
      uniqueItems: true,
      items: {
        type: 'object',
        required: ['ref'],
        additionalProperties: false,
        properties: {
          ref: { type: 'string' },
          dependsOn: { type: 'array', uniqueItems: true, items: { type: 'string' } },
        },
      },
    },
  },
}

test('the list of parts has the shape of CycloneDX 1.6', () => {
  const validate = new Ajv().compile(schema)
  expect([validate(sbom), validate.errors]).toEqual([true, null])
})

test('every shipped package is in it, with its licence and the digest that the registry gave, and no tool', () => {
  const listed = new Map<string, { hashes: { content: string }[]; licenses: object[] }>(
    sbom.components.map((one: { name: string; version: string }) => [`${one.name}@${one.version}`, one]),
  )
  const packages = parseLockfile(lockfile)
  for (const { name, version, integrity, isShipped } of packages) {
    const found = listed.get(`${name}@${version}`)
    expect([name, found !== undefined]).toEqual([name, isShipped])
    if (found) expect(found.hashes[0]!.content).toBe(Buffer.from(integrity.slice(7), 'base64').toString('hex'))
  }
  expect(listed.size).toBeGreaterThan(100)
  expect([...listed].filter(([, one]) => one.licenses?.length !== 1).map(([id]) => id)).toEqual([])
  for (const name of Object.keys(packageJson.dependencies)) expect([...listed.keys()].join()).toContain(`${name}@`)
  for (const name of ['oxlint', 'playwright-core', '@types/react'])
    expect([...listed.keys()].filter(id => id.startsWith(`${name}@`))).toEqual([])
})

test('the notices hold the licence of every shipped package, and the texts that Bun asks for', () => {
  const notices = writeNotices()
  for (const { name, version, isShipped } of parseLockfile(lockfile))
    expect([name, notices.includes(`\n${name} ${version}\n`)]).toEqual([name, isShipped])
  for (const text of ['GNU LIBRARY GENERAL PUBLIC LICENSE', 'GNU LESSER GENERAL PUBLIC LICENSE', 'Apache License'])
    expect(notices).toContain(text)
  // A licence without its text would be a line and nothing else.
  const short = notices.split(/\n={100}\n/).filter(part => part.trim().length < 400)
  expect(short).toEqual([])
})

test('every part that another uses is listed, and the product uses what package.json names', () => {
  const known = new Set(['castellan', ...sbom.components.map((one: { 'bom-ref': string }) => one['bom-ref'])])
  const edges: { ref: string; dependsOn: string[] }[] = sbom.dependencies
  expect(edges.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]).filter(ref => !known.has(ref))).toEqual([])
  const own = edges.find(({ ref }) => ref === 'castellan')!.dependsOn
  for (const [name, version] of Object.entries(packageJson.dependencies))
    expect(own).toContain(`pkg:npm/${name.replace('@', '%40')}@${version}`)
})

test('a nested package comes before one of the same name further out', () => {
  const packages = parseLockfile(`{
    "workspaces": { "": { "dependencies": { "a": "1.0.0" } } },
    "packages": {
      "a": ["a@1.0.0", "", { "dependencies": { "@s/b": "1" }, "peerDependencies": { "c": "1" }, "optionalPeers": ["c"] }, "sha512-AA=="],
      "a/@s/b": ["@s/b@1.0.0", "", { "dependencies": { "d": "1" } }, "sha512-AA=="],
      "a/@s/b/d": ["d@1.0.0", "", {}, "sha512-AA=="],
      "@s/b": ["@s/b@2.0.0", "", {}, "sha512-AA=="],
      "c": ["c@1.0.0", "", {}, "sha512-AA=="],
      "d": ["d@2.0.0", "", {}, "sha512-AA=="],
    },
  }`)
  expect(packages.map(({ name, version, uses, isShipped }) => [`${name}@${version}`, uses, isShipped])).toEqual([
    ['@s/b@1.0.0', ['d@1.0.0'], true],
    ['@s/b@2.0.0', [], false],
    ['a@1.0.0', ['@s/b@1.0.0'], true],
    ['c@1.0.0', [], false],
    ['d@1.0.0', [], true],
    ['d@2.0.0', [], false],
  ])
})

test('the same list twice is the same', () => {
  expect(writeSbom(1000)).toBe(writeSbom(1000))
})
